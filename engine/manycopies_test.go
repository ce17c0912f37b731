package engine_test

import (
	"fmt"
	"os"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// More than ten thousand copies of a name are there already, with a gap here and there. Files and folders of that name find a free one, and
// so does the old one that has to make room; nothing that is there is touched.
func TestTenThousandCopiesOfOneName(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const n = 10_200
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.File("src/1/f.txt", "1"), enginetest.File("src/2/f.txt", "2"), enginetest.File("src/1/d/x", "1"), enginetest.File("src/2/d/x", "2"))
	enginetest.Build(t, dir+"/dst", enginetest.File("f.txt", "old"), enginetest.File("d", "old"))
	free := func(name string, isDir bool, k int) string { return dir + "/dst/" + engine.FreeName(name, isDir, k) }
	for k := 1; k <= n; k++ {
		if k == 100 || k == 5000 {
			continue
		}
		for name, isDir := range map[string]bool{"f.txt": false, "d": true} {
			if err := os.WriteFile(free(name, isDir, k), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	old := enginetest.Fingerprint(t, dir+"/dst")
	e := newEngine(t, 2)
	for i, rule := range []engine.Rule{engine.RuleKeepBoth, engine.RuleRenameOld} {
		j := start(t, e, engine.Request{
			Sources: []string{dir + "/src/1/f.txt", dir + "/src/2/f.txt", dir + "/src/1/d", dir + "/src/2/d"}, Dest: dir + "/dst", Rule: rule,
		})
		if r := wait(t, j); r.State != engine.StateDone || r.Files != 4 || j.Snapshot().Failures > 0 {
			t.Fatalf("%+v, %v", r, j.Failures(0, 4))
		}
		fresh := enginetest.Fingerprint(t, dir+"/dst")
		if want := len(old) + 6 + 5*i; len(fresh) != want {
			t.Errorf("%d entries, want %d", len(fresh), want)
		}
		if i > 0 {
			continue // the old ones have other names
		}
		now := map[string]enginetest.Line{}
		for _, l := range fresh {
			now[l.Path] = l
		}
		for _, l := range old[1:] {
			if at, ok := now[l.Path]; !ok || at.Text != l.Text || at.Mtime != l.Mtime {
				t.Fatalf("%s is %+v now", l.Path, at)
			}
		}
	}
}

// Many sources of one name.
func TestManySourcesOfOneName(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 100
	}
	dir := enginetest.WorkDir(t)
	r := engine.Request{Dest: dir + "/dst", Rule: engine.RuleKeepBoth}
	var src []enginetest.Entry
	for i := range n {
		src = append(src, enginetest.File(fmt.Sprintf("%d/f.txt", i), fmt.Sprint(i)))
		r.Sources = append(r.Sources, fmt.Sprintf("%s/src/%d/f.txt", dir, i))
	}
	enginetest.Build(t, dir+"/src", src...)
	enginetest.Build(t, dir, enginetest.Dir("dst"))
	j := start(t, newEngine(t, 2), r)
	if got := wait(t, j); got.State != engine.StateDone || got.Files != int64(n) {
		t.Fatalf("%+v, %v", got, j.Failures(0, 1))
	}
	texts := map[string]bool{}
	for k := range n {
		name := "f.txt"
		if k > 0 {
			name = engine.FreeName(name, false, k)
		}
		text, err := os.ReadFile(dir + "/dst/" + name)
		if err != nil || texts[string(text)] {
			t.Fatalf("%s: %q, %v", name, text, err)
		}
		texts[string(text)] = true
	}
	t.Logf("%v", j.Snapshot().Elapsed)
}
