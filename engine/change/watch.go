package change

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Watch tells what changes in one folder. Its methods may be called from any goroutine.
type Watch struct {
	// set once
	hub     *Hub
	dir     string
	in      *inbox
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	batches chan Batch
	joined  sync.WaitGroup // goroutines that never touch the disk
	reader  chan struct{}  // closed when the reader has ended; nil without a reader

	closing sync.Once
	err     atomic.Pointer[error]
}

func newWatch(h *Hub, dir string) *Watch {
	w := &Watch{hub: h, dir: dir, in: newInbox(), batches: make(chan Batch)}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	p := &pacer{dir: dir, in: w.in, out: w.batches}
	w.joined.Go(func() { p.run(w.ctx) })
	return w
}

// read starts the reader of the kernel's events, with a recheck as often as every, and waits for it to begin no longer than wait.
func (w *Watch) read(every, wait time.Duration) {
	// Whoever is first decides: a reader that is ready in time has missed nothing, one that is late says "look again".
	var decided atomic.Bool
	ready := make(chan struct{})
	w.reader = make(chan struct{})
	r := newReader(w.dir, w.in, every, func(err error) { w.err.Store(&err) })
	go func() {
		defer close(w.reader)
		r.run(w.ctx, func() {
			if !decided.CompareAndSwap(false, true) {
				w.in.lookAgain()
			}
			close(ready)
		})
	}()
	patience := time.NewTimer(wait)
	defer patience.Stop()
	select {
	case <-ready:
	case <-patience.C:
		decided.CompareAndSwap(false, true)
	}
}

// Dir is the folder, absolute and clean.
func (w *Watch) Dir() string { return w.dir }

// Batches delivers what changed, at most ten times a second, and is closed by Close. Who reads slowly or not at all gets
// the newest state when it reads, and blocks nobody.
func (w *Watch) Batches() <-chan Batch { return w.batches }

// Err says why the kernel does not report what other programs do here, nil if it does: no more watches (syscall.ENOSPC), too many
// open files (syscall.EMFILE), no permission. What Drover does itself is told all the same, and every five seconds the watch
// compares the folder's time and tries again. Ask after Watch and with every batch.
func (w *Watch) Err() error {
	if p := w.err.Load(); p != nil {
		return *p
	}
	return nil
}

// Close ends the watch and all its goroutines. Only a reader that the kernel holds on a dead mount is left behind after
// 100 ms; it ends when the kernel lets it go. Close may be called more than once.
func (w *Watch) Close() {
	w.closing.Do(func() {
		w.hub.unsubscribe(w.dir, w.in)
		w.cancel()
	})
	w.joined.Wait()
	if w.reader == nil {
		return
	}
	patience := time.NewTimer(closeWait)
	defer patience.Stop()
	select {
	case <-w.reader:
	case <-patience.C:
	}
}
