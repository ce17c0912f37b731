package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/change"
	"drover/engine/enginetest"
)

// A replacement is in place, and then the old file cannot be removed: the item is copied, and a warning says where the old one is.
func TestOldFileThatCannotBeRemoved(t *testing.T) {
	for _, size := range []int{0, 100, 2 << 20} {
		dir := enginetest.WorkDir(t)
		enginetest.Build(t, dir+"/src", enginetest.Random("f", size))
		enginetest.Build(t, dir+"/back", enginetest.File("f", "old"))
		enginetest.Fuse(t, dir+"/back", dir+"/dst", enginetest.UnlinkError(change.TempPrefix+"*", syscall.EIO))
		j := start(t, newEngine(t, 1), engine.Request{Sources: []string{dir + "/src/f"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
		if r := wait(t, j); r.State != engine.StateDone || r.Files != 1 || r.Bytes != int64(size) || j.Snapshot().Failures > 0 {
			t.Errorf("%d bytes: %+v, %v", size, r, j.Failures(0, 1))
		}
		w := j.Warnings()
		if len(w) != 1 || w[0].Kind != engine.WarnLeftover || w[0].N != 1 || !errors.Is(w[0].Err, syscall.EIO) {
			t.Fatalf("%d bytes: %+v", size, w)
		}
		if at, name := filepath.Split(w[0].Src); at != dir+"/dst/" || !strings.HasPrefix(name, change.TempPrefix) {
			t.Errorf("it is told to be at %s", w[0].Src)
		}
		if text, err := os.ReadFile(w[0].Src); string(text) != "old" {
			t.Errorf("there is %q, %v", text, err)
		}
		if fi, err := os.Stat(dir + "/dst/f"); err != nil || fi.Size() != int64(size) {
			t.Errorf("the new one: %v, %v", fi, err)
		}
	}
}

// Where names are given by a link, because the file system has no rename that spares what is there, one that cannot be given up is no
// second name of the copy.
func TestTemporaryNameThatCannotBeRemoved(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir+"/src", enginetest.Random("big", 2<<20))
	enginetest.Build(t, dir, enginetest.Dir("back"))
	enginetest.Fuse(t, dir+"/back", dir+"/dst", enginetest.UnlinkError(change.TempPrefix+"*", syscall.EIO), enginetest.NoRenameFlags(), enginetest.NoUnnamed())
	j := start(t, newEngine(t, 1), engine.Request{Sources: []string{dir + "/src/big"}, Dest: dir + "/dst"})
	wait(t, j)
	if f := j.Failures(0, 2); len(f) != 1 || !errors.Is(f[0], syscall.EIO) {
		t.Errorf("%v", f)
	}
	if _, err := os.Lstat(dir + "/dst/big"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it failed, and is there: %v", err)
	}
}
