// Package floor copies with only the system calls that no such copy can do without, on as many threads as Drover uses.
// It is what Drover is measured against, not something to copy with: it makes no progress known, asks nothing, keeps no
// record, and ends at the first error with whatever is there by then.
//
// For each file: open, fstat, exclusive create with the source's mode (no umask), read and write or a clone, a look
// whether there are attributes, times, two closes. For each folder: open and make, its names, its times at the end. One
// goroutine walks; the others copy runs of files of one folder, and only one at a time creates in a folder, because the
// kernel would let no other in anyway. Owners, attributes and access control lists are not copied: in what is measured
// there are none to copy.
package floor

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"drover/engine/internal/sys"
)

const (
	runFiles  = 32        // files that travel together
	queueRuns = 64        // runs that the walk may be ahead; more would only hold more folders open
	bigFile   = 1 << 20   // bytes from which a file is work of its own
	piece     = 8 << 20   // bytes that are moved by one call
	readSize  = 256 << 10 // bytes that one read of a small file asks for
	direntLen = 32 << 10  // bytes of names that one call returns
)

// A crew is the walk and the workers of one copy.
type crew struct {
	runs    chan *run
	free    chan *run // runs that were copied, to be filled again
	bigs    chan *big
	busy    atomic.Int32 // workers that may still find big files
	noClone atomic.Bool  // the file systems cannot

	mu sync.Mutex
	// guarded by mu
	first map[sys.ID]place // files with several names: the copy that is made
	later []twin           // their other names, made at the end
}

// A place is a name in a folder.
type place struct {
	dir *folder
	n   sys.Name
}

type twin struct{ made, also place }

// A run is some files of one folder.
type run struct {
	dir   *folder
	names [runFiles]sys.Name
	n     int
}

// Copy copies each source into the existing folder dst: one folder with all that is in it, or any number of files. After
// an error parts of it may still be at work: the process should end.
func Copy(sources []string, dst string) error {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	workers := min(max(runtime.GOMAXPROCS(0), 2), 8)
	c := &crew{
		runs: make(chan *run, queueRuns), free: make(chan *run, queueRuns+2*workers), bigs: make(chan *big, queueRuns),
		first: map[sys.ID]place{},
	}
	c.busy.Store(int32(workers))
	errs := make(chan error, workers+1)
	for range workers {
		go func() { errs <- newWorker(c).work() }()
	}
	go func() { errs <- c.walk(sources, dst) }()
	for range workers + 1 {
		if err := <-errs; err != nil {
			return err
		}
	}
	return c.link()
}

// link gives files their other names. The folders of both are still open.
func (c *crew) link() error {
	for _, t := range c.later {
		if err := sys.Link(t.made.dir.dst, t.made.n, t.also.dir.dst, t.also.n); err != nil {
			return t.also.failed("link", err)
		}
		if err := t.also.dir.leave(); err != nil {
			return err
		}
	}
	for _, p := range c.first {
		if err := p.dir.leave(); err != nil {
			return err
		}
	}
	return nil
}

// failed says at which file a call failed.
func (p place) failed(call string, err error) error {
	return fmt.Errorf("%s %s: %w", call, filepath.Join(p.dir.path(), p.n.String()), err)
}
