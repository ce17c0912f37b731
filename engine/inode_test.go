package engine_test

import (
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// Two file systems number their inodes alike. Only the device tells two of their files apart, and it does: for what is the same
// file, what are names of one file, what leads back into itself and what lies inside itself.
func TestIdenticalInodeNumbers(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	for _, name := range []string{"a", "b"} {
		enginetest.Loop(t, dir+"/"+name, "ext4", 20<<20)
		enginetest.Build(t, dir+"/"+name, enginetest.Dir("d"), enginetest.File("d/f", "of "+name), enginetest.Hardlink("d/g", "d/f"))
	}
	enginetest.Build(t, dir+"/a", enginetest.Symlink("d/other", "../../b/d"))
	number := func(name string) uint64 {
		var st syscall.Stat_t
		if err := syscall.Lstat(dir+"/"+name, &st); err != nil {
			t.Fatal(err)
		}
		return st.Ino
	}
	for _, name := range []string{"d", "d/f"} {
		if number("a/"+name) != number("b/"+name) {
			t.Fatalf("%s has the numbers %d and %d: this proves nothing", name, number("a/"+name), number("b/"+name))
		}
	}
	e := newEngine(t, 2)
	done := func(r engine.Request) {
		t.Helper()
		j := start(t, e, r)
		if res := wait(t, j); res.State != engine.StateDone {
			t.Errorf("%+v", res)
		}
		for _, f := range j.Failures(0, 10) {
			t.Error(f.ItemError)
		}
	}
	enginetest.Build(t, dir, enginetest.Dir("dst/x"), enginetest.Dir("dst/y"), enginetest.Dir("dst/z"))

	// Names of one file: of each device by itself, in one job.
	done(engine.Request{Sources: []string{dir + "/a", dir + "/b"}, Dest: dir + "/dst/x"})
	for _, name := range []string{"a", "b"} {
		enginetest.Same(t, dir+"/"+name+"/d", dir+"/dst/x/"+name+"/d", enginetest.Names)
	}
	if number("dst/x/a/d/f") == number("dst/x/b/d/f") {
		t.Error("two files have become one")
	}

	// Links followed: b/d is not a/d once more.
	done(engine.Request{Sources: []string{dir + "/a/d"}, Dest: dir + "/dst/y", Links: engine.LinksFollow})
	enginetest.Same(t, dir+"/b/d", dir+"/dst/y/d/other", 0)

	// A folder into one that has its number: it is not inside itself, and its files are not the same.
	done(engine.Request{Sources: []string{dir + "/a/d"}, Dest: dir + "/b", Rule: engine.RuleReplace})
	enginetest.Same(t, dir+"/a/d", dir+"/b/d", enginetest.Names)
	done(engine.Request{Sources: []string{dir + "/a/d"}, Dest: dir + "/b/d", Rule: engine.RuleReplace})
	enginetest.Same(t, dir+"/a/d", dir+"/b/d/d", enginetest.Names)
}
