package enginetest

import (
	"path"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// The faults about content concern the files whose name matches a glob (path.Match; "" is every file, also one that has no
// name), from an offset on. They switch the page cache off, so that every request reaches them as it was made.

// ReadError lets reads at or after an offset fail. What lies before can be read.
func ReadError(glob string, from int64, err syscall.Errno) Fault {
	return fault(glob, true, func(o of) fuse.RawFileSystem { return &readError{o, from, err} })
}

// WriteError lets writes at or after an offset fail, until n have failed (n < 0: for ever). What lies before can be written.
func WriteError(glob string, from int64, err syscall.Errno, n int64) Fault {
	return fault(glob, true, func(o of) fuse.RawFileSystem {
		w := &writeError{of: o, from: from, err: err}
		w.left.Store(n)
		return w
	})
}

// CloseError lets the last close of a file that was written fail, as network file systems do that send late.
func CloseError(glob string, err syscall.Errno) Fault {
	return fault(glob, false, func(o of) fuse.RawFileSystem { return &closeError{of: o, err: err} })
}

// ShortReads gives at most n bytes to a read.
func ShortReads(glob string, n int) Fault {
	return fault(glob, true, func(o of) fuse.RawFileSystem { return &shortReads{o, n} })
}

// ShortWrites takes at most n bytes from a write.
func ShortWrites(glob string, n int) Fault {
	return fault(glob, true, func(o of) fuse.RawFileSystem { return &shortWrites{o, n} })
}

// HangRead holds reads that reach an offset or lie after it.
func HangRead(v *Valve, glob string, from int64) Fault {
	f := fault(glob, true, func(o of) fuse.RawFileSystem { return &hangRead{o, v, from} })
	f.valve = v
	return f
}

// HangWrite holds writes that reach an offset or lie after it.
func HangWrite(v *Valve, glob string, from int64) Fault {
	f := fault(glob, true, func(o of) fuse.RawFileSystem { return &hangWrite{o, v, from} })
	f.valve = v
	return f
}

// HangFolder holds whoever opens a folder to list it.
func HangFolder(v *Valve, glob string) Fault {
	f := fault(glob, false, func(o of) fuse.RawFileSystem { return &hangFolder{o, v} })
	f.valve = v
	return f
}

// HangClose holds whoever closes a file that was written.
func HangClose(v *Valve, glob string) Fault {
	f := fault(glob, false, func(o of) fuse.RawFileSystem { return &hangClose{of: o, valve: v} })
	f.valve = v
	return f
}

// HangMake holds whoever makes a folder, link, FIFO or device of that name, or gives it to a file.
func HangMake(v *Valve, glob string) Fault {
	return Fault{valve: v, wrap: func(inner fuse.RawFileSystem) fuse.RawFileSystem { return &hangMake{inner, v, glob} }}
}

// Slow lets every read, write and creation take d longer.
func Slow(d time.Duration) Fault {
	return fault("", true, func(o of) fuse.RawFileSystem { return &slow{o, d} })
}

func fault(glob string, uncached bool, wrap func(of) fuse.RawFileSystem) Fault {
	return Fault{wrap: func(inner fuse.RawFileSystem) fuse.RawFileSystem {
		return wrap(of{inner, &nodes{glob: glob, uncached: uncached, ids: map[uint64]bool{}}})
	}}
}

// of passes everything on, and remembers which nodes have a name that matters.
type of struct {
	fuse.RawFileSystem
	nodes *nodes
}

type nodes struct {
	glob     string
	uncached bool

	mu sync.Mutex
	// guarded by mu
	ids map[uint64]bool
}

func (o of) note(name string, id uint64, s fuse.Status) {
	if ok, _ := path.Match(o.nodes.glob, name); ok && s.Ok() {
		o.nodes.mu.Lock()
		defer o.nodes.mu.Unlock()
		o.nodes.ids[id] = true
	}
}

func (o of) meant(id uint64) bool {
	o.nodes.mu.Lock()
	defer o.nodes.mu.Unlock()
	return o.nodes.glob == "" || o.nodes.ids[id]
}

func (o of) Lookup(cancel <-chan struct{}, h *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	s := o.RawFileSystem.Lookup(cancel, h, name, out)
	o.note(name, out.NodeId, s)
	return s
}

func (o of) Mkdir(cancel <-chan struct{}, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	s := o.RawFileSystem.Mkdir(cancel, in, name, out)
	o.note(name, out.NodeId, s)
	return s
}

func (o of) Create(cancel <-chan struct{}, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	s := o.RawFileSystem.Create(cancel, in, name, out)
	o.note(name, out.NodeId, s)
	o.direct(&out.OpenOut)
	return s
}

func (o of) Tmpfile(cancel <-chan struct{}, in *fuse.CreateIn, out *fuse.CreateOut) fuse.Status {
	s := o.RawFileSystem.Tmpfile(cancel, in, out)
	o.direct(&out.OpenOut)
	return s
}

func (o of) Open(cancel <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	s := o.RawFileSystem.Open(cancel, in, out)
	o.direct(out)
	return s
}

func (o of) direct(out *fuse.OpenOut) {
	if o.nodes.uncached {
		out.OpenFlags |= fuse.FOPEN_DIRECT_IO
	}
}

// Every write comes as Write, and none past it.
func (o of) Writev(<-chan struct{}, *fuse.WriteIn, [][]byte) (uint32, fuse.Status) {
	return 0, fuse.ENOSYS
}

func (o of) CopyFileRange(<-chan struct{}, *fuse.CopyFileRangeIn) (uint32, fuse.Status) {
	return 0, fuse.ENOSYS
}

type readError struct {
	of
	from int64
	err  syscall.Errno
}

func (f *readError) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	if f.meant(in.NodeId) {
		left := f.from - int64(in.Offset)
		if left <= 0 {
			return nil, fuse.Status(f.err)
		}
		buf = buf[:min(int64(len(buf)), left)]
	}
	return f.of.Read(cancel, in, buf)
}

