package engine

import (
	"drover/engine/internal/sys"
)

// seal gives a folder that the job made the owner, attributes, mode and times of its source. It runs when nothing in
// the folder is in flight any more, deepest first, because everything that happens in a folder changes its times.
func (r *run) seal(f *folder) {
	src, dst, err := r.tree.acquire(f)
	if err != nil {
		r.warn(WarnTimes, f.parent, &entry{name: f.name}, err)
		return
	}
	defer r.tree.release(f)
	c := r.sealers.Get().(*copier)
	defer r.sealers.Put(c)
	e := &entry{name: f.name}
	at := folder{parent: f.parent, birth: birthOf(dst, f), pair: f.pair, name: f.name}
	if r.keepMode || r.keepOwner {
		c.dress(&at, e, dst, src, &f.meta, false)
		return
	}
	if f.meta.Perm()&0o700 != 0o700 { // made with all rights for its owner, so that it could be filled
		if err := sys.Chmod(dst, f.meta.Perm()&0o777&^r.umask); err != nil {
			r.warn(WarnMode, f.parent, e, err)
		}
	}
	c.dress(&at, e, dst, src, &f.meta, true)
}

// birthOf says who owns the folder itself now.
func birthOf(dst int, f *folder) birth {
	var st sys.Stat
	if sys.Fstat(dst, &st) != nil {
		return f.birth
	}
	return birth{uid: st.UID, gid: st.GID}
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
