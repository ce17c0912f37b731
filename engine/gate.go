package engine

import (
	"context"
	"sync"
	"sync/atomic"
)

// gate stops workers between files and between chunks. Open, it costs one atomic load.
type gate struct {
	shut atomic.Bool // something is to be waited for or obeyed: look closer

	mu     sync.Mutex
	opened chan struct{} // closed when the gate opens; nil while it is open
	over   bool          // cancelled: every pass looks at its context from now on
}

// close makes every following pass wait.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened = make(chan struct{})
	}
	g.shut.Store(true)
}

// open lets all through again.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
		g.shut.Store(g.over)
	}
}

// cancel makes every following pass look at its context, open or not.
func (g *gate) cancel() {
	g.mu.Lock()
	g.over = true
	g.shut.Store(true)
	g.mu.Unlock()
	g.open()
}

// pass waits while the gate is closed and returns the context's error once it is cancelled.
func (g *gate) pass(ctx context.Context) error {
	if !g.shut.Load() {
		return nil
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		g.mu.Lock()
		opened := g.opened
		g.mu.Unlock()
		if opened == nil {
			return ctx.Err()
		}
		select {
		case <-opened:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
