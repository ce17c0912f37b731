package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// Everything that there is arrives with everything that it has, on every file system, within one and between two, and with every
// technique; and a second time over what is there then.
func TestFidelity(t *testing.T) {
	enginetest.NeedsRoot(t)
	pairs := [][2]string{{"ext4", "ext4"}, {"xfs", "xfs"}, {"btrfs", "btrfs"}, {"tmpfs", "tmpfs"}, {"ext4", "btrfs"}, {"tmpfs", "xfs"}, {"xfs", "ext4"}, {"btrfs", "tmpfs"}}
	for _, pair := range pairs {
		t.Run(pair[0]+" to "+pair[1], func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			from, to := dir+"/from", dir+"/from"
			enginetest.MountKind(t, from, pair[0])
			if pair[0] != pair[1] {
				to = dir + "/to"
				enginetest.MountKind(t, to, pair[1])
			}
			enginetest.Build(t, from+"/src", enginetest.Zoo(true)...)
			for _, reflink := range []engine.Reflink{engine.ReflinkAuto, engine.ReflinkNever} {
				dst := to + "/dst" + string('0'+rune(reflink))
				enginetest.Build(t, to, enginetest.Dir(filepath.Base(dst)))
				e := newEngine(t, 3)
				req := engine.Request{Sources: []string{from + "/src"}, Dest: dst, Reflink: reflink, Rule: engine.RuleReplace}
				for run := range 2 {
					j := start(t, e, req)
					if r := wait(t, j); r.State != engine.StateDone {
						t.Fatalf("%+v", r)
					}
					for _, f := range j.Failures(0, 100) {
						t.Errorf("run %d: %v", run, f)
					}
					for _, w := range j.Warnings() {
						t.Errorf("run %d: %+v", run, w)
					}
					by := enginetest.All
					if run == 1 {
						by &^= enginetest.Times // of folders that were there
					}
					enginetest.Same(t, from+"/src", dst+"/src", by)
				}
				for _, l := range enginetest.Fingerprint(t, dst+"/src/holes") {
					if l.Path != "" && l.Blocks*512 > 64<<10 {
						t.Errorf("%s takes %d bytes", l.Path, l.Blocks*512)
					}
				}
			}
		})
	}
}

// A private file is private at every moment, under whatever name it has meanwhile (F5).
func TestNothingIsEverMoreOpenThanItsSource(t *testing.T) {
	dir := enginetest.WorkDir(t)
	var src []enginetest.Entry
	for _, name := range []string{"a", "b", "c", "d"} {
		src = append(src, enginetest.Random("secret/"+name, 3<<20).Mode(0o600), enginetest.Random("secret/small"+name, 3000).Mode(0o600),
			enginetest.File("secret/shut"+name+"/f", "f").Mode(0o400), enginetest.Dir("secret/shut"+name).Mode(0o700))
	}
	enginetest.Build(t, dir+"/src", append(src, enginetest.Dir("secret").Mode(0o700))...)
	enginetest.Build(t, dir, enginetest.Dir("dst"))
	var over atomic.Bool
	var watch sync.WaitGroup
	looks := 0
	watch.Go(func() {
		for !over.Load() {
			_ = filepath.WalkDir(dir+"/dst", func(p string, d os.DirEntry, _ error) error {
				var st syscall.Stat_t
				if p != dir+"/dst" && syscall.Lstat(p, &st) == nil {
					looks++
					if st.Mode&0o077 != 0 {
						t.Errorf("%s has mode %o", strings.TrimPrefix(p, dir), st.Mode)
					}
				}
				return nil
			})
		}
	})
	e := newEngine(t, 2)
	for range 5 {
		r := wait(t, start(t, e, engine.Request{Sources: []string{dir + "/src/secret"}, Dest: dir + "/dst", Rule: engine.RuleReplace, Reflink: engine.ReflinkNever}))
		if r.State != engine.StateDone {
			t.Errorf("%+v", r)
		}
	}
	over.Store(true)
	watch.Wait()
	if looks == 0 {
		t.Error("never looked in time")
	}
}

// A file whose holes and data change all the time is copied in the end (E2).
func TestSparseFileThatChangesAllTheTime(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Sparse("src/j", 8<<20, 0, 1<<20, 5<<20), enginetest.Dir("dst"))
	f, err := os.OpenFile(dir+"/src/j", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var over atomic.Bool
	var writer sync.WaitGroup
	writer.Go(func() {
		const punchHole, keepSize = 2, 1
		for i := int64(0); !over.Load(); i++ {
			_, _ = f.WriteAt(make([]byte, 4096), i*7919%2000*4096)
			_ = syscall.Fallocate(int(f.Fd()), punchHole|keepSize, i*104729%2000*4096, 65536)
		}
	})
	defer writer.Wait()
	defer over.Store(true)
	e := newEngine(t, 2)
	for range 50 {
		r := wait(t, start(t, e, engine.Request{Sources: []string{dir + "/src/j"}, Dest: dir + "/dst", Rule: engine.RuleReplace}))
		if r.State != engine.StateDone || r.Files != 1 {
			t.Fatalf("%+v", r)
		}
	}
}

// Many names of one file become many names of one file, whoever copies which of them (C10).
func TestManyHardLinks(t *testing.T) {
	dir := enginetest.WorkDir(t)
	src := []enginetest.Entry{enginetest.Random("0/f", 100_000)}
	for i := range 500 {
		src = append(src, enginetest.Hardlink(strings.Repeat("d/", i%7)+"n"+strings.Repeat("x", i/7), "0/f"))
	}
	enginetest.Build(t, dir+"/src", src...)
	enginetest.Build(t, dir, enginetest.Dir("dst"))
	for range 5 {
		e := newEngine(t, 4)
		j := start(t, e, engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
		if r := wait(t, j); r.State != engine.StateDone || r.Files != 1 || r.Links != 500 {
			t.Fatalf("%+v", r)
		}
		enginetest.Same(t, dir+"/src", dir+"/dst/src", enginetest.Names)
	}
}
