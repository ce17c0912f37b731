package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"drover/engine/internal/sys"
)

// Job is one request being carried out. All its methods may be called from any goroutine at any time.
type Job struct {
	// set once
	engine *Engine
	id     string
	req    Request
	run    *run
	bell   chan struct{}
	done   chan struct{}

	mu sync.Mutex
	// guarded by mu
	begun, paused, waiting, leaving bool
	closing                         bool // takes no more decisions
	stall                           error
	result                          *Result
}

// ID names the job, unique for the engine.
func (j *Job) ID() string { return j.id }

// Request is what the job was started with, its paths made absolute.
func (j *Job) Request() Request { return j.req }

// Snapshot says how the job stands. It touches no disk. The totals of a job that nobody has asked about may stay unknown
// until its sources are read to the end.
func (j *Job) Snapshot() Snapshot {
	j.run.asked()
	j.mu.Lock()
	state, stall, ended := j.state(), j.stall, j.result != nil
	j.mu.Unlock()
	m := j.run.meter.Read(time.Now(), state == StateDone)
	s := Snapshot{
		State: state, Ended: ended,
		Files: m.Files, TotalFiles: m.TotalFiles, Bytes: m.Bytes, TotalBytes: m.TotalBytes, TotalKnown: m.TotalKnown,
		Dirs: m.Dirs, Skipped: m.Skipped, Fraction: m.Fraction, Rate: m.ByteRate, FileRate: m.FileRate, Left: m.Left, Elapsed: m.Elapsed,
	}
	if state == StateStalled {
		s.Stall = stall
	}
	if state != StateRunning && !ended {
		s.Left = -1
	}
	s.Questions, s.Failures = j.run.desk.counts()
	j.run.warnMu.Lock()
	s.Warnings = len(j.run.warnings)
	j.run.warnMu.Unlock()
	if !ended {
		s.Current = j.run.inHand()
	}
	return s
}

func (j *Job) state() State {
	switch {
	case j.result != nil:
		return j.result.State
	case j.stall != nil:
		return StateStalled
	case j.paused:
		return StatePaused
	case j.waiting:
		return StateWaiting
	case j.begun:
		return StateRunning
	}
	return StateQueued
}

// Ring is signalled (capacity 1, no data) when state, questions, failures or warnings changed.
func (j *Job) Ring() <-chan struct{} { return j.bell }

func (j *Job) rings() {
	select {
	case j.bell <- struct{}{}:
	default:
	}
}

// Pause stops work within 100 ms, also the scan.
func (j *Job) Pause() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.result != nil || j.paused {
		return
	}
	j.paused = true
	j.run.gate.close()
	j.run.meter.Hold(time.Now())
	j.rings()
}

// Resume goes on after Pause, and tries again after a stall.
func (j *Job) Resume() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.result != nil || !j.paused && j.stall == nil {
		return
	}
	j.paused, j.stall = false, nil
	if !j.waiting {
		j.run.meter.Go(time.Now())
	}
	j.run.gate.open()
	j.rings()
}

// Cancel ends the job within 200 ms, or, if a device does not answer, leaves the worker that waits for it behind.
// Nothing half-written stays under a final name. It does not wait: Done and Wait do.
func (j *Job) Cancel() { j.run.cancel(ErrCancelled) }

// Leave ends the job as soon as nothing but questions is left, with the questions unanswered (Result.State is StateWaiting then).
func (j *Job) Leave() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.leaving = true
	j.run.wake()
}

// ends is asked when the run is idle. It returns true, and takes no more decisions, if nothing is left to do; while only
// questions are left the job waits.
func (j *Job) ends(r *run) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.inFlight.Load() > 0 {
		return false
	}
	if r.moves && r.removal.wanted() {
		return false
	}
	r.meter.Known() // there is nothing left that has not been looked at
	if questions, _ := r.desk.counts(); questions > 0 && !j.leaving {
		if !j.waiting {
			j.waiting = true
			r.meter.Hold(time.Now())
			j.rings()
		}
		return false
	}
	j.closing = true
	return true
}

// closes takes no more decisions.
func (j *Job) closes() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closing = true
}

