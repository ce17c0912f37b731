package engine_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

const deepLevels = 30

var deepName = strings.Repeat("x", 250)

// deepPath is the path of the n-th folder of a chain that enginetest.Deep has made in dir.
func deepPath(dir string, n int) string { return dir + strings.Repeat("/"+deepName, n) }

// Paths longer than the kernel takes at once do as sources and as destinations, for folders, files and what is in them (H6).
func TestPathsLongerThanTheKernelTakes(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Dir("src"), enginetest.Dir("dst"), enginetest.Dir("back"), enginetest.Dir("one"))
	enginetest.Deep(t, dir+"/src", deepName, deepLevels, enginetest.Random("f", 5000))
	enginetest.Deep(t, dir+"/dst", deepName, deepLevels, enginetest.File("old", "old"))
	deep := deepPath(dir+"/dst", deepLevels)
	if len(deep) <= 4096 {
		t.Fatalf("a path of %d bytes proves nothing", len(deep))
	}
	e := newEngine(t, 2)
	for _, c := range []struct {
		what, dest string
		sources    []string
	}{
		{"a folder and a file from far below", dir + "/one", []string{deepPath(dir+"/src", deepLevels-1), deepPath(dir+"/src", deepLevels) + "/f"}},
		{"what is in a folder, from far below to far below", deep, []string{deepPath(dir+"/src", deepLevels) + "/."}},
		{"a new name far below", deep + "/new", []string{dir + "/one/f"}},
		{"a tree as deep as that into one as deep", deep, []string{dir + "/src"}},
		{"and all of it back", dir + "/back", []string{dir + "/dst"}},
	} {
		j := start(t, e, engine.Request{Sources: c.sources, Dest: c.dest})
		r := wait(t, j)
		if r.State != engine.StateDone {
			t.Errorf("%s: %+v", c.what, r)
		}
		for _, f := range j.Failures(0, 10) {
			t.Errorf("%s: %.200s", c.what, f.Err)
		}
	}
	enginetest.Same(t, dir+"/dst", dir+"/back/dst", enginetest.All)
	lines := enginetest.Fingerprint(t, dir+"/back/dst")
	if want := 1 + deepLevels + 3 + 1 + deepLevels + 1; len(lines) != want { // itself, the chain, old f new, src, its chain, f
		t.Errorf("%d entries, want %d", len(lines), want)
	}
}

// What a name too long for any file system or a missing folder far below means is one error with the whole path.
func TestErrorsFarBelow(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Dir("src"), enginetest.Dir("dst"))
	enginetest.Deep(t, dir+"/src", deepName, deepLevels, enginetest.File("f", "f"))
	e := newEngine(t, 1)
	for name, want := range map[string]string{"missing": "ENOENT", strings.Repeat("y", 256): "ENAMETOOLONG", "f/x": "ENOTDIR"} {
		src := deepPath(dir+"/src", deepLevels) + "/" + name
		r := wait(t, start(t, e, engine.Request{Sources: []string{src}, Dest: dir + "/dst"}))
		var items []*engine.ItemError
		if refused, ok := r.Err.(*engine.RefusedError); ok { //nolint:errorlint // as it comes back
			items = refused.Items
		}
		if len(items) != 1 || causeOf(items[0]) != want || items[0].Src != src {
			t.Errorf("%.10s: %.300v", name, r.Err)
		}
	}
	if l := enginetest.Fingerprint(t, dir+"/dst"); len(l) != 1 {
		t.Errorf("%d entries came of it", len(l)-1)
	}
}

// A cancel far below leaves nothing half-written there (H6).
func TestCancelFarBelow(t *testing.T) {
	for _, size := range []int{900_000, 3 << 20} { // a file that has its name, and one that gets it at the end
		dir := enginetest.WorkDir(t)
		enginetest.Build(t, dir, enginetest.Random("back/big", size), enginetest.Dir("dst"))
		enginetest.Deep(t, dir+"/dst", deepName, deepLevels, enginetest.File("old", "old"))
		valve := enginetest.NewValve()
		enginetest.Fuse(t, dir+"/back", dir+"/src", enginetest.HangRead(valve, "big", int64(size)/2))
		deep := deepPath(dir+"/dst", deepLevels)
		before := enginetest.Fingerprint(t, dir+"/dst")
		e := newEngine(t, 1)
		j := start(t, e, engine.Request{Sources: []string{dir + "/src/big"}, Dest: deep})
		valve.Await(t)
		j.Cancel()
		if r := wait(t, j); r.State != engine.StateCancelled {
			t.Errorf("%+v", r)
		}
		valve.Open() // the worker that was left behind cleans up
		if err := e.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := enginetest.Diff(before, enginetest.Fingerprint(t, dir+"/dst"), 0); len(d) > 0 {
			t.Errorf("size %d: %v", size, strings.ReplaceAll(strings.Join(d, "\n"), deepName, "x"))
		}
	}
}

// Paths are for people: the folder may be moved away while a file in it is copied, and the copy goes with it.
func TestFolderMovedMeanwhile(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Random("back/d/big", 3<<20), enginetest.Dir("dst"), enginetest.Dir("elsewhere"))
	valve := enginetest.NewValve()
	enginetest.Fuse(t, dir+"/back", dir+"/src", enginetest.HangRead(valve, "big", 1<<20))
	e := newEngine(t, 1)
	j := start(t, e, engine.Request{Sources: []string{dir + "/src/d"}, Dest: dir + "/dst"})
	valve.Await(t)
	if err := syscall.Rename(dir+"/dst/d", dir+"/elsewhere/d"); err != nil {
		t.Fatal(err)
	}
	valve.Open()
	if r := wait(t, j); r.State != engine.StateDone || r.Files != 1 {
		t.Errorf("%+v", r)
	}
	enginetest.Same(t, dir+"/back/d", filepath.Join(dir, "elsewhere/d"), 0)
	if l := enginetest.Fingerprint(t, dir+"/dst"); len(l) != 1 {
		t.Errorf("something was made anew in its old place: %v", l[1:])
	}
}
