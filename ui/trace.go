package ui

import (
	"context"
	"sync/atomic"
	"syscall"
	"time"
)

// trace measures how long the main goroutine is busy at a stretch: what a person feels as stutter.
type trace struct {
	paint atomic.Int64 // longest run of Pump.paint, in nanoseconds
	busy  atomic.Int64 // longest wait of a probe for the main goroutine
	cpu   atomic.Int64 // longest processor time of the main thread between two probes
}

func (t *trace) painted(since time.Time) { raise(&t.paint, time.Since(since)) }

func raise(v *atomic.Int64, d time.Duration) {
	for {
		old := v.Load()
		if int64(d) <= old || v.CompareAndSwap(old, int64(d)) {
			return
		}
	}
}

// Busy is the longest time that a probe had to wait for the main goroutine since Probe began or ResetBusy: drawing,
// events and paints alike, and whatever the machine took for itself.
func (p *Pump) Busy() time.Duration { return time.Duration(p.trace.busy.Load()) }

// Work is the longest time that the main goroutine itself computed at a stretch: Busy without what other threads and
// programs took of the processors.
func (p *Pump) Work() time.Duration { return time.Duration(p.trace.cpu.Load()) }

// LongestPaint is the longest time that what was put took on the main goroutine.
func (p *Pump) LongestPaint() time.Duration { return time.Duration(p.trace.paint.Load()) }

// ResetBusy begins the measurement anew.
func (p *Pump) ResetBusy() {
	p.trace.busy.Store(0)
	p.trace.cpu.Store(0)
	p.trace.paint.Store(0)
}

// Probe sends one function after the other through the main goroutine and measures how long each waits, until ctx ends.
// It is for measuring only: the probes keep the event loop awake.
func (p *Pump) Probe(ctx context.Context) {
	done := make(chan struct{}, 1)
	var spent time.Duration // only touched on the main goroutine
	pause := time.NewTicker(2 * time.Millisecond)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
		sent := time.Now()
		p.do(func() {
			raise(&p.trace.busy, time.Since(sent))
			now := threadTime()
			if spent > 0 {
				raise(&p.trace.cpu, now-spent)
			}
			spent = now
			done <- struct{}{}
		})
		select {
		case <-ctx.Done():
			return
		case <-done:
		}
	}
}

// threadTime is the processor time of this thread so far; the main goroutine keeps the main thread. 0 if it is not known.
func threadTime() time.Duration {
	const rusageThread = 1 // since Linux 2.6.26
	var u syscall.Rusage
	if syscall.Getrusage(rusageThread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