// works counts a decision as work, unless the job is about to end.
func (j *Job) works() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.closing {
		j.run.begin()
	}
	return !j.closing
}

// stalled closes the gate for a reason that a person can mend.
func (j *Job) stalled(r *run, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stall == nil {
		j.stall = err
		r.gate.close()
		r.meter.Hold(time.Now())
		j.rings()
	}
}

// stands reports whether the job stands still for a reason that a person may mend, or did when it was cancelled.
func (j *Job) stands() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.stall != nil
}

// Questions returns up to n open questions after skipping from, in the order they arose. It looks at both sides of each
// on disk, and may take as long as a disk takes.
func (j *Job) Questions(from, n int) []Question {
	d := &j.run.desk
	d.mu.Lock()
	ids := d.questions.page(from, n)
	items := make([]parked, len(ids))
	for i, id := range ids {
		items[i] = d.questions.items[id]
	}
	d.mu.Unlock()
	out := make([]Question, len(ids))
	for i, id := range ids {
		out[i] = j.run.look(id, items[i])
	}
	return out
}

// Question returns one open question, looked up on disk like Questions.
func (j *Job) Question(id QuestionID) (Question, bool) {
	d := &j.run.desk
	d.mu.Lock()
	p, ok := d.questions.items[id]
	d.mu.Unlock()
	if !ok {
		return Question{}, false
	}
	return j.run.look(id, p), true
}

// Conflicts goes through all open questions in the order they arose. Unlike Questions it touches no disk; the job may go
// on meanwhile.
func (j *Job) Conflicts() iter.Seq[Conflict] {
	return func(yield func(Conflict) bool) {
		d := &j.run.desk
		d.mu.Lock()
		ids := d.questions.page(0, len(d.questions.items))
		d.mu.Unlock()
		for _, id := range ids {
			d.mu.Lock()
			p, ok := d.questions.items[id]
			d.mu.Unlock()
			if ok && !yield(Conflict{id, p.e.why, p.dir.srcPath(p.e.name), p.dir.dstPath(p.e.target())}) {
				return
			}
		}
	}
}

// Failures returns up to n failed items after skipping from. It touches no disk.
func (j *Job) Failures(from, n int) []Failure {
	d := &j.run.desk
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []Failure
	for _, id := range d.failures.page(from, n) {
		out = append(out, Failure{id, d.failures.items[id].failure()})
	}
	return out
}

func (p parked) failure() *ItemError {
	to := p.e.target()
	if p.e.into {
		to = ""
	}
	return &ItemError{p.e.stage, p.dir.srcPath(p.e.name), p.dir.dstPath(to), p.e.err}
}

// Warnings returns one entry per kind of warning.
func (j *Job) Warnings() []Warning {
	j.run.warnMu.Lock()
	defer j.run.warnMu.Unlock()
	return slices.Clone(j.run.warnings)
}

// Decide answers questions and retries failures, at any time until the job has ended. Nothing is changed when it returns
// an error: ErrNoQuestion, ErrNotAnswerable, ErrBadName.
func (j *Job) Decide(d Decision) error {
	if d.Action == ActionRename {
		if err := CheckName(d.Name); err != nil {
			return err
		}
		if d.All || d.Rest || len(d.IDs) != 1 {
			return fmt.Errorf("%w: a new name is for one item", ErrNotAnswerable)
		}
	}
	if d.Action > ActionRetry || d.Rest && d.Action == ActionRetry {
		return ErrNotAnswerable
	}
	r := j.run
	if !j.works() {
		return fmt.Errorf("%w: the job has ended", ErrNoQuestion)
	}
	defer r.finish()
	items, err := r.desk.answer(d)
	if err != nil {
		return err
	}
	if len(items) > 0 && d.Action != ActionSkip {
		j.mu.Lock()
		if j.waiting {
			j.waiting = false
			if !j.paused && j.stall == nil {
				r.meter.Go(time.Now())
			}
		}
		j.mu.Unlock()
	}
	r.obey(items, d.Action, d.Name)
	j.rings()
	return nil
}

