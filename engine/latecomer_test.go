package engine_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// A worker that a device held until after the end of its job brings nothing about any more, not even what it has whole by then (K2).
func TestNothingAppearsAfterCancel(t *testing.T) {
	const small, big = 5000, 3 << 20
	lastByte := func(glob string, size int64) func(*enginetest.Valve) enginetest.Fault {
		return func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangWrite(v, glob, size-1) }
	}
	closing := func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangClose(v, ".drover-*") }
	making := func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangMake(v, "*") }
	tests := []struct {
		what   string
		source string
		rule   engine.Rule
		hang   func(*enginetest.Valve) enginetest.Fault
		more   []enginetest.Fault
	}{
		{"the last write of a small file", "small", 0, lastByte("small", small), nil},
		{"the last write of a big file without a name", "big", 0, lastByte("", big), []enginetest.Fault{enginetest.LinkUnnamed()}},
		{"the last write of a big file with another name", "big", 0, lastByte("", big), nil},
		{"closing a big file with another name", "big", 0, closing, nil},
		{"the last write of a replacement", "old", engine.RuleReplace, lastByte("", small), nil},
		{"closing a replacement", "old", engine.RuleReplace, closing, nil},
		{"closing what makes the old one give way", "old", engine.RuleRenameOld, closing, nil},
		{"closing a copy under a free name", "oldbig", engine.RuleKeepBoth, closing, nil},
		{"making a link", "link", 0, making, nil},
		{"making a link that replaces", "oldlink", engine.RuleReplace, making, nil},
		{"making a FIFO", "fifo", 0, making, nil},
		{"making a further name", "names", 0, func(v *enginetest.Valve) enginetest.Fault { return enginetest.HangMake(v, "name?") }, nil},
		{"making a folder", "folder", 0, making, nil},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.Build(t, dir+"/src", enginetest.Random("small", small), enginetest.Random("big", big), enginetest.Random("old", small),
				enginetest.Random("oldbig", big), enginetest.Symlink("link", "small"), enginetest.Symlink("oldlink", "small"),
				enginetest.FIFO("fifo"), enginetest.File("names/name1", "text"), enginetest.Hardlink("names/name2", "names/name1"), enginetest.File("folder/f", "f"))
			enginetest.Build(t, dir+"/back", enginetest.File("old", "old"), enginetest.File("oldbig", "old"), enginetest.File("oldlink", "old"),
				enginetest.Dir("names"))
			valve := enginetest.NewValve()
			enginetest.Fuse(t, dir+"/back", dir+"/dst", append([]enginetest.Fault{tt.hang(valve)}, tt.more...)...)
			before := enginetest.Fingerprint(t, dir+"/back")
			e := newEngine(t, 1)
			j := start(t, e, engine.Request{Sources: []string{dir + "/src/" + tt.source}, Dest: dir + "/dst", Rule: tt.rule, Reflink: engine.ReflinkNever})
			valve.Await(t)
			j.Cancel()
			if r := wait(t, j); r.State != engine.StateCancelled {
				t.Errorf("%+v", r)
			}
			valve.Open()
			if err := e.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			enginetest.AwaitNamed(t, dir+"/back")
			first := tt.source == "names" // of the two names, which was there before the second was tried
			after := slices.DeleteFunc(enginetest.Fingerprint(t, dir+"/back"), func(l enginetest.Line) bool {
				drop := first && strings.HasPrefix(l.Path, "names/")
				first = first && !drop
				return drop
			})
			for _, d := range enginetest.Diff(before, after, 0) {
				t.Error(d)
			}
		})
	}
}

// A small file has its name from the start, and is whole when the close that a device held returns, however late. It stays then: a later job
// may have found it up to date meanwhile, and must not lose it. What the close says did not arrive goes.
func TestSmallFileHeldInItsCloseIsWholeOrGone(t *testing.T) {
	for _, fails := range []bool{false, true} {
		dir := enginetest.WorkDir(t)
		enginetest.Build(t, dir+"/src", enginetest.Random("small", 5000))
		enginetest.Build(t, dir, enginetest.Dir("back"))
		valve := enginetest.NewValve()
		faults := []enginetest.Fault{enginetest.HangClose(valve, "small")}
		if fails {
			faults = append(faults, enginetest.CloseError("small", syscall.EIO))
		}
		enginetest.Fuse(t, dir+"/back", dir+"/dst", faults...)
		e := newEngine(t, 1)
		j := start(t, e, engine.Request{Sources: []string{dir + "/src/small"}, Dest: dir + "/dst", Reflink: engine.ReflinkNever})
		valve.Await(t)
		j.Cancel()
		if r := wait(t, j); r.State != engine.StateCancelled {
			t.Errorf("%+v", r)
		}
		valve.Open()
		if err := e.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if fails {
			if _, err := os.Lstat(dir + "/back/small"); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("it did not arrive, and is there: %v", err)
			}
			continue
		}
		enginetest.Same(t, dir+"/src", dir+"/back", enginetest.Times)
	}
}
