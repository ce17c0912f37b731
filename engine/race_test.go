package engine_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// Two jobs at the same time into one folder: each file is from one of them, whole, and nothing fails.
func TestTwoJobsIntoOneFolder(t *testing.T) {
	for rule, copies := range map[engine.Rule]int{engine.RuleSkip: 300, engine.RuleReplace: 300, engine.RuleKeepBoth: 600, engine.RuleRenameOld: 600, engine.RuleNewer: 300} {
		t.Run(fmt.Sprint(rule), func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			var a, b []enginetest.Entry
			for i := range 300 {
				size := 100 + i*50
				if i%50 == 0 {
					size = 2 << 20
				}
				name := fmt.Sprintf("d%d/f%d", i%7, i)
				a = append(a, enginetest.File("x/"+name, strings.Repeat("a", size)))
				b = append(b, enginetest.File("x/"+name, strings.Repeat("b", size)))
			}
			enginetest.Build(t, dir+"/a", a...)
			enginetest.Build(t, dir+"/b", b...)
			enginetest.Build(t, dir, enginetest.Dir("dst"))
			e := newEngine(t, 2)
			var jobs []*engine.Job
			for _, src := range []string{"/a/x", "/b/x"} {
				jobs = append(jobs, start(t, e, engine.Request{Sources: []string{dir + src}, Dest: dir + "/dst", Rule: rule}))
			}
			for _, j := range jobs {
				if r := wait(t, j); r.State != engine.StateDone {
					t.Errorf("%+v", r)
				}
				for _, f := range j.Failures(0, 10) {
					t.Error(f)
				}
			}
			files := 0
			for _, l := range enginetest.Fingerprint(t, dir+"/dst") {
				if strings.Contains(l.Path, ".drover-") {
					t.Errorf("left behind: %s", l.Path)
				}
				if l.Sum == "" {
					continue
				}
				files++
				data, err := os.ReadFile(dir + "/dst/" + l.Path)
				if err != nil || strings.Trim(string(data), "a") != "" && strings.Trim(string(data), "b") != "" || len(data) < 100 {
					t.Errorf("%s is mixed, %d bytes, %v", l.Path, len(data), err)
				}
			}
			if files != copies {
				t.Errorf("%d files, want %d", files, copies)
			}
		})
	}
}

// meddle does something again and again until the returned function is called.
func meddle(do func(i int)) (stop func()) {
	over := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-over:
				return
			default:
				do(i)
			}
		}
	})
	return func() { close(over); wg.Wait() }
}

// A source that is a file now and a link to something secret then: what arrives is never the secret (C5).
func TestSourceThatBecomesLink(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.File("secret", "secret"), enginetest.File("file", "public"), enginetest.Symlink("link", dir+"/secret"),
		enginetest.File("src/other", "o"), enginetest.File("src/f", "public"), enginetest.Dir("dst"))
	stop := meddle(func(i int) {
		_ = os.Remove(dir + "/next")
		if i%2 == 0 {
			_ = os.Link(dir+"/file", dir+"/next")
		} else {
			_ = os.Symlink(dir+"/secret", dir+"/next")
		}
		_ = os.Rename(dir+"/next", dir+"/src/f")
	})
	defer stop()
	e := newEngine(t, 2)
	for range 300 {
		j := start(t, e, engine.Request{Sources: []string{dir + "/src/."}, Dest: dir + "/dst", Rule: engine.RuleReplace})
		if r := wait(t, j); r.State != engine.StateDone {
			t.Fatalf("%+v", r)
		}
		e.Forget(j)
		fi, err := os.Lstat(dir + "/dst/f")
		if err != nil || !fi.Mode().IsRegular() {
			continue
		}
		if data, err := os.ReadFile(dir + "/dst/f"); string(data) != "public" {
			t.Fatalf("%q, %v", data, err)
		}
	}
}

// A destination folder that somebody swaps for a link to elsewhere: nothing is written there.
func TestDestinationThatBecomesLink(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Dir("elsewhere"), enginetest.Dir("dst"))
	enginetest.Many(t, dir+"/src/d/e", 2000, 10)
	enginetest.Build(t, dir, enginetest.Symlink("link", dir+"/elsewhere"))
	e := newEngine(t, 2)
	for range 10 {
		stop := meddle(func(int) {
			if os.Rename(dir+"/dst/d/e", dir+"/aside") == nil {
				_ = os.Symlink(dir+"/elsewhere", dir+"/dst/d/e")
				_ = os.Remove(dir + "/dst/d/e")
				_ = os.Rename(dir+"/aside", dir+"/dst/d/e")
			}
		})
		j := start(t, e, engine.Request{Sources: []string{dir + "/src/d"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
		j.Leave()
		wait(t, j)
		stop()
		if names, err := os.ReadDir(dir + "/elsewhere"); err != nil || len(names) > 0 {
			t.Fatalf("%d things were written through the link, %v", len(names), err)
		}
	}
}

// A selection of many single files is one job like any other (M2).
func TestManySources(t *testing.T) {
	dir := enginetest.WorkDir(t)
	names := enginetest.Many(t, dir+"/src", 10_000, 10)
	enginetest.Build(t, dir, enginetest.Dir("dst"))
	var sources []string
	for _, n := range names {
		sources = append(sources, dir+"/src/"+n)
	}
	j := start(t, newEngine(t, 2), engine.Request{Sources: sources, Dest: dir + "/dst"})
	if r := wait(t, j); r.State != engine.StateDone || r.Files != 10_000 || r.Bytes != 100_000 {
		t.Errorf("%+v", r)
	}
	if there, err := os.ReadDir(dir + "/dst"); err != nil || len(there) != 10_000 {
		t.Errorf("%d files, %v", len(there), err)
	}
}
