package ui

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// queue stands for fyne's: what is done waits until it is run.
type queue struct {
	mu sync.Mutex
	fs []func()
}

func (q *queue) do(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.fs = append(q.fs, f)
}

func (q *queue) run() int {
	q.mu.Lock()
	fs := q.fs
	q.fs = nil
	q.mu.Unlock()
	for _, f := range fs {
		f()
	}
	return len(fs)
}

func TestPumpQueuesOnePaint(t *testing.T) {
	var q queue
	p := NewPump(nil)
	p.do = q.do
	var got []string
	for range 1000 {
		p.Put("a", func() { got = append(got, "old") })
	}
	p.Put("b", func() { got = append(got, "b") })
	p.Put("a", func() { got = append(got, "new") })
	if n := q.run(); n != 1 {
		t.Errorf("%d calls were queued", n)
	}
	if len(got) != 2 || got[0] != "new" || got[1] != "b" {
		t.Errorf("ran %q", got)
	}
	p.Put("c", func() { p.Put("d", func() { got = append(got, "d") }) })
	if n := q.run(); n != 1 {
		t.Errorf("%d calls", n)
	}
	if len(got) != 2 {
		t.Error("what is put by a paint ran in the same paint")
	}
	if n := q.run(); n != 1 || len(got) != 3 {
		t.Errorf("%d calls, %q", n, got)
	}
	if n := q.run(); n != 0 {
		t.Errorf("%d calls although nothing was put", n)
	}
}

func TestPumpLooksOnlyWhileSomethingRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks, paints atomic.Int64
		var busy atomic.Bool
		p := NewPump(func() (func(), bool) {
			looks.Add(1)
			return func() { paints.Add(1) }, busy.Load()
		})
		p.pace.spent = func() time.Duration { return 0 } // the clock is not real, so the work must not be either
		p.do = func(f func()) { f() }
		ctx, stop := context.WithCancel(t.Context())
		go p.Run(ctx)
		time.Sleep(time.Hour)
		if n := looks.Load(); n != 0 {
			t.Errorf("looked %d times although nothing runs", n)
		}
		busy.Store(true)
		p.Ring()
		time.Sleep(10*time.Second + frame/2)
		if n := looks.Load(); n != 101 {
			t.Errorf("looked %d times in ten seconds, want 101", n)
		}
		for range 50 { // a ring for every file
			p.Ring()
			time.Sleep(time.Millisecond)
		}
		if n := looks.Load(); n > 103 {
			t.Errorf("rings had it look %d times", n-101)
		}
		busy.Store(false)
		p.Ring()
		time.Sleep(time.Second)
		before := looks.Load()
		time.Sleep(time.Hour)
		if n := looks.Load(); n != before {
			t.Errorf("looked %d times after the end", n-before)
		}
		if paints.Load() != looks.Load() {
			t.Errorf("%d paints of %d looks", paints.Load(), looks.Load())
		}
		stop()
	})
}

// Where a frame costs much there are fewer of them.
func TestPumpTakesLittleForDrawing(t *testing.T) {
	for _, tt := range []struct {
		cost  time.Duration
		looks int64 // in ten seconds
	}{
		{0, 101}, {time.Millisecond, 101}, {10 * time.Millisecond, 51}, {time.Second, 41},
	} {
		synctest.Test(t, func(t *testing.T) {
			var looks atomic.Int64
			p := NewPump(func() (func(), bool) { return func() {}, looks.Add(1) > 0 })
			var spent time.Duration
			p.pace.spent = func() time.Duration { spent += tt.cost; return spent }
			p.do = func(f func()) { f() }
			ctx, stop := context.WithCancel(t.Context())
			go p.Run(ctx)
			p.Ring()
			time.Sleep(10*time.Second + frame/2)
			if n := looks.Load(); n > tt.looks+1 || n < tt.looks-1 {
				t.Errorf("%v for a frame: looked %d times in ten seconds, want %d", tt.cost, n, tt.looks)
			}
			stop()
		})
	}
}
