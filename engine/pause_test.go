package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"drover/engine"
	"drover/engine/enginetest"
)

// moment is a state of a job in which it can be paused or cancelled.
type moment struct {
	name string
	// begin starts a job and waits until it is in that state.
	begin func(t *testing.T, dir string) *engine.Job
}

var moments = []moment{
	{"many small files", func(t *testing.T, dir string) *engine.Job {
		enginetest.Many(t, dir+"/src", 5000, 2000)
		j := start(t, newEngine(t, 2), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst"})
		until(t, j, "some files", func(s engine.Snapshot) bool { return s.Files > 100 })
		return j
	}},
	{"one big file", func(t *testing.T, dir string) *engine.Job {
		enginetest.Build(t, dir+"/src", enginetest.Random("big", 100<<20))
		j := start(t, newEngine(t, 2), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst", Reflink: engine.ReflinkNever})
		until(t, j, "some bytes", func(s engine.Snapshot) bool { return s.Bytes > 1<<20 })
		return j
	}},
	{"a replacement of a big file", func(t *testing.T, dir string) *engine.Job {
		enginetest.Build(t, dir+"/src", enginetest.Random("big", 100<<20))
		enginetest.Build(t, dir+"/dst/src", enginetest.File("big", "old"))
		j := start(t, newEngine(t, 2), engine.Request{
			Sources: []string{dir + "/src"}, Dest: dir + "/dst", Reflink: engine.ReflinkNever, Rule: engine.RuleReplace,
		})
		until(t, j, "some bytes", func(s engine.Snapshot) bool { return s.Bytes > 1<<20 })
		return j
	}},
	{"many replacements", func(t *testing.T, dir string) *engine.Job {
		for _, name := range enginetest.Many(t, dir+"/src", 3000, 2000) {
			enginetest.Build(t, dir+"/dst/src", enginetest.File(name, "old"))
		}
		j := start(t, newEngine(t, 2), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
		until(t, j, "some files", func(s engine.Snapshot) bool { return s.Files > 100 })
		return j
	}},
	{"the scan", func(t *testing.T, dir string) *engine.Job {
		for i := range 3000 {
			if err := os.MkdirAll(fmt.Sprintf("%s/src/%d/%d", dir, i%50, i), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		j := start(t, newEngine(t, 2), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst"})
		until(t, j, "some folders", func(s engine.Snapshot) bool { return s.Dirs > 100 })
		return j
	}},
	{"an open question", func(t *testing.T, dir string) *engine.Job {
		enginetest.Build(t, dir+"/src", enginetest.File("f", "new"), enginetest.File("g", "new"))
		enginetest.Build(t, dir+"/dst/src", enginetest.File("f", "old"))
		j := start(t, newEngine(t, 2), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst"})
		until(t, j, "the question", func(s engine.Snapshot) bool { return s.Questions > 0 })
		return j
	}},
	{"a stall", func(t *testing.T, dir string) *engine.Job {
		enginetest.Tmpfs(t, dir+"/dst", enginetest.Sized(4<<20))
		enginetest.Build(t, dir+"/src", enginetest.Random("f", 3<<20), enginetest.Random("g", 3<<20), enginetest.Random("h", 100_000))
		j := start(t, newEngine(t, 2), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst"})
		until(t, j, "the stall", func(s engine.Snapshot) bool {
			return s.State == engine.StateStalled && errors.Is(s.Stall, syscall.ENOSPC)
		})
		return j
	}},
}

// noneLeft waits until no goroutine of the engine runs any more.
func noneLeft(t *testing.T) {
	t.Helper()
	enginetest.Await(t, "the goroutines of the job to end", func() bool {
		buf := make([]byte, 1<<20)
		for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "\ndrover/engine.(") {
				return false
			}
		}
		return true
	})
}

// whole checks that every file in the destination is what its source is, or what was there before.
func whole(t *testing.T, dir, old string) (files int) {
	t.Helper()
	err := filepath.WalkDir(dir+"/dst", func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		if strings.HasPrefix(d.Name(), ".drover-") {
			t.Errorf("left behind: %s", p)
			return nil
		}
		got, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(dir + "/src" + strings.TrimPrefix(p, dir+"/dst/src"))
		if err != nil {
			return err
		}
		if string(got) != string(want) && string(got) != old {
			t.Errorf("half-written: %s has %d of %d bytes", p, len(got), len(want))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return files
}

func TestCancelLeavesNothingHalf(t *testing.T) {
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.Build(t, dir, enginetest.Dir("dst"))
			j := m.begin(t, dir)
			at := time.Now()
			j.Cancel()
			r := wait(t, j)
			took := time.Since(at)
			t.Logf("cancelled in %v", took)
			if r.State != engine.StateCancelled && r.State != engine.StateDone || r.State == engine.StateCancelled && !errors.Is(r.Err, engine.ErrCancelled) {
				t.Errorf("%+v", r)
			}
			if took > 5*time.Second {
				t.Errorf("cancelled in %v", took)
			}
			noneLeft(t)
			// No file comes after the job has ended (K2).
			files := whole(t, dir, "old")
			if again := whole(t, dir, "old"); again != files {
				t.Errorf("%d files, and then %d", files, again)
			}
			if s := j.Snapshot(); s.State != r.State {
				t.Errorf("%+v", s)
			}
			j.Pause()
			j.Resume()
			j.Cancel()
			if s := j.Snapshot(); s.State != r.State {
				t.Errorf("after the end: %+v", s)
			}
		})
	}
}

// A paused job does nothing until it is resumed, and then all that is left.
func TestPauseHolds(t *testing.T) {
	for _, m := range moments {
		if m.name == "a stall" {
			continue // waits by itself, see script full_pause
		}
		t.Run(m.name, func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.Build(t, dir, enginetest.Dir("dst"))
			j := m.begin(t, dir)
			at := time.Now()
			j.Pause()
			took := rest(t, j, at)
			s := j.Snapshot()
			t.Logf("paused in %v, at %d of %d files", took, s.Files, s.TotalFiles)
			if took > 5*time.Second {
				t.Errorf("paused in %v", took)
			}
			if s.State == engine.StateDone {
				t.Skip("this machine was faster than the test")
			}
			if s.State != engine.StatePaused {
				t.Errorf("paused, and the state is %v", s.State)
			}
			if later := j.Snapshot(); later.Elapsed != s.Elapsed || later.Left >= 0 {
				t.Errorf("the clock goes on: %+v", later)
			}
			j.Pause()
			j.Resume()
			j.Leave()
			if r := wait(t, j); r.State != engine.StateDone && r.State != engine.StateWaiting {
				t.Errorf("%+v", r)
			}
			noneLeft(t)
			if m.name != "an open question" {
				enginetest.Same(t, dir+"/src", dir+"/dst/src", enginetest.Modes|enginetest.Xattrs)
			}
		})
	}
}

// rest waits until nothing has moved for a fifth of a second and returns when that began.
func rest(t *testing.T, j *engine.Job, since time.Time) time.Duration {
	t.Helper()
	last, changed := j.Snapshot(), since
	enginetest.Await(t, "the job to rest", func() bool {
		s := j.Snapshot()
		if s.Files != last.Files || s.Bytes != last.Bytes || s.Dirs != last.Dirs || s.TotalFiles != last.TotalFiles {
			changed = time.Now()
		}
		last = s
		return time.Since(changed) > 200*time.Millisecond
	})
	return changed.Sub(since)
}

func TestCancelWhilePaused(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Dir("dst"))
	j := moments[0].begin(t, dir)
	j.Pause()
	j.Cancel()
	if r := wait(t, j); r.State != engine.StateCancelled {
		t.Errorf("%+v", r)
	}
	noneLeft(t)
	whole(t, dir, "old")
}

// A device that does not answer holds its worker, and neither the end of the job nor another job. When it answers after all,
// nothing is left behind.
func TestCancelOnDeviceThatHangs(t *testing.T) {
	tests := []struct {
		name  string
		fault func(*enginetest.Valve) enginetest.Fault
		src   bool // the source hangs, else the destination
	}{
		{"reading a small file", func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangRead(v, "small", 0) }, true},
		{"reading a big file", func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangRead(v, "big", 2<<20) }, true},
		{"reading a shared file", func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangRead(v, "shared", 20<<20) }, true},
		{"listing a folder", func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangFolder(v, "sub") }, true},
		{"writing a small file", func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangWrite(v, "small", 0) }, false},
		{"writing a big file", func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangWrite(v, "", 2<<20) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			src, dst := dir+"/src", dir+"/dst"
			enginetest.Build(t, src, enginetest.Random("small", 5000), enginetest.Random("big", 5<<20),
				enginetest.Random("shared", 40<<20), enginetest.File("sub/f", "f"))
			enginetest.Build(t, dir, enginetest.Dir("dst/src"))
			valve := enginetest.NewValve()
			req := engine.Request{Sources: []string{src}, Dest: dst}
			if tt.src {
				enginetest.Fuse(t, src, dir+"/view/src", tt.fault(valve))
				req.Sources[0] = dir + "/view/src"
			} else {
				enginetest.Fuse(t, dst, dir+"/view", tt.fault(valve))
				req.Dest = dir + "/view"
			}
			e := newEngine(t, 2)
			j := start(t, e, req)
			valve.Await(t)
			at := time.Now()
			j.Cancel()
			r := wait(t, j)
			took := time.Since(at)
			t.Logf("cancelled in %v", took)
			if r.State != engine.StateCancelled || took > 5*time.Second {
				t.Errorf("after %v: %+v", took, r)
			}
			// Another device, another job.
			enginetest.Build(t, dir, enginetest.File("other/f", "f"), enginetest.Dir("there"))
			if r := wait(t, start(t, e, engine.Request{Sources: []string{dir + "/other"}, Dest: dir + "/there"})); r.State != engine.StateDone {
				t.Errorf("another job: %+v", r)
			}
			valve.Open()
			noneLeft(t)
			enginetest.Await(t, "descriptors to be closed", func() bool { return len(enginetest.OpenFiles(dir)) == 0 })
			whole(t, dir, "")
		})
	}
}

// A folder that hangs holds the scan, and not what was found before it.
func TestScanThatHangsStopsNoWorker(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir+"/back", enginetest.File("a", "a"), enginetest.File("b", "b"), enginetest.File("sub/f", "f"))
	valve := enginetest.NewValve()
	enginetest.Fuse(t, dir+"/back", dir+"/src", enginetest.HangFolder(valve, "sub"))
	enginetest.Build(t, dir, enginetest.Dir("dst"))
	j := start(t, newEngine(t, 1), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst"})
	valve.Await(t)
	until(t, j, "the files that were found", func(s engine.Snapshot) bool { return s.Files == 2 })
	if s := j.Snapshot(); s.TotalKnown || s.State != engine.StateRunning {
		t.Errorf("%+v", s)
	}
	valve.Open()
	if r := wait(t, j); r.State != engine.StateDone || r.Files != 3 {
		t.Errorf("%+v", r)
	}
}
