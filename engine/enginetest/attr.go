package enginetest

import (
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// NoOwner refuses to change owner and group, as file systems do that have none.
func NoOwner(err syscall.Errno) Fault { return noAttr(fuse.FATTR_UID|fuse.FATTR_GID, err) }

// NoMode refuses to change permission bits.
func NoMode(err syscall.Errno) Fault { return noAttr(fuse.FATTR_MODE, err) }

// NoTimes refuses to change times.
func NoTimes(err syscall.Errno) Fault { return noAttr(fuse.FATTR_ATIME|fuse.FATTR_MTIME, err) }

func noAttr(which uint32, err syscall.Errno) Fault {
	return lack(func(p pass) fuse.RawFileSystem { return noAttributes{p, which, err} })
}

type noAttributes struct {
	pass
	which uint32
	err   syscall.Errno
}

func (f noAttributes) SetAttr(cancel <-chan struct{}, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	if in.Valid&f.which != 0 {
		return fuse.Status(f.err)
	}
	return f.pass.SetAttr(cancel, in, out)
}

// Set is a change of permission bits or owner, or the making of something with the bits that it begins with.
type Set struct {
	Made     bool   // with Mode
	Kind     uint32 // S_IFMT part of the mode, of what is made
	Mode     uint32 // 07777 part; ^0 if it stays
	UID, GID uint32 // ^0 if they stay
}

// Sets is no fault: it tells of every Set, in order, before it is done.
func Sets(told func(Set)) Fault {
	return lack(func(p pass) fuse.RawFileSystem { return sets{p, told} })
}

type sets struct {
	pass
	told func(Set)
}

const stays = ^uint32(0)

func (f sets) made(kind, mode uint32) { f.told(Set{true, kind, mode & 0o7777, stays, stays}) }

func (f sets) Create(cancel <-chan struct{}, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	f.made(syscall.S_IFREG, in.Mode)
	return f.pass.Create(cancel, in, name, out)
}

func (f sets) Tmpfile(cancel <-chan struct{}, in *fuse.CreateIn, out *fuse.CreateOut) fuse.Status {
	f.made(syscall.S_IFREG, in.Mode)
	return f.pass.Tmpfile(cancel, in, out)
}

func (f sets) Mkdir(cancel <-chan struct{}, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	f.made(syscall.S_IFDIR, in.Mode)
	return f.pass.Mkdir(cancel, in, name, out)
}

func (f sets) Mknod(cancel <-chan struct{}, in *fuse.MknodIn, name string, out *fuse.EntryOut) fuse.Status {
	f.made(in.Mode&syscall.S_IFMT, in.Mode)
	return f.pass.Mknod(cancel, in, name, out)
}

func (f sets) SetAttr(cancel <-chan struct{}, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	s := Set{Mode: stays, UID: stays, GID: stays}
	if in.Valid&fuse.FATTR_MODE != 0 {
		s.Mode = in.Mode & 0o7777
	}
	if in.Valid&fuse.FATTR_UID != 0 {
		s.UID = in.Uid
	}
	if in.Valid&fuse.FATTR_GID != 0 {
		s.GID = in.Gid
	}
	if s != (Set{Mode: stays, UID: stays, GID: stays}) {
		f.told(s)
	}
	return f.pass.SetAttr(cancel, in, out)
}

// CoarseTimes tells modification times in steps of so many seconds, as FAT keeps them.
func CoarseTimes(seconds uint64) Fault {
	return times(func(t *fuse.Attr) { t.Mtime, t.Mtimensec = t.Mtime-t.Mtime%seconds, 0 })
}

// ShiftTimes tells modification times that are so much off, as FAT does in another time zone.
func ShiftTimes(seconds int64) Fault {
	return times(func(t *fuse.Attr) { t.Mtime += uint64(seconds) })
}

// JitterTimes tells another modification time whenever it is asked, by some milliseconds, as a clustered file system does whose
// servers have kept different ones.
func JitterTimes() Fault {
	var n atomic.Uint32
	return times(func(t *fuse.Attr) { t.Mtimensec = (n.Add(1) % 7) * uint32(time.Millisecond) })
}

func times(change func(*fuse.Attr)) Fault {
	return lack(func(p pass) fuse.RawFileSystem { return otherTimes{p, change} })
}

type otherTimes struct {
	pass
	change func(*fuse.Attr)
}

func (f otherTimes) Lookup(cancel <-chan struct{}, h *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	s := f.pass.Lookup(cancel, h, name, out)
	f.change(&out.Attr)
	return s
}

func (f otherTimes) GetAttr(cancel <-chan struct{}, in *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	s := f.pass.GetAttr(cancel, in, out)
	f.change(&out.Attr)
	return s
}

func (f otherTimes) SetAttr(cancel <-chan struct{}, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	s := f.pass.SetAttr(cancel, in, out)
	f.change(&out.Attr)
	return s
}
