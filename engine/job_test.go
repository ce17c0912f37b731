package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"drover/engine"
	"drover/engine/enginetest"
)

// newEngine returns an engine that is closed at the end of the test.
func newEngine(t testing.TB, workers int) *engine.Engine {
	t.Helper()
	e := engine.New(engine.Options{Workers: workers})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), enginetest.Patience)
		defer cancel()
		if err := e.Close(ctx); err != nil {
			t.Errorf("the engine does not close: %v", err)
		}
	})
	return e
}

func start(t testing.TB, e *engine.Engine, r engine.Request) *engine.Job {
	t.Helper()
	j, err := e.Start(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// wait waits for the end of a job.
func wait(t testing.TB, j *engine.Job) engine.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), enginetest.Patience)
	defer cancel()
	r, err := j.Wait(ctx)
	if err != nil {
		t.Fatalf("the job does not end: %v, %+v", err, j.Snapshot())
	}
	return r
}

// until waits for something to be true of a snapshot.
func until(t testing.TB, j *engine.Job, what string, ok func(engine.Snapshot) bool) {
	t.Helper()
	enginetest.Await(t, what, func() bool { return ok(j.Snapshot()) })
}

func parked(n int) func(engine.Snapshot) bool {
	return func(s engine.Snapshot) bool { return s.Questions == n && s.State == engine.StateWaiting }
}

// clashes is a tree of n files at src of which every one exists at dst.
func clashes(t testing.TB, n int) (r engine.Request) {
	t.Helper()
	dir := enginetest.WorkDir(t)
	var old, fresh []enginetest.Entry
	for i := range n {
		name := fmt.Sprintf("d/f%04d", i)
		old, fresh = append(old, enginetest.File(name, "old")), append(fresh, enginetest.File(name, "new"))
	}
	enginetest.Build(t, dir+"/src", fresh...)
	enginetest.Build(t, dir+"/dst", old...)
	return engine.Request{Sources: []string{dir + "/src/d"}, Dest: dir + "/dst"}
}

func TestEngineKeepsJobsUntilForgotten(t *testing.T) {
	e := newEngine(t, 2)
	a, b := start(t, e, clashes(t, 1)), start(t, e, clashes(t, 1))
	if a.ID() == b.ID() || a.ID() == "" {
		t.Errorf("ids %q and %q", a.ID(), b.ID())
	}
	if got := e.Jobs(); !slices.Equal(got, []*engine.Job{a, b}) {
		t.Errorf("jobs %v", got)
	}
	until(t, a, "the question", parked(1))
	e.Forget(a) // has not ended
	if got := e.Jobs(); len(got) != 2 {
		t.Errorf("forgot a running job: %v", got)
	}
	a.Cancel()
	wait(t, a)
	e.Forget(a)
	e.Forget(a)
	if got := e.Jobs(); !slices.Equal(got, []*engine.Job{b}) {
		t.Errorf("jobs %v", got)
	}
}

func TestClosedEngineEndsJobsAndTakesNone(t *testing.T) {
	e := engine.New(engine.Options{})
	r := clashes(t, 3)
	j := start(t, e, r)
	until(t, j, "the questions", parked(3))
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := wait(t, j); got.State != engine.StateCancelled || !errors.Is(got.Err, engine.ErrCancelled) {
		t.Errorf("%+v", got)
	}
	if _, err := e.Start(context.Background(), r); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("start: %v", err)
	}
	if _, err := j.Retry(context.Background()); err == nil {
		t.Error("retried in a closed engine")
	}
}

