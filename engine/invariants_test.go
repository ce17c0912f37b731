package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// watchdog asks for snapshots as fast as it can, from two goroutines, and checks what must hold between any two.
type watchdog struct {
	stop chan struct{}
	wg   sync.WaitGroup
	n    int
}

func watchProgress(t *testing.T, j *engine.Job) *watchdog {
	w := &watchdog{stop: make(chan struct{})}
	for i := range 2 {
		w.wg.Go(func() {
			var last engine.Snapshot
			for k := 0; ; k++ {
				s := j.Snapshot()
				if what := broken(last, s); what != "" {
					t.Errorf("%s:\n\t%+v\n\t%+v", what, last, s)
					return
				}
				last = s
				select {
				case <-w.stop:
					if i == 0 {
						w.n = k
					}
					return
				default:
				}
			}
		})
	}
	return w
}

// end ends the watch and says how often was looked.
func (w *watchdog) end() int {
	close(w.stop)
	w.wg.Wait()
	return w.n
}

// broken says which promise of Snapshot two successive ones break.
func broken(a, b engine.Snapshot) string {
	switch {
	case b.Files > b.TotalFiles:
		return "more files than in all"
	case b.Bytes > b.TotalBytes:
		return "more bytes than in all"
	case b.Fraction < 0 || b.Fraction > 1:
		return "a fraction that is none"
	case b.Files < a.Files, b.Bytes < a.Bytes, b.Fraction < a.Fraction, b.Dirs < a.Dirs, b.Skipped < a.Skipped:
		return "something went back"
	case a.TotalKnown && !b.TotalKnown:
		return "the total was known and is not"
	case b.Rate < 0 || b.FileRate < 0:
		return "a negative rate"
	case b.Elapsed < a.Elapsed:
		return "time went back"
	case !b.TotalKnown && b.Fraction > 0 && !b.State.Ended():
		return "a fraction of an unknown total"
	case a.State.Ended() && b.State != a.State:
		return "an end that was none"
	}
	return ""
}

// Random jobs with everything that moves totals: skips, failures, retries, answers, pauses, files that change, links, holes.
func TestSnapshotInvariants(t *testing.T) {
	jobs := 25
	if testing.Short() {
		jobs = 5
	}
	for _, what := range []string{"copy", "move"} {
		looks := 0
		for seed := range uint64(jobs) {
			t.Run(fmt.Sprintf("%s %d", what, seed), func(t *testing.T) {
				looks += randomJob(t, rand.New(rand.NewPCG(seed, 1)), what == "move")
			})
		}
		t.Logf("%d snapshots", looks)
	}
}

func randomJob(t *testing.T, r *rand.Rand, move bool) int {
	dir := enginetest.WorkDir(t)
	if move && os.Geteuid() == 0 && r.IntN(2) == 0 {
		enginetest.Tmpfs(t, dir+"/dst", enginetest.Sized(200<<20))
	}
	var src, dst []enginetest.Entry
	pick := func(names ...string) string { return names[r.IntN(len(names))] }
	for i := range 20 + r.IntN(200) {
		name := fmt.Sprintf("d%d/%s%d", r.IntN(5), pick("", "e/", "e/f/"), i)
		size := r.IntN(20_000)
		if r.IntN(40) == 0 {
			size = r.IntN(3 << 20)
		}
		switch r.IntN(12) {
		case 0:
			src = append(src, enginetest.Symlink(name, "x"))
		case 1:
			src = append(src, enginetest.Socket(name)) // fails
		case 2:
			src = append(src, enginetest.Sparse(name, int64(size)*10, int64(size)))
		case 3:
			src = append(src, enginetest.Random(name, size), enginetest.Hardlink(name+"h", name), enginetest.Hardlink(name+"i", name))
		case 4:
			src = append(src, enginetest.Random(name, size).Mode(0)) // fails, but for root
		default:
			src = append(src, enginetest.Random(name, size))
		}
		switch r.IntN(6) {
		case 0:
			dst = append(dst, enginetest.File(name, "old"))
		case 1:
			dst = append(dst, enginetest.Dir(name))
		}
	}
	enginetest.Build(t, dir+"/src", src...)
	enginetest.Build(t, dir+"/dst/src", dst...)
	req := engine.Request{
		Move: move, Sources: []string{dir + "/src", dir + "/missing"}, Dest: dir + "/dst",
		Rule: []engine.Rule{engine.RuleAsk, engine.RuleAsk, engine.RuleReplace, engine.RuleKeepBoth}[r.IntN(4)], DryRun: r.IntN(8) == 0,
	}
	j := start(t, newEngine(t, 1+r.IntN(4)), req)
	w := watchProgress(t, j)
	act(t, r, j, dir)
	res := wait(t, j)
	n := w.end()
	s := j.Snapshot()
	if res.State == engine.StateDone && (s.Fraction != 1 || s.Files != s.TotalFiles || s.Bytes != s.TotalBytes) {
		t.Errorf("done, and %+v", s)
	}
	if res.Files+res.Links != s.Files || res.Bytes > s.Bytes || res.Skipped != s.Skipped {
		t.Errorf("%+v and %+v", res, s)
	}
	return n
}

// act does what people do to a running job.
func act(t *testing.T, r *rand.Rand, j *engine.Job, dir string) {
	actions := []engine.Action{
		engine.ActionSkip, engine.ActionReplace, engine.ActionKeepBoth, engine.ActionRenameOld, engine.ActionNewer, engine.ActionRetry,
	}
	for range 200 {
		switch r.IntN(12) {
		case 0:
			j.Pause()
		case 1, 2:
			j.Resume()
		case 3, 4, 5, 6:
			if qs := j.Questions(0, 5); len(qs) > 0 {
				q := qs[r.IntN(len(qs))]
				_ = j.Decide(engine.Decision{IDs: []engine.QuestionID{q.ID}, Action: actions[r.IntN(len(actions))]})
			}
		case 7:
			for _, f := range j.Failures(0, 3) {
				_ = j.Decide(engine.Decision{IDs: []engine.QuestionID{f.ID}, Action: []engine.Action{engine.ActionRetry, engine.ActionSkip}[r.IntN(2)]})
			}
		case 8: // a file that changes its size
			_ = os.Truncate(fmt.Sprintf("%s/src/d%d/%d", dir, r.IntN(5), r.IntN(100)), int64(r.IntN(50_000)))
		case 9:
			_ = syscall.Unlink(fmt.Sprintf("%s/src/d%d/%d", dir, r.IntN(5), r.IntN(100)))
		}
	}
	j.Resume()
	switch r.IntN(4) {
	case 0:
		j.Cancel()
	case 1:
		_ = j.Decide(engine.Decision{Rest: true, Action: engine.ActionSkip})
	case 2:
		_ = j.Decide(engine.Decision{Rest: true, Action: engine.ActionKeepBoth})
	}
	j.Leave()
}
