package enginetest

import (
	"path"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// UnlinkError lets nobody remove a file whose name matches the glob. Renaming it works.
func UnlinkError(glob string, err syscall.Errno) Fault {
	return Fault{wrap: func(inner fuse.RawFileSystem) fuse.RawFileSystem { return &unlinkError{inner, glob, err} }}
}

type unlinkError struct {
	fuse.RawFileSystem
	glob string
	err  syscall.Errno
}

func (f *unlinkError) Unlink(cancel <-chan struct{}, h *fuse.InHeader, name string) fuse.Status {
	if ok, _ := path.Match(f.glob, name); ok {
		return fuse.Status(f.err)
	}
	return f.RawFileSystem.Unlink(cancel, h, name)
}