func TestContextCancelsJob(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	j, err := newEngine(t, 2).Start(ctx, clashes(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	until(t, j, "the question", parked(1))
	cancel()
	if got := wait(t, j); got.State != engine.StateCancelled {
		t.Errorf("%+v", got)
	}
}

func TestWaitGivesUpWithItsContext(t *testing.T) {
	j := start(t, newEngine(t, 2), clashes(t, 1))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := j.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestRequestIsMadeAbsolute(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.File("real/s/f", "f"), enginetest.Dir("real/d"), enginetest.Symlink("cwd", "real"))
	t.Chdir(dir + "/cwd") // by way of a link, which must make no difference (C8)
	j := start(t, newEngine(t, 2), engine.Request{Sources: []string{"s", "./s/f"}, Dest: "d"})
	if got := wait(t, j); got.State != engine.StateDone || got.Files != 2 {
		t.Errorf("%+v", got)
	}
	enginetest.Same(t, dir+"/real/s", dir+"/real/d/s", enginetest.All)
	for _, s := range append(j.Request().Sources, j.Request().Dest) {
		if !strings.HasPrefix(s, "/") {
			t.Errorf("%q is relative", s)
		}
	}
}

func TestQuestionsHaveBothSides(t *testing.T) {
	dir := enginetest.WorkDir(t)
	at := time.Unix(1234567890, 123456789)
	enginetest.Build(t, dir+"/src", enginetest.File("f", "four").Mtime(at), enginetest.Symlink("l", "target"), enginetest.File("d/x", ""))
	enginetest.Build(t, dir+"/dst", enginetest.File("f", "old").Mode(0o600), enginetest.File("l", "x"), enginetest.Symlink("d", "elsewhere"))
	j := start(t, newEngine(t, 2), engine.Request{Sources: []string{dir + "/src/f", dir + "/src/l", dir + "/src/d"}, Dest: dir + "/dst"})
	until(t, j, "the questions", parked(3))
	byName := map[string]engine.Question{}
	for _, q := range j.Questions(0, 10) {
		byName[q.Dst.Path] = q
		if again, ok := j.Question(q.ID); !ok || again.Dst.Path != q.Dst.Path {
			t.Errorf("question %d is %v", q.ID, again)
		}
	}
	f := byName[dir+"/dst/f"]
	if f.Src.Size != 4 || f.Dst.Size != 3 || !f.Src.Modified.Equal(at) || f.Dst.Mode != 0o600 || f.Src.Path != dir+"/src/f" {
		t.Errorf("%+v", f)
	}
	if l := byName[dir+"/dst/l"]; l.Src.Target != "target" || l.Src.Mode&os.ModeSymlink == 0 || !l.Dst.Mode.IsRegular() {
		t.Errorf("%+v", l)
	}
	if d := byName[dir+"/dst/d"]; d.Why != engine.WhyLinkInWay || !d.Src.Mode.IsDir() || d.Dst.Target != "elsewhere" {
		t.Errorf("%+v", d)
	}
	// What is there is looked at when somebody asks, not when the question arose.
	enginetest.Build(t, dir+"/dst", enginetest.File("f", "longer than before"))
	if q, _ := j.Question(f.ID); q.Dst.Size != 18 {
		t.Errorf("%+v", q)
	}
	if err := os.Remove(dir + "/dst/f"); err != nil {
		t.Fatal(err)
	}
	if q, ok := j.Question(f.ID); !ok || q.Dst.Exists {
		t.Errorf("%+v", q)
	}
	if _, ok := j.Question(9999); ok {
		t.Error("a question that nobody asked")
	}
}

// Every answer that is offered is taken, and no other is.
func TestActionsThatFit(t *testing.T) {
	all := []engine.Action{
		engine.ActionSkip, engine.ActionReplace, engine.ActionNewer, engine.ActionKeepBoth, engine.ActionRenameOld, engine.ActionRename,
	}
	tests := []struct {
		why      engine.Why
		src, dst enginetest.Entry
		fit      []engine.Action
	}{
		{engine.WhyExists, enginetest.File("x", "n"), enginetest.File("x", "o"), all},
		{engine.WhyExists, enginetest.Symlink("x", "n"), enginetest.FIFO("x"), all},
		{
			engine.WhyFolderInWay, enginetest.File("x", "n"), enginetest.File("x/y", "o"),
			[]engine.Action{engine.ActionSkip, engine.ActionKeepBoth, engine.ActionRenameOld, engine.ActionRename},
		},
		{
			engine.WhyFileInWay, enginetest.File("x/y", "n"), enginetest.File("x", "o"),
			[]engine.Action{engine.ActionSkip, engine.ActionKeepBoth, engine.ActionRenameOld, engine.ActionRename},
		},
		{
			engine.WhyLinkInWay, enginetest.File("x/y", "n"), enginetest.Symlink("x", "o"),
			[]engine.Action{engine.ActionSkip, engine.ActionKeepBoth, engine.ActionRenameOld, engine.ActionRename},
		},
	}
	for _, tt := range tests {
		for _, act := range all {
			t.Run(fmt.Sprint(tt.why, act), func(t *testing.T) {
				dir := enginetest.WorkDir(t)
				enginetest.Build(t, dir+"/src", tt.src)
				enginetest.Build(t, dir+"/dst", tt.dst)
				j := start(t, newEngine(t, 1), engine.Request{Sources: []string{dir + "/src/x"}, Dest: dir + "/dst"})
				until(t, j, "the question", parked(1))
				q := j.Questions(0, 1)[0]
				if q.Why != tt.why {
					t.Fatalf("asked because of %v", q.Why)
				}
				fits := slices.Contains(tt.fit, act)
				if slices.Contains(q.Actions, act) != fits {
					t.Errorf("offered are %v", q.Actions)
				}
				err := j.Decide(engine.Decision{IDs: []engine.QuestionID{q.ID}, Action: act, Name: "other"})
				if fits != (err == nil) || !fits && !errors.Is(err, engine.ErrNotAnswerable) {
					t.Errorf("answered: %v", err)
				}
				if fits {
					if r := wait(t, j); r.State != engine.StateDone {
						t.Errorf("%+v", r)
					}
				} else if s := j.Snapshot(); s.Questions != 1 {
					t.Errorf("the question is gone: %+v", s)
				}
			})
		}
	}
}

func TestDecideRefusesWhatItDoesNotKnow(t *testing.T) {
	j := start(t, newEngine(t, 2), clashes(t, 3))
	until(t, j, "the questions", parked(3))
	ids := []engine.QuestionID{}
	for _, q := range j.Questions(0, 3) {
		ids = append(ids, q.ID)
	}
	for _, d := range []engine.Decision{
		{IDs: append(slices.Clone(ids), 9999), Action: engine.ActionSkip}, // nothing is done if one is wrong
		{IDs: ids, Action: engine.Action(77)},
		{IDs: ids, Action: engine.ActionRename, Name: "one name for three"},
		{Rest: true, Action: engine.ActionRetry},
	} {
		if err := j.Decide(d); err == nil {
			t.Errorf("took %+v", d)
		}
	}
	if s := j.Snapshot(); s.Questions != 3 || s.Skipped != 0 {
		t.Errorf("%+v", s)
	}
	twice := append(slices.Clone(ids), ids...)
	if err := j.Decide(engine.Decision{IDs: twice, Action: engine.ActionSkip}); err != nil {
		t.Errorf("the same question named twice: %v", err)
	}
	if r := wait(t, j); r.State != engine.StateDone || r.Skipped != 3 {
		t.Errorf("%+v", r)
	}
}

func TestPagesOfQuestionsAndFailures(t *testing.T) {
	r := clashes(t, 250)
	enginetest.Build(t, r.Sources[0], enginetest.Socket("s1"), enginetest.Socket("s2"), enginetest.Socket("s3"))
	j := start(t, newEngine(t, 2), r)
	until(t, j, "the questions", parked(250))
	seen := map[engine.QuestionID]bool{}
	for from := 0; ; from += 100 {
		page := j.Questions(from, 100)
		for _, q := range page {
			seen[q.ID] = true
		}
		if len(page) < 100 {
			break
		}
	}
	if len(seen) != 250 {
		t.Errorf("%d questions in pages", len(seen))
	}
	if f := j.Failures(1, 10); len(f) != 2 || !errors.Is(f[0], engine.ErrSocket) {
		t.Errorf("failures from 1: %v", f)
	}
	if got := j.Questions(250, 10); len(got) != 0 {
		t.Errorf("beyond the end: %v", got)
	}
	// Half of them answered, the others are still there and in order.
	var half []engine.QuestionID
	for i, q := range j.Questions(0, 250) {
		if i%2 == 0 {
			half = append(half, q.ID)
		}
	}
	if err := j.Decide(engine.Decision{IDs: half, Action: engine.ActionSkip}); err != nil {
		t.Fatal(err)
	}
	left := j.Questions(0, 250)
	if len(left) != 125 || !slices.IsSortedFunc(left, func(a, b engine.Question) int { return int(a.ID) - int(b.ID) }) {
		t.Errorf("%d left, or not in order", len(left))
	}
}

// The same questions without a look at the disk, also while the job goes on.
func TestConflicts(t *testing.T) {
	j := start(t, newEngine(t, 2), clashes(t, 300))
	until(t, j, "the questions", parked(300))
	qs := j.Questions(0, 300)
	n := 0
	for c := range j.Conflicts() {
		if q := qs[n]; c.ID != q.ID || c.Why != q.Why || c.Src != q.Src.Path || c.Dst != q.Dst.Path {
			t.Errorf("%+v, want %+v", c, q)
		}
		n++
		if n%2 == 0 {
			continue
		}
		if err := j.Decide(engine.Decision{IDs: []engine.QuestionID{c.ID}, Action: engine.ActionSkip}); err != nil {
			t.Fatal(err)
		}
	}
	if n != 300 {
		t.Errorf("%d conflicts", n)
	}
	for range j.Conflicts() {
		n--
		break
	}
	if s := j.Snapshot(); n != 299 || s.Questions != 150 {
		t.Errorf("%d, %+v", n, s)
	}
}

// A rule for the rest holds for everything that comes up after it, however close.
func TestRestLeavesNoQuestion(t *testing.T) {
	for range 8 {
		j := start(t, newEngine(t, 4), clashes(t, 600))
		until(t, j, "the first question", func(s engine.Snapshot) bool { return s.Questions > 0 })
		if err := j.Decide(engine.Decision{Rest: true, Action: engine.ActionSkip}); err != nil {
			t.Fatal(err)
		}
		if r := wait(t, j); r.State != engine.StateDone || r.Skipped != 600 {
			t.Fatalf("%+v", r)
		}
	}
}

// Answers that come while the job is about to end are either taken and carried out, or refused.
func TestDecideAtTheEnd(t *testing.T) {
	for range 50 {
		j := start(t, newEngine(t, 2), clashes(t, 1))
		until(t, j, "the question", func(s engine.Snapshot) bool { return s.Questions > 0 })
		id := j.Questions(0, 1)[0].ID
		go j.Leave()
		err := j.Decide(engine.Decision{IDs: []engine.QuestionID{id}, Action: engine.ActionReplace})
		r := wait(t, j)
		switch {
		case err == nil && (r.State != engine.StateDone || r.Files != 1):
			t.Errorf("taken, and then %+v", r)
		case err != nil && (r.State != engine.StateWaiting || !errors.Is(err, engine.ErrNoQuestion)):
			t.Errorf("refused (%v), and then %+v", err, r)
		}
	}
}

func TestRetryNeedsAnEndAndFailures(t *testing.T) {
	r := clashes(t, 1)
	e := newEngine(t, 2)
	j := start(t, e, r)
	until(t, j, "the question", parked(1))
	if _, err := j.Retry(context.Background()); !errors.Is(err, engine.ErrRequest) {
		t.Errorf("while it runs: %v", err)
	}
	j.Leave()
	wait(t, j)
	if _, err := j.Retry(context.Background()); !errors.Is(err, engine.ErrRequest) {
		t.Errorf("without failures: %v", err)
	}
}

func TestStopAtTheFirstError(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir+"/src", enginetest.Socket("s"))
	enginetest.Many(t, dir+"/src", 2000, 1)
	j := start(t, newEngine(t, 1), engine.Request{
		Sources: []string{dir + "/src/s", dir + "/src/000"}, Dest: dir, OnError: engine.OnErrorStop,
	})
	r := wait(t, j)
	var item *engine.ItemError
	if r.State != engine.StateFailed || !errors.As(r.Err, &item) || item.Src != dir+"/src/s" || !errors.Is(item, engine.ErrSocket) {
		t.Errorf("%+v", r)
	}
}

// Ring is what a view waits for: it must come with every new state and question, and not be owed for ever.
func TestRingTellsOfQuestionsAndTheEnd(t *testing.T) {
	j := start(t, newEngine(t, 2), clashes(t, 1))
	deadline := time.After(enginetest.Patience)
	for j.Snapshot().Questions == 0 || j.Snapshot().State != engine.StateWaiting {
		select {
		case <-j.Ring():
		case <-deadline:
			t.Fatal("no ring for a question")
		}
	}
	if err := j.Decide(engine.Decision{All: true, Action: engine.ActionSkip}); err != nil {
		t.Fatal(err)
	}
	for j.Snapshot().State != engine.StateDone {
		select {
		case <-j.Ring():
		case <-deadline:
			t.Fatal("no ring at the end")
		}
	}
}

// A question stops nothing but its own item (Must show 5).
func TestEverythingElseArrivesWhileQuestionsAreOpen(t *testing.T) {
	dir := enginetest.WorkDir(t)
	names := enginetest.Many(t, dir+"/src", 5000, 100)
	for i := 0; i < 5000; i += 50 {
		enginetest.Build(t, dir+"/dst/src", enginetest.File(names[i], "old"))
	}
	j := start(t, newEngine(t, 2), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst"})
	until(t, j, "all else to arrive", func(s engine.Snapshot) bool {
		return s.State == engine.StateWaiting && s.Questions == 100 && s.Files == 4900
	})
	if s := j.Snapshot(); s.TotalFiles != 5000 || s.Bytes != 490_000 || s.TotalBytes != 500_000 || s.Left >= 0 || !s.TotalKnown {
		t.Errorf("%+v", s)
	}
	j.Leave()
	if r := wait(t, j); r.State != engine.StateWaiting || r.Files != 4900 || r.Err != nil {
		t.Errorf("%+v", r)
	}
	for i := 0; i < 5000; i += 50 {
		if data, err := os.ReadFile(dir + "/dst/src/" + names[i]); string(data) != "old" {
			t.Fatalf("%s: %q, %v", names[i], data, err)
		}
	}
}

// A large job knows its totals long before it has been through everything: somebody walks ahead.
func TestTotalsAreKnownAhead(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.File("back/held", "held!"), enginetest.File("src/held", "held!"), enginetest.File("single", "1234567"), enginetest.Dir("dst"),
		enginetest.File("src/left.out/f", "x"), enginetest.File("content/a", "123"), enginetest.File("content/b/c", "1234"))
	const folders = 2200
	for i := range folders {
		enginetest.Build(t, dir, enginetest.File(fmt.Sprintf("src/d%d/%d/f", i%10, i), "0123456789"), enginetest.Symlink(fmt.Sprintf("src/d%d/%d/l", i%10, i), "f"))
	}
	valve := enginetest.NewValve()
	enginetest.Fuse(t, dir+"/back", dir+"/view", enginetest.HangRead(valve, "held", 0))
	j := start(t, newEngine(t, 1), engine.Request{
		Sources: []string{dir + "/view/held", dir + "/src", dir + "/single", dir + "/missing", dir + "/content/."},
		Dest:    dir + "/dst", Exclude: []string{"*.out"}, Rule: engine.RuleKeepBoth,
	})
	valve.Await(t)
	until(t, j, "the totals", func(s engine.Snapshot) bool { return s.TotalKnown })
	s := j.Snapshot()
	if want := int64(2*folders + 2 + 1 + 2); s.TotalFiles != want || s.TotalBytes != 10*folders+2*5+7+3+4 || s.Files > 0 || s.Fraction > 0.01 {
		t.Errorf("ahead: %+v, want %d files", s, want)
	}
	if s.Dirs > folders { // the scan waits: it is no further than the queue is long
		t.Errorf("%d folders were made", s.Dirs)
	}
	valve.Open()
	if r := wait(t, j); r.State != engine.StateDone {
		t.Errorf("%+v", r)
	}
	if last := j.Snapshot(); last.TotalFiles != s.TotalFiles || last.TotalBytes != s.TotalBytes || last.Fraction != 1 {
		t.Errorf("in the end %+v", last)
	}
}
