// Package control turns gestures into calls of the engine and keeps the jobs that the window shows. It knows no widget: it is
// told what a person did, and answers with rows and values through the functions it was given.
//
// Its methods may be called on the main goroutine: none of them waits. What the engine may take time for (it looks at both sides
// of a question on disk) runs on a goroutine, in the order in which it was asked for each job, and comes back through put.
package control

import (
	"context"
	"slices"
	"sync"
	"time"

	"drover/engine"
	"drover/ui/present"
)

const (
	// quick is how long a job stays unseen: one that is over before that appears as finished and never flashes a bar.
	quick = 300 * time.Millisecond
	// twice is how long the same request again is taken for the same gesture: some desktops deliver one drop or paste by
	// two ways.
	twice = 2 * time.Second
	// keepEnded is how many ended jobs stay in the list; older ones that went well are dropped first.
	keepEnded = 20
)

// Control owns the jobs of the window.
type Control struct {
	// set once
	engine Engine
	put    func(key any, f func()) // runs f on the main goroutine
	ring   func()                  // asks for a Look
	now    func() time.Time
	notify func(text string) // shows a message; on the main goroutine

	mu      sync.Mutex
	tasks   []*task // in the order of their start
	last    engine.Request
	lastAt  time.Time
	painted []present.Transfer
	closing bool
}

// task is one job on the list.
type task struct {
	job     Job
	id      string
	started time.Time
	asks    serial

	left present.Countdown // used by Look only

	again bool // it tries again what failed in another

	// guarded by Control.mu
	result  *engine.Result // nil while it runs
	final   bool           // it ended, and nothing of what failed can be mended by trying again
	retried bool           // another job tries again what failed
}

// New returns a Control without jobs. now may be nil.
func New(e Engine, put func(key any, f func()), ring func(), notify func(string), now func() time.Time) *Control {
	if now == nil {
		now = time.Now
	}
	return &Control{engine: e, put: put, ring: ring, notify: notify, now: now}
}

// Drop copies paths into the folder dest. It starts at once: whatever needs an answer is asked later, beside the work. What lies
// in dest already is duplicated under a free name.
func (c *Control) Drop(paths []string, dest string) {
	if len(paths) == 0 || dest == "" {
		return
	}
	r := engine.Request{Sources: paths, Dest: dest, Duplicate: true}
	c.mu.Lock()
	now := c.now()
	again := now.Sub(c.lastAt) < twice && c.last.Dest == dest && slices.Equal(c.last.Sources, paths)
	if !again {
		c.last, c.lastAt = r, now
	}
	c.mu.Unlock()
	if again {
		return
	}
	c.start(r)
}

func (c *Control) start(r engine.Request) {
	j, err := c.engine.Start(context.Background(), r)
	if err != nil {
		c.say(present.Explain(err))
		return
	}
	c.add(j, false)
}

// notifyKey is what messages are put under; the newest is the one to read.
type notifyKey struct{}

func (c *Control) say(text string) {
	if c.notify != nil {
		c.put(notifyKey{}, func() { c.notify(text) })
	}
}

func (c *Control) add(j Job, again bool) {
	t := &task{job: j, id: j.ID(), started: c.now(), again: again}
	c.mu.Lock()
	c.tasks = append(c.tasks, t)
	c.trim()
	c.mu.Unlock()
	go c.follow(t)
	c.ring()
}

// follow passes the rings of a job on until it ends.
func (c *Control) follow(t *task) {
	for {
		select {
		case <-t.job.Ring():
			c.ring()
		case <-t.job.Done():
			r, err := t.job.Wait(context.Background())
			if err != nil {
				r = engine.Result{State: engine.StateFailed, Err: err}
			}
			final := len(failedIDs(t.job)) == 0
			c.mu.Lock()
			t.result, t.final = &r, final
			c.mu.Unlock()
			c.ring()
			return
		}
	}
}

// trim drops old rows so that the list does not grow for ever. mu is held.
func (c *Control) trim() {
	ended := 0
	for _, t := range c.tasks {
		if t.result != nil {
			ended++
		}
	}
	c.tasks = slices.DeleteFunc(c.tasks, func(t *task) bool {
		if ended <= keepEnded || t.result == nil || !t.retried && (t.result.Err != nil || t.job.Snapshot().Failures > 0) {
			return false
		}
		ended--
		c.engine.Forget(t.job)
		return true
	})
}

