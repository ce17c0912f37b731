package enginetest

import (
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// SyncError lets writing a file or folder to the medium fail, as it does when a device has lost what it took before.
func SyncError(glob string, err syscall.Errno) Fault {
	return fault(glob, false, func(o of) fuse.RawFileSystem { return &syncFault{o, nil, err} })
}

// HangSync holds whoever writes a file or folder to the medium. The folder that is mounted has no name: only "" is about it.
func HangSync(v *Valve, glob string) Fault {
	f := fault(glob, false, func(o of) fuse.RawFileSystem { return &syncFault{o, v, 0} })
	f.valve = v
	return f
}

type syncFault struct {
	of
	valve *Valve
	err   syscall.Errno
}

func (f *syncFault) sync(in *fuse.FsyncIn, inner func(<-chan struct{}, *fuse.FsyncIn) fuse.Status, cancel <-chan struct{}) fuse.Status {
	if f.meant(in.NodeId) {
		if f.valve != nil {
			f.valve.pass()
		}
		if f.err != 0 {
			return fuse.Status(f.err)
		}
	}
	return inner(cancel, in)
}

func (f *syncFault) Fsync(cancel <-chan struct{}, in *fuse.FsyncIn) fuse.Status {
	return f.sync(in, f.of.Fsync, cancel)
}

func (f *syncFault) FsyncDir(cancel <-chan struct{}, in *fuse.FsyncIn) fuse.Status {
	return f.sync(in, f.of.FsyncDir, cancel)
}
