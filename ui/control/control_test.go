package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"drover/engine"
	"drover/ui/present"
)

// fakeJob does what a test tells it to.
type fakeJob struct {
	id   string
	req  engine.Request
	ring chan struct{}
	done chan struct{}

	mu        sync.Mutex
	snap      engine.Snapshot
	questions []engine.Question
	failures  []engine.Failure
	decided   []engine.Decision
	calls     []string
	result    engine.Result
	refuse    error
}

func (j *fakeJob) ID() string              { return j.id }
func (j *fakeJob) Request() engine.Request { return j.req }
func (j *fakeJob) Snapshot() engine.Snapshot {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.snap
}
func (j *fakeJob) Ring() <-chan struct{} { return j.ring }
func (j *fakeJob) call(s string) {
	j.mu.Lock()
	j.calls = append(j.calls, s)
	j.mu.Unlock()
}
func (j *fakeJob) Pause()  { j.call("pause") }
func (j *fakeJob) Resume() { j.call("resume") }
func (j *fakeJob) Cancel() { j.call("cancel") }
func (j *fakeJob) Leave()  { j.call("leave") }
func (j *fakeJob) Questions(from, n int) []engine.Question {
	return j.questions[min(from, len(j.questions)):min(from+n, len(j.questions))]
}

func (j *fakeJob) Failures(from, n int) []engine.Failure {
	return j.failures[min(from, len(j.failures)):min(from+n, len(j.failures))]
}
func (j *fakeJob) Warnings() []engine.Warning { return nil }
func (j *fakeJob) Decide(d engine.Decision) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.decided = append(j.decided, d)
	return j.refuse
}
func (j *fakeJob) Done() <-chan struct{} { return j.done }
func (j *fakeJob) Wait(ctx context.Context) (engine.Result, error) {
	select {
	case <-j.done:
		return j.result, nil
	case <-ctx.Done():
		return engine.Result{}, ctx.Err()
	}
}

func (j *fakeJob) set(f func()) {
	j.mu.Lock()
	f()
	j.mu.Unlock()
	select {
	case j.ring <- struct{}{}:
	default:
	}
}

func (j *fakeJob) end(r engine.Result) {
	j.mu.Lock()
	j.result = r
	j.snap.State = r.State
	j.mu.Unlock()
	close(j.done)
}

type fakeEngine struct {
	mu     sync.Mutex
	jobs   []*fakeJob
	refuse error
	forgot int
}

