package enginetest

import (
	"sync"
	"time"
)

// Valve holds what comes to it until it is opened, as a device that does not answer.
type Valve struct {
	open, come sync.Once
	opened     chan struct{}
	arrived    chan struct{}
}

// NewValve returns a closed valve.
func NewValve() *Valve {
	return &Valve{opened: make(chan struct{}), arrived: make(chan struct{})}
}

// Open lets everything through, for ever. It may be called more than once.
func (v *Valve) Open() { v.open.Do(func() { close(v.opened) }) }

// Await waits until the first request waits, and fails the test if that does not come about.
func (v *Valve) Await(t T) {
	t.Helper()
	select {
	case <-v.arrived:
	case <-time.After(Patience):
		t.Fatalf("waited %v for something to hang", Patience)
	}
}

// pass waits for the valve to open. As on a dead device, no signal ends it.
func (v *Valve) pass() {
	v.come.Do(func() { close(v.arrived) })
	<-v.opened
}
