// Package ui is the window.
//
// # Threads
//
// Fyne's widgets belong to the main goroutine: it runs every callback and draws. What it must never do is wait, because
// while it waits the window is frozen. Therefore:
//
//  1. No callback touches the disk, the engine's disk-touching methods (Job.Questions, Job.Question) or another process. What
//     needs them starts a goroutine.
//  2. A goroutine never touches a widget. It hands what it found to Pump.Put, as a function that the main goroutine runs.
//  3. Pump is the only one that calls fyne.Do. It has at most one call queued at any time, however much was handed over:
//     fyne's queue is unbounded, is worked off one function per turn of the event loop, and is thrown away at the end.
//  4. What is put under the same key replaces what is not shown yet. So a view that is told ten things between two frames
//     shows the last, and nothing grows.
//  5. Progress is pulled, never pushed: while jobs run the pump looks at them ten times a second (a person cannot read faster), less
//     often where drawing takes long, and once more when they end. While nothing runs it sleeps until it is rung.
//  6. Nothing calls fyne.DoAndWait: on the main goroutine it waits for itself.
//  7. When the window goes, the pump is closed first.
//
// The other packages below ui get Put as a function value and so know nothing of this.
package ui

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
)

const (
	// frame is how often running jobs are looked at, where drawing is cheap.
	frame = 100 * time.Millisecond
	// slowFrame is how often at least. Numbers that change four times a second can still be followed.
	slowFrame = 250 * time.Millisecond
	// drawShare is the part of its time, as one in so many, that the main thread may draw for jobs. Without a graphics card a frame
	// takes 10 ms of it and as much of other threads, on processors that the copy needs.
	drawShare = 20
)

// Pump carries what goroutines found to the screen.
type Pump struct {
	do func(func())
	// look is called on the pump's goroutine. It returns what to paint on the main one, nil for nothing, and whether
	// anything runs, so that there will be more to see without a ring.
	look func() (paint func(), busy bool)

	ring   chan struct{}
	queued atomic.Bool
	closed atomic.Bool
	trace  trace
	pace   pace

	mu    sync.Mutex
	order []any // keys, in the order in which they were first put
	todo  map[any]func()
}

// NewPump returns a pump that does nothing until Run. look may be nil.
func NewPump(look func() (paint func(), busy bool)) *Pump {
	return &Pump{do: fyne.Do, look: look, pace: pace{spent: threadTime}, ring: make(chan struct{}, 1), todo: map[any]func(){}}
}

// Ring has the pump look at the jobs soon. Any goroutine may call it; it never blocks.
func (p *Pump) Ring() {
	select {
	case p.ring <- struct{}{}:
	default:
	}
}

// Put has f run on the main goroutine soon, unless something else is put under key before that. Any goroutine may call it, the
// main one too; it never blocks and never runs f itself.
func (p *Pump) Put(key any, f func()) {
	p.mu.Lock()
	if _, ok := p.todo[key]; !ok {
		p.order = append(p.order, key)
	}
	p.todo[key] = f
	p.mu.Unlock()
	p.queue()
}

func (p *Pump) queue() {
	if !p.closed.Load() && p.queued.CompareAndSwap(false, true) {
		p.do(p.paint)
	}
}

// paint runs what was put, on the main goroutine. What is put meanwhile waits for the next turn, so that the window can draw
// and take a key between the two.
func (p *Pump) paint() {
	if p.closed.Load() {
		return
	}
	p.mu.Lock()
	order, todo := p.order, p.todo
	p.order, p.todo = nil, make(map[any]func(), len(todo))
	p.mu.Unlock()
	p.queued.Store(false)
	defer p.trace.painted(time.Now())
	for _, key := range order {
		todo[key]()
	}
}

// Close has nothing run any more that was or will be put. When its event loop has ended, fyne runs what it is given on the
// goroutine that gives it, on widgets whose window is gone.
func (p *Pump) Close() { p.closed.Store(true) }

// paintKey is what the pump puts its own paints under.
type paintKey struct{}

// Run looks and paints until ctx ends.
func (p *Pump) Run(ctx context.Context) {
	tick := time.NewTimer(frame)
	defer tick.Stop()
	tick.Stop()
	ticking := false
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-p.ring:
			// rings come in bursts; a tick soon shows what the later ones are about
			if ticking && time.Since(last) < frame/2 {
				tick.Reset(frame)
				continue
			}
		}
		if p.look == nil {
			continue
		}
		last = time.Now()
		paint, busy := p.look()
		if paint != nil {
			p.Put(paintKey{}, func() {
				p.pace.painted(time.Now())
				paint()
			})
		}
		ticking = busy
		if busy {
			tick.Reset(p.pace.next())
		} else {
			tick.Stop()
		}
	}
}

// pace says how often jobs are looked at, by what it costs to show them.
type pace struct {
	spent func() time.Duration // processor time of the main thread

	// of painted
	last   time.Time
	before time.Duration

	cost atomic.Int64 // of the main thread from one paint to the next, in nanoseconds
}

// painted is called on the main goroutine when jobs are shown. What the thread has computed since the time before was mostly drawing that.
func (p *pace) painted(now time.Time) {
	spent := p.spent()
	if now.Sub(p.last) < 2*slowFrame {
		p.cost.Store(int64(spent - p.before))
	}
	p.last, p.before = now, spent
}

// next is the time until the next look.
func (p *pace) next() time.Duration {
	return min(max(frame, drawShare*time.Duration(p.cost.Load())), slowFrame)
}
