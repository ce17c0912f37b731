package engine

import (
	"drover/engine/internal/sys"
)

// seal finishes a folder when nothing in it is in flight any more, deepest first.
func (r *run) seal(f *folder) {
	if f.made {
		r.finishFolder(f)
	}
	if f.leaves {
		r.removal.folder(f)
	}
}

// finishFolder gives a folder that the job made the owner, attributes, mode and times of its source, at last, because everything that
// happens in a folder changes its times.
func (r *run) finishFolder(f *folder) {
	src, dst, err := r.tree.acquire(f)
	if err != nil {
		r.warn(WarnTimes, f.parent, &entry{name: f.name}, err)
		return
	}
	defer r.tree.release(f)
	r.tree.openAbove(f, src, dst) // it is sealed next, or soon
	c := r.sealers.Get().(*copier)
	defer r.sealers.Put(c)
	e := new(entry) // the folder itself
	own, now := f.birth, sys.Stat{}
	if sys.Fstat(dst, &now) == nil {
		own = birth{uid: now.UID, gid: now.GID}
	}
	at := folder{parent: f.parent, birth: own, pair: f.pair, name: f.name}
	want := f.meta
	if !r.keepOwner {
		if now.GID != want.GID {
			want.Mode &^= 0o6000 // rights of a group that the copy does not have
		}
		want.Mode |= now.Mode & 0o2000 // the folder above hands its group down, and this bit with it
		want.UID, want.GID = now.UID, now.GID
	}
	if !r.keepMode && now.Mode != 0 && want.Perm()&0o700 != 0o700 { // it was made with all rights for its owner, so that it could be filled
		// The rights of others are what the umask or the default ACL has left of them.
		if err := sys.Chmod(dst, now.Perm()&^(0o700&^want.Perm())); err != nil {
			r.warn(WarnMode, f.parent, e, err)
		}
	}
	c.dress(&at, e, dst, src, &want, !r.keepMode)
}

// reach opens a folder pair for writing. A folder that was sealed read-only is opened up again for the late-comer.
func (r *run) reach(f *folder) (src, dst int, err error) {
	if err := r.unseal(f); err != nil {
		return -1, -1, err
	}
	return r.tree.acquire(f)
}

// unseal makes sealed folders writable again for something that comes late, from the top down. seal follows when it is done.
func (r *run) unseal(f *folder) error {
	if f.root {
		return nil
	}
	f.sealing.Lock()
	defer f.sealing.Unlock()
	r.tree.mu.Lock()
	sealed := f.sealed
	r.tree.mu.Unlock()
	if !sealed {
		return nil
	}
	if err := r.unseal(f.parent); err != nil {
		return err
	}
	if f.made && f.meta.Perm()&0o700 != 0o700 && r.uid != 0 {
		if err := r.openUp(f); err != nil {
			return err
		}
	}
	r.tree.mu.Lock()
	f.sealed = false
	r.tree.mu.Unlock()
	return nil
}

func (r *run) openUp(f *folder) error {
	_, pdst, err := r.tree.acquire(f.parent)
	if err != nil {
		return err
	}
	defer r.tree.release(f.parent)
	h, err := sys.Handle(pdst, f.as)
	if err != nil {
		return err
	}
	defer func() { _ = sys.Close(h) }()
	var st sys.Stat
	if err := sys.Fstat(h, &st); err != nil {
		return err
	}
	if st.ID != f.dstID {
		return ErrChanged
	}
	return sys.ChmodHandle(h, st.Perm()|0o700)
}
