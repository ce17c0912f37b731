package enginetest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// The lacks are things that some file system does not have. They answer as such a file system answers.

// NoUnnamed has no O_TMPFILE.
func NoUnnamed() Fault { return lack(func(p pass) fuse.RawFileSystem { return noUnnamed{p} }) }

// NoRenameFlags knows neither RENAME_NOREPLACE nor RENAME_EXCHANGE.
func NoRenameFlags() Fault { return lack(func(p pass) fuse.RawFileSystem { return noRenameFlags{p} }) }

// NoLinks has no hard links.
func NoLinks() Fault { return lack(func(p pass) fuse.RawFileSystem { return noLinks{p} }) }

// NoSymlinks has no symbolic links.
func NoSymlinks() Fault { return lack(func(p pass) fuse.RawFileSystem { return noSymlinks{p} }) }

// NoXattrs has no extended attributes.
func NoXattrs() Fault { return lack(func(p pass) fuse.RawFileSystem { return noXattrs{p} }) }

// RefuseNames takes no name that contains one of the given characters, and answers with err.
func RefuseNames(chars string, err syscall.Errno) Fault {
	return lack(func(p pass) fuse.RawFileSystem { return refuseNames{p, chars, err} })
}

// LinkUnnamed makes O_TMPFILE files that can be linked, which Fuse without it cannot.
func LinkUnnamed() Fault {
	return lack(func(p pass) fuse.RawFileSystem { return &linkUnnamed{pass: p, hidden: map[uint64]place{}} })
}

type pass struct{ fuse.RawFileSystem }

func lack(wrap func(pass) fuse.RawFileSystem) Fault {
	return Fault{wrap: func(inner fuse.RawFileSystem) fuse.RawFileSystem { return wrap(pass{inner}) }}
}

type noUnnamed struct{ pass }

func (noUnnamed) Tmpfile(<-chan struct{}, *fuse.CreateIn, *fuse.CreateOut) fuse.Status {
	return fuse.Status(syscall.EOPNOTSUPP)
}

type noRenameFlags struct{ pass }

func (f noRenameFlags) Rename(cancel <-chan struct{}, in *fuse.RenameIn, from, to string) fuse.Status {
	if in.Flags != 0 {
		return fuse.EINVAL
	}
	return f.pass.Rename(cancel, in, from, to)
}

type noLinks struct{ pass }

func (noLinks) Link(<-chan struct{}, *fuse.LinkIn, string, *fuse.EntryOut) fuse.Status {
	return fuse.EPERM
}

type noSymlinks struct{ pass }

func (noSymlinks) Symlink(<-chan struct{}, *fuse.InHeader, string, string, *fuse.EntryOut) fuse.Status {
	return fuse.EPERM
}

type noXattrs struct{ pass }

func (noXattrs) GetXAttr(<-chan struct{}, *fuse.InHeader, string, []byte) (uint32, fuse.Status) {
	return 0, fuse.Status(syscall.EOPNOTSUPP)
}

func (noXattrs) ListXAttr(<-chan struct{}, *fuse.InHeader, []byte) (uint32, fuse.Status) {
	return 0, fuse.Status(syscall.EOPNOTSUPP)
}

func (noXattrs) SetXAttr(<-chan struct{}, *fuse.SetXAttrIn, string, []byte) fuse.Status {
	return fuse.Status(syscall.EOPNOTSUPP)
}

func (noXattrs) RemoveXAttr(<-chan struct{}, *fuse.InHeader, string) fuse.Status {
	return fuse.Status(syscall.EOPNOTSUPP)
}

type refuseNames struct {
	pass
	chars string
	err   syscall.Errno
}

func (f refuseNames) bad(name string) bool { return strings.ContainsAny(name, f.chars) }

func (f refuseNames) Lookup(cancel <-chan struct{}, h *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	if f.bad(name) {
		return fuse.ENOENT
	}
	return f.pass.Lookup(cancel, h, name, out)
}