// Look returns the rows of the jobs, the newest first, whether they differ from the last time, and whether any job moves by itself. It
// is called by the pump's goroutine only.
func (c *Control) Look() (rows []present.Transfer, changed, busy bool) {
	c.mu.Lock()
	tasks := slices.Clone(c.tasks)
	states := make([]present.TransferState, len(tasks))
	for i, t := range tasks {
		states[i] = present.TransferState{ID: t.id, Result: t.result, Final: t.final, Retried: t.retried, Again: t.again}
	}
	c.mu.Unlock()
	now := c.now()
	rows = make([]present.Transfer, 0, len(tasks))
	for i := len(tasks) - 1; i >= 0; i-- {
		t := tasks[i]
		snap := t.job.Snapshot()
		if states[i].Result == nil {
			young := now.Sub(t.started) < quick
			moves := snap.State == engine.StateRunning || snap.State == engine.StateQueued
			busy = busy || moves || young || snap.State.Ended()
			if young {
				continue
			}
		}
		states[i].Request, states[i].Snapshot = t.job.Request(), snap
		rows = append(rows, present.NewTransfer(states[i], &t.left, now))
	}
	c.mu.Lock()
	changed = !slices.Equal(rows, c.painted)
	c.painted = rows
	c.mu.Unlock()
	return rows, changed, busy
}

// Open is how many jobs have not ended, and how many of these only wait for answers.
func (c *Control) Open() (open, waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.tasks {
		if t.result == nil {
			open++
			if t.job.Snapshot().State == engine.StateWaiting {
				waiting++
			}
		}
	}
	return open, waiting
}

func (c *Control) find(id string) *task {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.tasks {
		if t.id == id {
			return t
		}
	}
	return nil
}

// ask runs f for a job off the main goroutine, after what was asked of it before.
func (c *Control) ask(id string, f func(t *task)) {
	if t := c.find(id); t != nil {
		t.asks.do(func() {
			f(t)
			c.ring()
		})
	}
}

// Pause stops a job until Resume.
func (c *Control) Pause(id string) { c.ask(id, func(t *task) { t.job.Pause() }) }

// Resume goes on after Pause or a stall.
func (c *Control) Resume(id string) { c.ask(id, func(t *task) { t.job.Resume() }) }

// Cancel ends a job. One that only waits for answers ends as done, with the questions unanswered: nothing of it is undone.
func (c *Control) Cancel(id string) {
	c.ask(id, func(t *task) {
		if t.job.Snapshot().State == engine.StateWaiting {
			t.job.Leave()
			return
		}
		t.job.Cancel()
	})
}

// Clear takes an ended job off the list.
func (c *Control) Clear(id string) {
	c.mu.Lock()
	c.tasks = slices.DeleteFunc(c.tasks, func(t *task) bool {
		if t.id != id || t.result == nil {
			return false
		}
		c.engine.Forget(t.job)
		return true
	})
	c.mu.Unlock()
	c.ring()
}

// ClearEnded takes all ended jobs off the list.
func (c *Control) ClearEnded() {
	c.mu.Lock()
	c.tasks = slices.DeleteFunc(c.tasks, func(t *task) bool {
		if t.result == nil {
			return false
		}
		c.engine.Forget(t.job)
		return true
	})
	c.mu.Unlock()
	c.ring()
}

// Request is what a job was asked to do; ok is false if there is no such job.
func (c *Control) Request(id string) (r engine.Request, ok bool) {
	if t := c.find(id); t != nil {
		return t.job.Request(), true
	}
	return r, false
}

// Close cancels what runs and waits for it, at most as long as ctx. It is the one method that waits.
func (c *Control) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closing = true
	c.mu.Unlock()
	return c.engine.Close(ctx)
}

// serial runs functions one after the other, and has a goroutine only while there are any.
type serial struct {
	mu      sync.Mutex
	todo    []func()
	running bool
}

func (s *serial) do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.todo = append(s.todo, f)
	if !s.running {
		s.running = true
		go s.run()
	}
}

func (s *serial) run() {
	for {
		s.mu.Lock()
		if len(s.todo) == 0 {
			s.running = false
			s.mu.Unlock()
			return
		}
		f := s.todo[0]
		s.todo = s.todo[1:]
		s.mu.Unlock()
		f()
	}
}