// obey carries an answer out for items that were taken off the desk, or never got there.
func (r *run) obey(items []parked, act Action, name string) {
	var work []parked
	for _, p := range items {
		if act == ActionSkip {
			r.leaveOut(p)
			continue
		}
		p.e.act, p.e.has = act, true
		if act == ActionRename {
			p.e.as = sys.Name(name + "\x00")
		}
		work = append(work, p)
	}
	if len(work) > 0 && r.ctx.Err() == nil {
		r.scan(func(sc *scanner) {
			r.dispatch(work, sc)
			sc.walk(r.ctx)
		})
	}
}

// leaveOut skips an item of the desk. A failed one has left the total already.
func (r *run) leaveOut(p parked) {
	if p.e.fate == fateFailed && p.e.took != nil {
		return // it was copied, and stays at the source too
	}
	r.meter.Skipped.Add(1)
	if p.e.fate == fateClash && p.e.kind() != sys.Dir {
		r.meter.Drop(1, p.e.size-p.e.moved)
		r.over(&p.e)
	}
}

// Done is closed when the job has ended.
func (j *Job) Done() <-chan struct{} { return j.done }

// Wait waits for the end of the job. The error is only ever that of ctx.
func (j *Job) Wait(ctx context.Context) (Result, error) {
	select {
	case <-j.done:
		j.mu.Lock()
		defer j.mu.Unlock()
		return *j.result, nil
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
}

// Retry starts a new job for the failed items of an ended one.
func (j *Job) Retry(ctx context.Context) (*Job, error) {
	select {
	case <-j.done:
	default:
		return nil, fmt.Errorf("%w: the job has not ended", ErrRequest)
	}
	if _, failures := j.run.desk.counts(); failures == 0 {
		return nil, fmt.Errorf("%w: nothing failed", ErrRequest)
	}
	return j.engine.start(ctx, j.req, j)
}

// failed returns the failed items of an ended job.
func (r *run) failed() []parked {
	r.desk.mu.Lock()
	defer r.desk.mu.Unlock()
	out := make([]parked, 0, len(r.desk.failures.items))
	for _, id := range r.desk.failures.page(0, len(r.desk.failures.items)) {
		out = append(out, r.desk.failures.items[id])
	}
	return out
}

// carryOut runs the job and notes how it ended.
func (j *Job) carryOut() {
	j.mu.Lock()
	j.begun = true
	j.mu.Unlock()
	j.run.do()
	j.mu.Lock()
	now := time.Now()
	j.run.meter.Hold(now)
	m := j.run.meter.Read(now, false)
	res := Result{Files: m.Files - m.Links, Dirs: m.Dirs, Links: m.Links, Bytes: m.Whole, Skipped: m.Skipped, Elapsed: m.Elapsed}
	res.State, res.Err = j.run.verdict(m.Files+m.Dirs > 0)
	j.result = &res
	j.mu.Unlock()
	close(j.done)
	j.rings()
}

// verdict says how the run ended.
func (r *run) verdict(touched bool) (State, error) {
	if cause := context.Cause(r.ctx); cause != nil && !errors.Is(cause, errRunOver) {
		if isCancel(cause) {
			return StateCancelled, ErrCancelled
		}
		return StateFailed, cause
	}
	if r.refused != nil {
		return StateFailed, r.refused
	}
	questions, failures := r.desk.counts()
	if questions > 0 {
		return StateWaiting, nil
	}
	if failures > 0 && !touched {
		if err := r.refusal(); err != nil {
			return StateFailed, err
		}
	}
	return StateDone, nil
}

// isCancel reports whether a run ended because somebody wanted it to.
func isCancel(cause error) bool {
	return errors.Is(cause, ErrCancelled) || errors.Is(cause, context.Canceled)
}

// refusal is the error of a job of which nothing could be begun, because every source was out of the question.
func (r *run) refusal() error {
	var all RefusedError
	for _, p := range r.failed() {
		e := p.failure()
		if !p.dir.root || e.Stage != StageScan && !errors.Is(e, ErrSameFile) {
			return nil
		}
		all.Items = append(all.Items, e)
	}
	return &all
}
