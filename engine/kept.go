package engine

import (
	"drover/engine/internal/sys"
)

// forgetful reports whether a destination may take without an error what it does not keep: exFAT and NTFS over FUSE forget the mode,
// NTFS owner and ACL as well, CIFS what its options say. Linux's own file systems do not. at is anything open there.
func (c *copier) forgetful(dir *folder, at int) bool {
	p := dir.pair
	if p.Honest.Load() {
		return false
	}
	if p.Forgetful.Load() {
		return true
	}
	if sys.Native(at) {
		p.Honest.Store(true)
		return false
	}
	p.Forgetful.Store(true)
	return true
}

// forgotten warns of the owner and mode that a copy was given without an error and does not have now. told is what has been warned of already.
func (c *copier) forgotten(dir *folder, e *entry, now, st *sys.Stat, perm uint32, told Preserve) {
	if c.keepOwner && told&PreserveOwner == 0 && (now.UID != st.UID || now.GID != st.GID) {
		c.warn(WarnOwner, dir, e, nil)
	}
	if c.keepMode && told&PreserveMode == 0 && now.Perm() != perm {
		c.warn(WarnMode, dir, e, nil)
	}
}
