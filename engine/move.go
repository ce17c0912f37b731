package engine

import (
	"context"
	"errors"
	"strings"
	"syscall"

	"drover/engine/internal/sys"
)

// Moving is renaming where that is possible. It is always tried: which folders belong to one file system in that sense, no
// device number says (subvolumes, bind mounts, project quotas, overlays). Nothing is replaced by accident: a rename onto a
// name that is taken fails, and is then the same question as in a copy. Where a rename cannot be (EXDEV), everything goes on as
// in a copy, and the removal stage takes the source away.

// errApart says that a rename is not possible between the two places, so that a copy has to do.
var errApart = errors.New("not one file system")

// isApart reports whether an error of a rename means that. EBUSY: one of the two is a place where something is mounted.
func isApart(err error) bool {
	return errors.Is(err, syscall.EXDEV) || errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EOPNOTSUPP)
}

// apart turns such an error into errApart, and remembers for the folder what is true of all that is in it.
func apart(dir *folder, err error) error {
	if errors.Is(err, syscall.EXDEV) {
		dir.apart.Store(true)
	}
	return errApart
}

// renames reports whether the entries of a folder are to be renamed, as far as is known.
func (c *copier) renames(dir *folder) bool { return c.moves && !c.lone && !dir.apart.Load() }

// shift renames what goes smoothly of a batch. What does not stays pending, and is tried by itself.
func (c *copier) shift(ctx context.Context, p pair, entries []entry) {
	if p.dir.twin || c.twins.caseless {
		return
	}
	c.intend(intentRename, p.dir, entries)
	for i := range entries {
		e := &entries[i]
		if e.fate != fatePending || e.has || e.twin {
			continue
		}
		if !c.renames(p.dir) || c.gate.pass(ctx) != nil {
			return
		}
		c.hand.set(e.name)
		if c.rename(ctx, p, e, e.target()) == nil {
			e.fate = fateDone
			c.count(e)
		}
	}
}

// rename gives a source the name n at the destination, which must be free (EEXIST). errApart: it has to be copied.
func (c *copier) rename(ctx context.Context, p pair, e *entry, n sys.Name) error {
	err := sys.RenameNew(p.src, e.name, p.dst, n)
	switch {
	case isApart(err):
		return apart(p.dir, err)
	case err != nil:
		return c.nameError(err, n)
	case ctx.Err() != nil && sys.RenameNew(p.dst, n, p.src, e.name) == nil: // it hung until after the end of the job
		return ctx.Err()
	}
	c.renamed(e)
	return nil
}

// renamed notes that an entry has arrived without being moved byte by byte: it counts as one item, and its content not at all.
func (c *copier) renamed(e *entry) {
	c.resize(e, e.moved)
	e.took, e.link = nil, e.kind() == sys.Symlink
}

// renameOver puts a source in the place of what has its name, in one step: until then the old one is whole, and then it is gone. It never
// replaces a folder. Exchanging the two and removing the old one would leave them exchanged if the process ended in between, and for
// good where the old one may not be removed at the source, as in /tmp.
func (c *copier) renameOver(p pair, e *entry) (Stage, error) {
	c.intend(intentReplace, p.dir, []entry{*e})
	err := sys.RenameOver(p.src, e.name, p.dst, e.target())
	switch {
	case err == nil:
		c.renamed(e)
		e.fate = fateDone
	case isApart(err):
		err = apart(p.dir, err)
	case errors.Is(err, syscall.EISDIR): // it has come just now
		err = &clashError{WhyFolderInWay}
	}
	return StageCommit, err
}

// otherName reports whether what is in the way of a source is a second name of it, so that the file stays when the source goes. It
// may not be: a name can be reached by way of a bind mount, or, in one folder, by another spelling where case is not told.
func otherName(p pair, e *entry, own *sys.Stat) bool {
	if own.Nlink < 2 || own.Kind() == sys.Dir {
		return false
	}
	return p.dir.meta.ID != p.dir.dstID || !strings.EqualFold(e.name.String(), e.target().String())
}

// dropName moves a file onto another name of itself: the name at the source goes.
func (c *copier) dropName(p pair, e *entry) (Stage, error) {
	var own, old sys.Stat
	if err := lookSource(p.src, e.name, false, &own); err != nil {
		return StageResolve, err
	}
	if err := sys.Lookup(p.dst, e.target(), false, &old); err != nil || old.ID != own.ID || !otherName(p, e, &own) {
		return StageResolve, ErrChanged
	}
	c.intend(intentRemove, p.dir, []entry{*e})
	if err := sys.Unlink(p.src, e.name); err != nil {
		return StageRemove, fromSource(err)
	}
	c.renamed(e)
	e.fate = fateDone
	return StageRemove, nil
}

// wholly reports whether a folder may move with all that is in it, by one rename, if the file system can. It has to be entered
// where something in it may have to stay, or to meet what another source has brought.
func (s *scanner) wholly(f *folder, e *entry) bool {
	return s.moves && !e.stays && len(s.exclude) == 0 && !f.twin && !f.parent.apart.Load() &&
		!(s.twins.caseless && len(s.req.Sources) > 1)
}

// bring gives a folder its place in its destination parent: the source itself (f.shifted), or a new folder to put its content into.
func (s *scanner) bring(psrc, pdst int, f *folder, wholly bool) error {
	if !wholly {
		return s.mkdir(pdst, f)
	}
	s.intend(intentRename, f.parent, []entry{{name: f.name, as: f.as, mode: uint32(sys.Dir)}})
	err := sys.RenameNew(psrc, f.name, pdst, f.as)
	if isApart(err) {
		return s.mkdir(pdst, f)
	}
	f.shifted = err == nil
	return err
}

// unbring takes back what bring did.
func unbring(psrc, pdst int, f *folder) {
	if !f.shifted {
		_ = sys.Rmdir(pdst, f.as)
		return
	}
	_ = sys.RenameNew(pdst, f.as, psrc, f.name)
}

// shiftedFolder notes a folder that has moved as a whole: one folder, whatever is in it.
func (s *scanner) shiftedFolder(f *folder) {
	s.cell.Dirs.Add(1)
	if f.parent.root {
		s.targets.add(f.meta.ID) // it lies there now, and is no source any more
	}
	s.announceShift(f)
}