type writeError struct {
	of
	from int64
	err  syscall.Errno
	left atomic.Int64
}

func (f *writeError) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	if f.meant(in.NodeId) && f.left.Load() != 0 {
		left := f.from - int64(in.Offset)
		if left <= 0 {
			f.left.Add(-1)
			return 0, fuse.Status(f.err)
		}
		data = data[:min(int64(len(data)), left)]
		in.Size = uint32(len(data))
	}
	return f.of.Write(cancel, in, data)
}

type closeError struct {
	of
	err     syscall.Errno
	written sync.Map
}

func (f *closeError) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	f.written.Store(in.NodeId, true)
	return f.of.Write(cancel, in, data)
}

func (f *closeError) Flush(cancel <-chan struct{}, in *fuse.FlushIn) fuse.Status {
	if _, ok := f.written.Load(in.NodeId); ok && f.meant(in.NodeId) {
		return fuse.Status(f.err)
	}
	return f.of.Flush(cancel, in)
}

type shortReads struct {
	of
	n int
}

func (f *shortReads) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	if f.meant(in.NodeId) {
		buf = buf[:min(len(buf), f.n)]
	}
	return f.of.Read(cancel, in, buf)
}

type shortWrites struct {
	of
	n int
}

func (f *shortWrites) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	if f.meant(in.NodeId) {
		data = data[:min(len(data), f.n)]
		in.Size = uint32(len(data))
	}
	return f.of.Write(cancel, in, data)
}

type hangRead struct {
	of
	valve *Valve
	from  int64
}

func (f *hangRead) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	if f.meant(in.NodeId) && int64(in.Offset)+int64(len(buf)) > f.from {
		f.valve.pass()
	}
	return f.of.Read(cancel, in, buf)
}

type hangWrite struct {
	of
	valve *Valve
	from  int64
}

func (f *hangWrite) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	if f.meant(in.NodeId) && int64(in.Offset)+int64(len(data)) > f.from {
		f.valve.pass()
	}
	return f.of.Write(cancel, in, data)
}

type hangFolder struct {
	of
	valve *Valve
}

func (f *hangFolder) OpenDir(cancel <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	if f.meant(in.NodeId) {
		f.valve.pass()
	}
	return f.of.OpenDir(cancel, in, out)
}

type hangClose struct {
	of
	valve   *Valve
	written sync.Map
}

func (f *hangClose) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	f.written.Store(in.NodeId, true)
	return f.of.Write(cancel, in, data)
}

func (f *hangClose) Flush(cancel <-chan struct{}, in *fuse.FlushIn) fuse.Status {
	if _, ok := f.written.Load(in.NodeId); ok && f.meant(in.NodeId) {
		f.valve.pass()
	}
	return f.of.Flush(cancel, in)
}

type hangMake struct {
	fuse.RawFileSystem
	valve *Valve
	glob  string
}

func (f *hangMake) wait(name string) {
	if ok, _ := path.Match(f.glob, name); ok {
		f.valve.pass()
	}
}

func (f *hangMake) Mkdir(cancel <-chan struct{}, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	f.wait(name)
	return f.RawFileSystem.Mkdir(cancel, in, name, out)
}

func (f *hangMake) Mknod(cancel <-chan struct{}, in *fuse.MknodIn, name string, out *fuse.EntryOut) fuse.Status {
	f.wait(name)
	return f.RawFileSystem.Mknod(cancel, in, name, out)
}

func (f *hangMake) Symlink(cancel <-chan struct{}, h *fuse.InHeader, text, name string, out *fuse.EntryOut) fuse.Status {
	f.wait(name)
	return f.RawFileSystem.Symlink(cancel, h, text, name, out)
}

func (f *hangMake) Link(cancel <-chan struct{}, in *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	f.wait(name)
	return f.RawFileSystem.Link(cancel, in, name, out)
}

type slow struct {
	of
	d time.Duration
}

func (f *slow) wait(cancel <-chan struct{}) {
	timer := time.NewTimer(f.d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-cancel:
	}
}

func (f *slow) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	f.wait(cancel)
	return f.of.Read(cancel, in, buf)
}

func (f *slow) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	f.wait(cancel)
	return f.of.Write(cancel, in, data)
}

func (f *slow) Create(cancel <-chan struct{}, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	f.wait(cancel)
	return f.of.Create(cancel, in, name, out)
}
