package engine

import (
	"cmp"
	"strings"
	"syscall"

	"drover/engine/internal/sys"
)

// attributes copies extended attributes, among them ACLs and capabilities.
func (c *copier) attributes(dir *folder, e *entry, dst, src int) {
	acl := false
	if !dir.pair.NoXattr.Load() {
		n, handled, err := sys.ListXattr(src, c.names)
		switch {
		case !handled:
			dir.pair.NoXattr.Store(true)
		case err != nil:
			c.warn(WarnXattr, dir, e, err)
		case n > 0:
			acl = c.copyXattrs(dir, e, dst, src, c.names[:n])
		}
	}
	if dir.birth.acl && c.keepACL && !acl { // what the folder gave unasked
		if err := sys.RemoveXattr(dst, sys.ACLAccess); err != nil {
			c.warn(WarnACL, dir, e, err)
		}
	}
}

func (c *copier) copyXattrs(dir *folder, e *entry, dst, src int, list []byte) (acl bool) {
	var lost lostXattrs
	for name := range sys.XattrNames(list) {
		if !c.keepsXattr(name) {
			continue
		}
		value, err := sys.GetXattr(src, name)
		if err == nil {
			err = sys.SetXattr(dst, name, value)
		}
		if err == nil && c.forgetful(dir, dst) && !sys.HasXattr(dst, name) {
			err = syscall.EOPNOTSUPP
		}
		if err != nil {
			c.lose(&lost, name, err)
			continue
		}
		acl = acl || name == sys.ACLAccess
	}
	c.tellLost(dir, e, &lost)
	return acl
}

// keepsXattr: SELinux labels belong to the place and not to the file; the policy gives the copy its own. XFS shows root its
// ACLs a second time, in its own format.
func (r *run) keepsXattr(name string) bool {
	if name == sys.ACLAccess || name == sys.ACLDefault {
		return r.keepACL
	}
	return r.keepXattr && name != "security.selinux" && !strings.HasPrefix(name, "trusted.SGI_ACL_") && !strings.HasPrefix(name, "system.")
}

// linkAttributes copies the attributes of a link itself. Only root can set any (trusted.*, security.*), so that others look only
// if they asked for attributes by name.
func (c *copier) linkAttributes(p pair, e *entry, n sys.Name) {
	if !c.keepXattr || c.uid != 0 && c.req.Preserve&PreserveXattr == 0 {
		return
	}
	k, err := sys.LListXattr(p.src, e.name, c.names)
	if err != nil {
		return // there are none to be had
	}
	for name := range sys.XattrNames(c.names[:k]) {
		if !c.keepsXattr(name) {
			continue
		}
		h, err := sys.Handle(p.dst, n)
		if err != nil {
			c.warn(WarnXattr, p.dir, e, err)
			return
		}
		c.handleAttributes(p, e, h)
		_ = sys.Close(h)
		return
	}
}

// handleAttributes copies the attributes of what cannot be opened to its copy, a Handle.
func (c *copier) handleAttributes(p pair, e *entry, dst int) {
	src, err := sys.Handle(p.src, e.name)
	if err != nil {
		return // gone since
	}
	defer func() { _ = sys.Close(src) }()
	var lost lostXattrs
	sys.CopyXattrHandle(dst, src, c.keepsXattr, func(name string, err error) { c.lose(&lost, name, err) })
	c.tellLost(p.dir, e, &lost)
}

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
