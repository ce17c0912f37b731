package engine

import (
	"drover/engine/internal/sys"
)

// partial is a file that was begun. Exactly one of discard, keep and publish ends it.
type partial struct {
	dir  int
	name sys.Name // "": it has none
	fd   int
}

// discard removes what was begun, if it is still what stands under the name.
func (w *partial) discard() {
	if w.name != "" {
		var mine, there sys.Stat
		if sys.Fstat(w.fd, &mine) == nil && sys.Lookup(w.dir, w.name, false, &there) == nil && mine.ID == there.ID {
			_ = sys.Unlink(w.dir, w.name)
		}
	}
	_ = sys.Close(w.fd)
}

// keep closes a file that has its final name. An error on close means that data did not arrive: the file goes. One that a device held in
// its close until after the end of the job stays, for it is whole: another job may have found it up to date meanwhile.
func (w *partial) keep() error {
	if err := sys.Close(w.fd); err != nil {
		_ = sys.Unlink(w.dir, w.name)
		return err
	}
	return nil
}

// publish gives a whole file its final name, which must be free (EEXIST). allowed is asked last, for all before it can take long.
func (w *partial) publish(p pair, n sys.Name, allowed func() error) error {
	if w.name != "" {
		err := sys.Close(w.fd)
		if err == nil {
			err = allowed()
		}
		if err == nil {
			err = sys.RenameNew(p.dst, w.name, p.dst, n)
		}
		if err != nil {
			_ = sys.Unlink(w.dir, w.name)
		}
		return err
	}
	err := allowed()
	if err == nil {
		err = sys.LinkUnnamed(w.fd, p.dst, n)
	}
	if err != nil {
		_ = sys.Close(w.fd)
		return err
	}
	if err := sys.Close(w.fd); err != nil { // what was written did not arrive
		_ = sys.Unlink(p.dst, n)
		return err
	}
	return nil
}

// keeps reports whether the job is to keep a kind of metadata.
func (r *run) keeps(p Preserve) bool {
	want := r.req.Preserve
	switch {
	case want == PreserveDefault:
		return p != PreserveOwner || r.uid == 0
	case want&PreserveNone != 0:
		return false
	}
	return want&p != 0
}

// newMode returns the mode to create a copy with. It never gives more rights than the source has, to no one and at no
// moment: while owner or ACL may still change, none to others. plain says that after this nothing about mode
// and owner is left to do.
func (r *run) newMode(dir *folder, st *sys.Stat) (mode uint32, plain bool) {
	perm := st.Perm()
	if !r.keepMode {
		// As any program would: the umask or the folder's default ACL applies.
		if perm&0o600 != 0o600 && (r.keepXattr || r.keepACL) { // attributes need the owner's right to write
			return perm&0o777 | 0o600, false
		}
		return perm & 0o777, true
	}
	ownerStays := !r.keepOwner || st.UID == dir.birth.uid && st.GID == dir.birth.gid
	if !ownerStays || dir.birth.acl {
		return perm&0o700 | 0o600, false
	}
	// The owner may always write until the end, for attributes need that. More than 0777 cannot be asked for on creation.
	plain = perm&^0o777 == 0 && perm&r.umask == 0 && perm&0o600 == 0o600
	return perm&0o777 | 0o600, plain
}

// dress gives an open copy the owner, attributes, ACL, mode and times of its source, in this order: a change of owner
// takes set-uid and capabilities away, attributes need a mode that permits writing, and everything touches the times.
// What cannot be kept is a warning, never a failed copy.
func (c *copier) dress(dir *folder, e *entry, dst, src int, st *sys.Stat, plain bool) {
	perm, told := st.Perm(), Preserve(0) // what has been warned of
	if st.UID != dir.birth.uid || st.GID != dir.birth.gid {
		if c.keepOwner {
			perm, told = c.chown(dir, e, dst, st, perm)
		} else {
			perm &^= 0o6000 // the rights of an owner that the copy does not have
		}
	}
	if c.keepXattr || c.keepACL {
		c.attributes(dir, e, dst, src)
	}
	if !plain {
		if !c.keepMode {
			perm &= 0o777 &^ c.umask
		}
		if err := sys.Chmod(dst, perm); err != nil {
			c.warn(WarnMode, dir, e, err)
			told |= PreserveMode
		}
	}
	if c.keepTimes {
		if err := sys.SetTimes(dst, st.Atime, st.Mtime); err != nil {
			c.warn(WarnTimes, dir, e, err)
		}
	}
	if c.forgetful(dir, dst) {
		var now sys.Stat
		if sys.Fstat(dst, &now) == nil {
			c.forgotten(dir, e, &now, st, perm, told)
		}
	}
}

// chown sets owner and group and returns the mode that may be set then: without set-uid and set-gid if the owner is not the source's,
// of which it then has told.
func (c *copier) chown(dir *folder, e *entry, dst int, st *sys.Stat, perm uint32) (mode uint32, told Preserve) {
	err := sys.Chown(dst, st.UID, st.GID)
	if err == nil {
		return perm, 0
	}
	if sys.Chown(dst, sys.NoChange, st.GID) != nil || st.UID != dir.birth.uid {
		c.warn(WarnOwner, dir, e, err)
		return perm &^ 0o6000, PreserveOwner
	}
	return perm, 0
}

// dressByName does the same for what cannot be opened: links, FIFOs, devices.
func (c *copier) dressByName(p pair, e *entry, n sys.Name, st *sys.Stat) {
	perm, told := st.Perm(), Preserve(0)
	if c.keepOwner && (st.UID != p.dir.birth.uid || st.GID != p.dir.birth.gid) {
		if err := sys.LChown(p.dst, n, st.UID, st.GID); err != nil {
			c.warn(WarnOwner, p.dir, e, err)
			perm, told = perm&^0o6000, PreserveOwner
		}
	}
	if st.Kind() == sys.Symlink {
		told |= PreserveMode // a link has none of its own
		c.linkAttributes(p, e, n)
	} else {
		told |= c.dressHandle(p, e, n, perm)
	}
	if c.keepTimes {
		if err := sys.LSetTimes(p.dst, n, st.Atime, st.Mtime); err != nil {
			c.warn(WarnTimes, p.dir, e, err)
		}
	}
	if c.forgetful(p.dir, p.dst) {
		var now sys.Stat
		if sys.Lookup(p.dst, n, false, &now) == nil {
			c.forgotten(p.dir, e, &now, st, perm, told)
		}
	}
}

func (c *copier) dressHandle(p pair, e *entry, n sys.Name, perm uint32) (told Preserve) {
	h, err := sys.Handle(p.dst, n)
	if err != nil {
		c.warn(WarnMode, p.dir, e, err)
		return PreserveMode
	}
	defer func() { _ = sys.Close(h) }()
	if c.keepACL && p.dir.birth.acl { // what the folder gave unasked
		if err := sys.RemoveXattrHandle(h, sys.ACLAccess); err != nil {
			c.warn(WarnACL, p.dir, e, err)
		}
	}
	if c.keepXattr || c.keepACL {
		c.handleAttributes(p, e, h)
	}
	if !c.keepMode {
		return 0
	}
	if err := sys.ChmodHandle(h, perm); err != nil {
		c.warn(WarnMode, p.dir, e, err)
		return PreserveMode
	}
	return 0
}
