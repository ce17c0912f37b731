package engine

import (
	"cmp"
	"strings"

	"drover/engine/internal/sys"
)

// lostXattrs is why attributes of one item could not be copied: the first cause of each kind, so that an item counts once.
type lostXattrs struct{ acl, other error }

// lose notes an attribute that could not be copied. Those that only root may set, such as the capabilities of a program, an ordinary
// user is told of only if he asked for attributes by name: he cannot have expected them otherwise.
func (r *run) lose(l *lostXattrs, name string, err error) {
	switch {
	case name == sys.ACLAccess || name == sys.ACLDefault:
		l.acl = cmp.Or(l.acl, err)
	case strings.HasPrefix(name, "user.") || r.uid == 0 || r.req.Preserve&PreserveXattr != 0:
		l.other = cmp.Or(l.other, err)
	}
}

// tellLost warns of what was lost of an item.
func (r *run) tellLost(dir *folder, e *entry, l *lostXattrs) {
	if l.acl != nil {
		r.warn(WarnACL, dir, e, l.acl)
	}
	if l.other != nil {
		r.warn(WarnXattr, dir, e, l.other)
	}
}