func (e *fakeEngine) Start(_ context.Context, r engine.Request) (Job, error) {
	if e.refuse != nil {
		return nil, e.refuse
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	j := &fakeJob{id: fmt.Sprint(len(e.jobs)), req: r, ring: make(chan struct{}, 1), done: make(chan struct{}), snap: engine.Snapshot{State: engine.StateRunning}}
	e.jobs = append(e.jobs, j)
	return j, nil
}

func (e *fakeEngine) Retry(ctx context.Context, j Job) (Job, error) { return e.Start(ctx, j.Request()) }

func (e *fakeEngine) Forget(Job)                  { e.mu.Lock(); e.forgot++; e.mu.Unlock() }
func (e *fakeEngine) Close(context.Context) error { return nil }

// bench is a Control with everything that it talks to.
type bench struct {
	*Control
	engine *fakeEngine
	rings  chan struct{}
	puts   chan func()
	said   []string

	mu  sync.Mutex
	now time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	present.SetLanguage("en")
	b := &bench{engine: &fakeEngine{}, rings: make(chan struct{}, 100), puts: make(chan func(), 100), now: time.Unix(1000, 0)}
	b.Control = New(b.engine, func(_ any, f func()) { b.puts <- f }, func() {
		select {
		case b.rings <- struct{}{}:
		default:
		}
	}, func(s string) { b.said = append(b.said, s) }, func() time.Time {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.now
	})
	return b
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	b.now = b.now.Add(d)
	b.mu.Unlock()
}

// run runs the next function that was put.
func (b *bench) run(t *testing.T) {
	t.Helper()
	select {
	case f := <-b.puts:
		f()
	case <-time.After(5 * time.Second):
		t.Fatal("nothing was put")
	}
}

// until looks after each ring until ok.
func (b *bench) until(t *testing.T, ok func(rows []present.Transfer) bool) []present.Transfer {
	t.Helper()
	limit := time.After(5 * time.Second)
	for {
		rows, _, _ := b.Look()
		if ok(rows) {
			return rows
		}
		select {
		case <-b.rings:
		case <-limit:
			t.Fatalf("still %+v", rows)
		}
	}
}

func TestQuickJobsFlashNoBar(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/s/a"}, "/d")
	rows, _, busy := b.Look()
	if len(rows) != 0 || !busy {
		t.Errorf("a young job: %d rows, busy %v", len(rows), busy)
	}
	b.engine.jobs[0].end(engine.Result{State: engine.StateDone, Files: 1})
	rows = b.until(t, func(r []present.Transfer) bool { return len(r) == 1 })
	if !rows[0].Ended || rows[0].Mark != present.MarkDone {
		t.Errorf("it appears as %+v", rows[0])
	}
	b.Drop([]string{"/s/b"}, "/d")
	b.pass(quick)
	rows, _, _ = b.Look()
	if len(rows) != 2 || rows[0].Ended {
		t.Errorf("a job that takes longer: %+v", rows)
	}
}

func TestDropsDuplicateWhatIsThere(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/d/a"}, "/d")
	if r := b.engine.jobs[0].req; !r.Duplicate || r.Dest != "/d" || !slices.Equal(r.Sources, []string{"/d/a"}) {
		t.Errorf("%+v", r)
	}
	b.Drop(nil, "/d")
	b.Drop([]string{"/x"}, "")
	if len(b.engine.jobs) != 1 {
		t.Error("nothing was copied, or to nowhere")
	}
}

// TestOneDropIsOneJob: some desktops deliver one gesture by two ways.
func TestOneDropIsOneJob(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/s/a b"}, "/d")
	b.Drop([]string{"/s/a b"}, "/d")
	if len(b.engine.jobs) != 1 {
		t.Fatalf("%d jobs", len(b.engine.jobs))
	}
	b.Drop([]string{"/s/a b"}, "/other")
	b.pass(twice)
	b.Drop([]string{"/s/a b"}, "/other")
	if len(b.engine.jobs) != 3 {
		t.Errorf("%d jobs, want another for another folder and another later", len(b.engine.jobs))
	}
}

func TestRefusedStartIsSaid(t *testing.T) {
	b := newBench(t)
	b.engine.refuse = engine.ErrClosed
	b.Drop([]string{"/s"}, "/d")
	b.run(t)
	if len(b.said) != 1 || b.said[0] != present.Explain(engine.ErrClosed) {
		t.Errorf("said %q", b.said)
	}
}

func TestPausedJobsAreNotLookedAt(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/s"}, "/d")
	b.pass(time.Second)
	j := b.engine.jobs[0]
	for state, want := range map[engine.State]bool{
		engine.StateQueued: true, engine.StateRunning: true,
		engine.StatePaused: false, engine.StateStalled: false, engine.StateWaiting: false,
	} {
		j.set(func() { j.snap.State = state })
		if _, _, busy := b.Look(); busy != want {
			t.Errorf("%v: busy %v", state, busy)
		}
	}
	_, changed, _ := b.Look()
	if changed {
		t.Error("nothing changed, and yet there is something to paint")
	}
}

func TestCancelOfAWaitingJobLeavesIt(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/s"}, "/d")
	j := b.engine.jobs[0]
	asked := func(n int) {
		b.until(t, func([]present.Transfer) bool { j.mu.Lock(); defer j.mu.Unlock(); return len(j.calls) >= n })
	}
	b.Pause(j.id)
	b.Resume(j.id)
	b.Cancel(j.id)
	asked(3)
	j.set(func() { j.snap.State = engine.StateWaiting })
	b.Cancel(j.id)
	asked(4)
	if want := []string{"pause", "resume", "cancel", "leave"}; !slices.Equal(j.calls, want) {
		t.Errorf("calls %q, want %q", j.calls, want)
	}
	if open, waiting := b.Open(); open != 1 || waiting != 1 {
		t.Errorf("%d open, %d waiting", open, waiting)
	}
}

func mixed() []engine.Question {
	qs := make([]engine.Question, 700)
	for i := range qs {
		qs[i] = engine.Question{ID: engine.QuestionID(i + 1), Why: engine.WhyExists, Actions: []engine.Action{engine.ActionSkip}}
	}
	qs[3].Why = engine.WhyFolderInWay
	return qs
}

func TestAskAndDecide(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/s"}, "/d")
	j := b.engine.jobs[0]
	j.questions = mixed()
	j.set(func() { j.snap.Questions = 700 })
	var got Asked
	var ok bool
	b.Ask(j.id, map[engine.QuestionID]bool{1: true}, func(a Asked, o bool) { got, ok = a, o })
	b.run(t)
	if !ok || got.View.ID != 2 || got.All != 700 || got.Like != 699 || !got.Going {
		t.Errorf("asked %+v %v", got, ok)
	}
	problem := "unset"
	decide := func(a Answer) engine.Decision {
		t.Helper()
		b.Decide(j.id, a, func(p string) { problem = p })
		b.run(t)
		return j.decided[len(j.decided)-1]
	}
	if d := decide(Answer{ID: 2, Action: engine.ActionRename, Name: "x"}); !slices.Equal(d.IDs, []engine.QuestionID{2}) || d.Name != "x" || d.All || d.Rest {
		t.Errorf("one: %+v", d)
	}
	if problem != "" {
		t.Errorf("problem %q", problem)
	}
	d := decide(Answer{ID: 2, Why: engine.WhyExists, Action: engine.ActionSkip, Like: true})
	if d.All || len(d.IDs) != 699 || slices.Contains(d.IDs, 4) {
		t.Errorf("all alike: %d, all %v", len(d.IDs), d.All)
	}
	if d := decide(Answer{ID: 2, Action: engine.ActionSkip, Like: true, Coming: true}); !d.Rest {
		t.Errorf("and those to come: %+v", d)
	}
	j.questions = j.questions[4:]
	if d := decide(Answer{ID: 9, Why: engine.WhyExists, Action: engine.ActionReplace, Like: true}); !d.All || d.IDs != nil {
		t.Errorf("all are alike: %+v", d)
	}
	j.refuse = engine.ErrBadName
	decide(Answer{ID: 9, Action: engine.ActionRename, Name: "a/b"})
	if problem != present.Explain(engine.ErrBadName) {
		t.Errorf("problem %q", problem)
	}
	j.questions = nil
	b.Ask(j.id, nil, func(_ Asked, o bool) { ok = o })
	b.run(t)
	if ok {
		t.Error("a question after the last")
	}
}

func TestRetry(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/s"}, "/d")
	j := b.engine.jobs[0]
	for i := range 600 {
		j.failures = append(j.failures, engine.Failure{ID: engine.QuestionID(i), ItemError: &engine.ItemError{Src: "/s/x", Err: syscall.EACCES}})
	}
	b.Retry(j.id)
	b.until(t, func([]present.Transfer) bool { j.mu.Lock(); defer j.mu.Unlock(); return len(j.decided) == 1 })
	if d := j.decided[0]; len(d.IDs) != 600 || d.Action != engine.ActionRetry {
		t.Errorf("while it runs: %d of action %v", len(d.IDs), d.Action)
	}
	var list []present.FailureView
	b.Failures(j.id, func(l []present.FailureView, all int, ended bool) {
		list = l
		if all != 600 || ended {
			t.Errorf("%d failures, ended %v", all, ended)
		}
	})
	b.run(t)
	if len(list) != 600 || list[0].Name != "x" || list[0].Reason != present.Advise(syscall.EACCES).Title {
		t.Errorf("%d, the first %+v", len(list), list[0])
	}
	j.end(engine.Result{State: engine.StateDone})
	b.until(t, func(r []present.Transfer) bool { return len(r) == 1 && r[0].Ended })
	b.Retry(j.id)
	b.until(t, func([]present.Transfer) bool { open, _ := b.Open(); return open == 1 })
	b.pass(time.Second)
	rows := b.until(t, func(r []present.Transfer) bool { return len(r) == 1 && !r[0].Ended })
	if rows[0].ID != "1" {
		t.Errorf("the row is of job %s", rows[0].ID)
	}
}

// TestRetryKeepsWhatWasDone: the row of a job that copied something stays when what failed in it is tried again, and offers
// that no second time.
func TestRetryKeepsWhatWasDone(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/s"}, "/d")
	j := b.engine.jobs[0]
	j.failures = []engine.Failure{{ID: 1, ItemError: &engine.ItemError{Src: "/s/x", Err: syscall.EACCES}}}
	j.snap.Failures = 1
	j.end(engine.Result{State: engine.StateDone, Files: 13})
	rows := b.until(t, func(r []present.Transfer) bool { return len(r) == 1 && r[0].Ended })
	if !rows[0].CanRetry || rows[0].Attention != "1 failed" {
		t.Errorf("at first %+v", rows[0])
	}
	b.Retry(j.id)
	b.until(t, func([]present.Transfer) bool { open, _ := b.Open(); return open == 1 })
	b.pass(time.Second)
	rows = b.until(t, func(r []present.Transfer) bool { return len(r) == 2 })
	if rows[0].ID != "1" || rows[0].Title != "Retry: s  →  d" {
		t.Errorf("the retry is %+v", rows[0])
	}
	if rows[1].ID != "0" || rows[1].Numbers != "13 files" || rows[1].Attention != "1 tried again" || rows[1].CanRetry || rows[1].CanReview {
		t.Errorf("the first is %+v", rows[1])
	}
	b.Retry(j.id)
	b.Pause(j.id) // answered after the retry, and both one after the other
	b.until(t, func([]present.Transfer) bool { j.mu.Lock(); defer j.mu.Unlock(); return len(j.calls) == 1 })
	if open, _ := b.Open(); open != 1 {
		t.Errorf("%d jobs try it again", open)
	}
}

// TestNoRetryOfWhatItNeverMends: sockets fail every time.
func TestNoRetryOfWhatItNeverMends(t *testing.T) {
	b := newBench(t)
	b.Drop([]string{"/s"}, "/d")
	j := b.engine.jobs[0]
	j.snap.Failures = 2
	j.failures = []engine.Failure{
		{ID: 1, ItemError: &engine.ItemError{Src: "/s/x", Err: engine.ErrSocket}},
		{ID: 2, ItemError: &engine.ItemError{Src: "/s/y", Err: syscall.EACCES}},
	}
	b.Retry(j.id)
	b.until(t, func([]present.Transfer) bool { j.mu.Lock(); defer j.mu.Unlock(); return len(j.decided) == 1 })
	if ids := j.decided[0].IDs; !slices.Equal(ids, []engine.QuestionID{2}) {
		t.Errorf("tried again: %v", ids)
	}
	j.failures, j.snap.Failures = j.failures[:1], 1
	j.end(engine.Result{State: engine.StateDone, Files: 1})
	rows := b.until(t, func(r []present.Transfer) bool { return len(r) == 1 && r[0].Ended })
	if rows[0].CanRetry || !rows[0].CanReview || rows[0].Attention != "1 failed" {
		t.Errorf("it ended as %+v", rows[0])
	}
	b.Retry(j.id)
	b.Pause(j.id)
	b.until(t, func([]present.Transfer) bool { j.mu.Lock(); defer j.mu.Unlock(); return len(j.calls) == 1 })
	if open, _ := b.Open(); open != 0 {
		t.Error("it is tried again all the same")
	}
}

func TestOldRowsGo(t *testing.T) {
	b := newBench(t)
	for i := range keepEnded + 10 {
		b.Drop([]string{fmt.Sprint("/s/", i)}, "/d")
		res := engine.Result{State: engine.StateDone}
		if i == 0 {
			res = engine.Result{State: engine.StateFailed, Err: errors.New("odd")}
		}
		b.engine.jobs[i].end(res)
		b.until(t, func(r []present.Transfer) bool { return len(r) > 0 && r[0].ID == fmt.Sprint(i) })
	}
	rows, _, _ := b.Look()
	if len(rows) != keepEnded+1 {
		t.Errorf("%d rows", len(rows))
	}
	if rows[len(rows)-1].ID != "0" {
		t.Error("the failed one is gone")
	}
	b.Clear("0")
	b.ClearEnded()
	if rows, _, _ := b.Look(); len(rows) != 0 {
		t.Errorf("%d rows after clearing", len(rows))
	}
	if b.engine.forgot != keepEnded+10 {
		t.Errorf("the engine was told to forget %d", b.engine.forgot)
	}
}
