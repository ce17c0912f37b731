package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"drover/engine/internal/sys"
)

// Workers that open, use and release the same few folders at once, with hardly any kept open, never see another folder's
// descriptor or a closed one.
func TestTreeHandsOutRightDescriptors(t *testing.T) {
	dir := t.TempDir()
	tr := &tree{limit: 2}
	stat := func(p string) (st sys.Stat) {
		if err := sys.Lookup(sys.CWD, sys.Name(p+"\x00"), true, &st); err != nil {
			t.Fatal(err)
		}
		return st
	}
	mk := func(p string) sys.Stat {
		if err := os.MkdirAll(p, 0o755); err != nil {
			t.Fatal(err)
		}
		return stat(p)
	}
	root := &folder{name: sys.Name(dir + "/s\x00"), as: sys.Name(dir + "/d\x00"), root: true, src: -1, dst: -1}
	root.meta, root.dstID = mk(filepath.Join(dir, "s")), mk(filepath.Join(dir, "d")).ID
	folders := []*folder{root}
	for i := range 40 {
		up := folders[i/3]
		f := &folder{parent: up, name: sys.Name(fmt.Sprintf("n%d\x00", i)), src: -1, dst: -1}
		f.as = f.name
		f.meta, f.dstID = mk(f.srcPath("")), mk(f.dstPath("")).ID
		folders = append(folders, f)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5000 {
				f := folders[rand.IntN(len(folders))]
				src, dst, err := tr.acquire(f)
				if err != nil {
					t.Error(err)
					return
				}
				var a, b sys.Stat
				if err := sys.Fstat(src, &a); err != nil || a.ID != f.meta.ID {
					t.Errorf("source: %v, %v instead of %v", err, a.ID, f.meta.ID)
				}
				if err := sys.Fstat(dst, &b); err != nil || b.ID != f.dstID {
					t.Errorf("destination: %v, %v instead of %v", err, b.ID, f.dstID)
				}
				tr.release(f)
			}
		})
	}
	wg.Wait()
	tr.close()
	for _, f := range folders {
		if f.src != -1 || f.dst != -1 || f.users != 0 {
			t.Errorf("%s is still open", f.srcPath(""))
		}
	}
}
