package engine

import (
	"context"
	"errors"
	"strings"
	"syscall"

	"drover/engine/internal/sys"
)

// descend opens a source folder and makes its destination, or finds one to merge with. The folder comes back in use by
// the caller; nil without an error means that nothing in it is to be copied.
func (s *scanner) descend(ctx context.Context, parent *folder, e *entry) (*folder, error) {
	psrc, pdst, err := s.reach(parent)
	if err != nil {
		return nil, err
	}
	defer s.tree.release(parent)

	src, err := sys.OpenDir(psrc, e.name, parent.follow)
	if err != nil {
		return nil, err
	}
	f := &folder{parent: parent, name: e.name, as: e.target(), follow: parent.follow, absent: parent.absent, twin: parent.twin || e.twin, src: -1, dst: -1}
	if err := sys.Fstat(src, &f.meta); err != nil {
		_ = sys.Close(src)
		return nil, err
	}
	left, err := s.leftOut(parent, f)
	if err != nil || left && s.moves { // a place to mount stays with what is mounted there
		_ = sys.Close(src)
		parent.kept.Store(true)
		return nil, err
	}
	f.leaves = s.moves && !e.stays
	dst := -1
	if !f.absent {
		dst, err = s.arrive(ctx, psrc, pdst, f, e)
		if err != nil || dst < 0 && !f.absent {
			_ = sys.Close(src)
			return nil, err
		}
	}
	f.pair = s.tree.pairs.Of(f.meta.Dev, f.dstID.Dev)
	s.tree.adopt(f, src, dst)
	s.cell.Dirs.Add(1)
	if left { // a place to mount is copied, what is mounted there is not
		s.tree.hold(f)
		s.tree.drop(f, s.seal)
		s.tree.release(f)
		return nil, nil
	}
	return f, nil
}

// leftOut says which folders are not entered: mounts, if they are not wanted, and (an error) those that would never end.
func (r *run) leftOut(parent, f *folder) (bool, error) {
	named := parent.root && !parent.content
	if r.req.OneFileSystem && !named && f.meta.Dev != parent.meta.Dev {
		return true, nil
	}
	if r.targets.has(f.meta.ID, named) {
		return false, ErrInsideSelf
	}
	for x := parent; x != nil; x = x.parent {
		if x.dstID == f.meta.ID && !x.absent { // also what it merges into, further down
			return false, ErrInsideSelf
		}
	}
	if f.follow {
		for x := parent; x != nil; x = x.parent {
			if x.meta.ID == f.meta.ID && (!x.root || x.content) {
				return false, ErrLinkLoop
			}
		}
	}
	return false, nil
}

// arrive makes the folder f in its destination parent and opens it. -1 without an error: it is left out, has moved as a whole, or
// (dry run) is not there.
func (s *scanner) arrive(ctx context.Context, psrc, pdst int, f *folder, e *entry) (int, error) {
	act, has := e.act, e.has // once there is an answer it holds for the names tried after it too
	names := s.freeNames(f.parent, pdst, e.target(), true)
	wholly := s.wholly(f, e)
	for range freeNameTries {
		err := s.bring(psrc, pdst, f, wholly)
		for err != nil && judge(err) == verdictStall && !s.elsewhere(f.parent) && s.stall(ctx, f.parent, e, StageScan, err) {
			err = s.bring(psrc, pdst, f, wholly)
		}
		switch {
		case err == nil && ctx.Err() != nil: // it hung for so long
			unbring(psrc, pdst, f)
			return -1, ctx.Err()
		case err == nil && f.shifted:
			s.shiftedFolder(f)
			return -1, nil
		case err == nil:
			names.took()
			return s.openMade(pdst, f)
		case errors.Is(err, errDryAbsent):
			f.absent = true
			return -1, nil
		case !errors.Is(err, syscall.EEXIST):
			return -1, s.nameError(err, f.as)
		}
		if !has {
			dst, err := s.merge(pdst, f)
			if err == nil {
				return dst, nil
			}
			if act, has = s.ruleFor(err); !has {
				return -1, err
			}
		}
		switch {
		case act == ActionSkip:
			s.meter.Skipped.Add(1)
			f.parent.kept.Store(true)
			return -1, nil
		case act == ActionRename, act == ActionRetry:
			return s.merge(pdst, f)
		case s.req.DryRun: // there would be a new folder
			f.absent = true
			return -1, nil
		}
		if err := s.makeRoom(pdst, f, names, act); err != nil {
			return -1, err
		}
	}
	return -1, syscall.EEXIST
}

// makeRoom takes the next free name for the new folder, or gives it to what is in the way.
func (s *scanner) makeRoom(pdst int, f *folder, names *freeNames, act Action) error {
	switch act {
	case ActionKeepBoth:
		f.as = names.next()
		return nil
	case ActionRenameOld:
		p := pair{dir: f.parent, dst: pdst}
		free, err := s.moveAway(p, f.as, s.isDir(pdst, f.as))
		if err == nil && free != f.as {
			s.announceRename(f.parent, f.as, free)
		}
		return err
	}
	return ErrNotAnswerable
}