func (f refuseNames) Create(cancel <-chan struct{}, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	if f.bad(name) {
		return fuse.Status(f.err)
	}
	return f.pass.Create(cancel, in, name, out)
}

func (f refuseNames) Mkdir(cancel <-chan struct{}, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	if f.bad(name) {
		return fuse.Status(f.err)
	}
	return f.pass.Mkdir(cancel, in, name, out)
}

func (f refuseNames) Mknod(cancel <-chan struct{}, in *fuse.MknodIn, name string, out *fuse.EntryOut) fuse.Status {
	if f.bad(name) {
		return fuse.Status(f.err)
	}
	return f.pass.Mknod(cancel, in, name, out)
}

func (f refuseNames) Symlink(cancel <-chan struct{}, h *fuse.InHeader, text, name string, out *fuse.EntryOut) fuse.Status {
	if f.bad(name) {
		return fuse.Status(f.err)
	}
	return f.pass.Symlink(cancel, h, text, name, out)
}

func (f refuseNames) Link(cancel <-chan struct{}, in *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	if f.bad(name) {
		return fuse.Status(f.err)
	}
	return f.pass.Link(cancel, in, name, out)
}

func (f refuseNames) Rename(cancel <-chan struct{}, in *fuse.RenameIn, from, to string) fuse.Status {
	if f.bad(to) {
		return fuse.Status(f.err)
	}
	return f.pass.Rename(cancel, in, from, to)
}

// linkUnnamed gives unnamed files a hidden name, which goes when they are linked or closed.
type linkUnnamed struct {
	pass
	count atomic.Uint64

	mu sync.Mutex
	// guarded by mu
	hidden map[uint64]place
}

type place struct {
	header fuse.InHeader // of the folder
	name   string
}

const hiddenPrefix = ".enginetest-unnamed-"

func (f *linkUnnamed) Tmpfile(cancel <-chan struct{}, in *fuse.CreateIn, out *fuse.CreateOut) fuse.Status {
	p := place{in.InHeader, fmt.Sprint(hiddenPrefix, f.count.Add(1))}
	in.Flags = in.Flags&^uint32(tmpfileFlag) | syscall.O_CREAT | syscall.O_EXCL
	s := f.Create(cancel, in, p.name, out)
	if s.Ok() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.hidden[out.NodeId] = p
	}
	return s
}

// tmpfileFlag is O_TMPFILE, of which O_DIRECTORY is a part.
const tmpfileFlag = 0o20000000 | syscall.O_DIRECTORY

func (f *linkUnnamed) Link(cancel <-chan struct{}, in *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	s := f.pass.Link(cancel, in, name, out)
	if s.Ok() {
		f.unhide(cancel, in.Oldnodeid)
	}
	return s
}

func (f *linkUnnamed) Release(cancel <-chan struct{}, in *fuse.ReleaseIn) {
	f.unhide(cancel, in.NodeId)
	f.pass.Release(cancel, in)
}

func (f *linkUnnamed) unhide(cancel <-chan struct{}, id uint64) {
	f.mu.Lock()
	p, ok := f.hidden[id]
	delete(f.hidden, id)
	f.mu.Unlock()
	if ok {
		_ = f.Unlink(cancel, &p.header, p.name)
	}
}

// AwaitNamed waits until nothing in the folder backing stands any more for a file without a name: the kernel tells of the last close a
// moment after it.
func AwaitNamed(tb testing.TB, backing string) {
	tb.Helper()
	for end := time.Now().Add(Patience); ; runtime.Gosched() {
		hidden, err := filepath.Glob(filepath.Join(backing, hiddenPrefix+"*"))
		switch {
		case err != nil:
			tb.Fatal(err)
		case len(hidden) == 0:
			return
		case time.Now().After(end):
			tb.Fatalf("%v are still there after %v", hidden, Patience)
		}
	}
}