var errDryAbsent = errors.New("dry run: would be made")

func (s *scanner) mkdir(pdst int, f *folder) error {
	if s.req.DryRun {
		var st sys.Stat
		if err := sys.Lookup(pdst, f.as, false, &st); errors.Is(err, syscall.ENOENT) {
			return errDryAbsent
		}
		return syscall.EEXIST
	}
	mode := uint32(0o700)
	if !s.keepMode {
		mode = f.meta.Perm()&0o777 | 0o700 // the umask or the parent's default ACL applies
	}
	return sys.Mkdir(pdst, f.as, mode)
}

// openMade opens a folder that was just made, and takes away an ACL that it inherited unasked.
func (s *scanner) openMade(pdst int, f *folder) (int, error) {
	dst, err := sys.OpenDir(pdst, f.as, false)
	if errors.Is(err, syscall.EACCES) { // a umask that takes even its owner's rights
		if h, herr := sys.Handle(pdst, f.as); herr == nil {
			_ = sys.ChmodHandle(h, 0o700)
			_ = sys.Close(h)
			dst, err = sys.OpenDir(pdst, f.as, false)
		}
	}
	if err != nil {
		return -1, err
	}
	f.made = true
	if f.parent.birth.acl && s.keepACL {
		for _, name := range []string{sys.ACLDefault, sys.ACLAccess} {
			if err := sys.RemoveXattr(dst, name); err != nil {
				s.warn(WarnACL, f.parent, &entry{name: f.name}, err)
			}
		}
	}
	if err := s.learn(dst, f); err != nil {
		_ = sys.Close(dst)
		return -1, err
	}
	if f.parent.root {
		s.targets.add(f.dstID)
	}
	s.announceFolder(f)
	return dst, nil
}

// merge opens a folder that is there already. What stands in the way instead is a question; a link is not followed, for
// only the folder that the user chose may be one.
func (s *scanner) merge(pdst int, f *folder) (int, error) {
	dst, err := sys.OpenDir(pdst, f.as, false)
	if err != nil {
		var st sys.Stat
		if look := sys.Lookup(pdst, f.as, false, &st); look != nil {
			return -1, look
		}
		switch st.Kind() {
		case sys.Dir:
			return -1, err
		case sys.Symlink:
			return -1, &clashError{WhyLinkInWay}
		}
		return -1, &clashError{WhyFileInWay}
	}
	if err := s.learn(dst, f); err != nil {
		_ = sys.Close(dst)
		return -1, err
	}
	if f.dstID == f.meta.ID {
		_ = sys.Close(dst)
		return -1, ErrSameFile
	}
	return dst, nil
}

// ruleFor applies the rule of the job to what is in the way of a folder. Nothing replaces by rule there. A folder that
// meets itself takes a free name if the job is to duplicate.
func (s *scanner) ruleFor(err error) (Action, bool) {
	if s.req.Duplicate && errors.Is(err, ErrSameFile) {
		return ActionKeepBoth, true
	}
	var clash *clashError
	if !errors.As(err, &clash) {
		return 0, false
	}
	act, has := s.rule()
	return act, has && (act == ActionSkip || act == ActionKeepBoth || act == ActionRenameOld)
}

func (s *scanner) isDir(dir int, n sys.Name) bool {
	var st sys.Stat
	return sys.Lookup(dir, n, false, &st) == nil && st.Kind() == sys.Dir
}

// learn finds out what a destination folder gives to new files.
func (r *run) learn(dst int, f *folder) error {
	var st sys.Stat
	if err := sys.Fstat(dst, &st); err != nil {
		return err
	}
	f.dstID = st.ID
	if r.moves {
		r.settles(dst, f)
	}
	f.birth = birth{uid: r.uid, gid: r.gid, acl: sys.HasXattr(dst, sys.ACLDefault)}
	if st.Mode&0o2000 != 0 { // set-group-ID: the group is handed down
		f.birth.gid = st.GID
	}
	return nil
}

func freeName(n sys.Name, isDir bool, k int) sys.Name {
	return sys.Name(FreeName(n.String(), isDir, k) + "\x00")
}

// nameError turns an error of a call that makes the name n into the question that it is, if it is about the name. exFAT and FAT
// over FUSE say ENOENT and EPERM of names that they cannot hold.
func (r *run) nameError(err error, n sys.Name) error {
	foreign := r.twins.foreign && unportable(n.String()) && (errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.EPERM))
	if namesRefused(err) || foreign {
		return &clashError{WhyBadName}
	}
	return err
}

// unportable reports whether a name has what Windows file systems do not take.
func unportable(name string) bool {
	return strings.ContainsAny(name, `:*?"<>|\`) || strings.ContainsFunc(name, func(c rune) bool { return c < ' ' }) ||
		strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ")
}

// namesRefused reports whether a file system does not take a name.
func namesRefused(err error) bool {
	return errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EILSEQ)
}
