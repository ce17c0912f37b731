package engine

import (
	"testing"

	"drover/engine/change"
	"drover/engine/enginetest"
)

// The count ahead leaves out what the scan leaves out: a total that is too large is a bar that stops before its end.
func TestAheadLeavesOutTheSame(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.File("src/a.o", "1"), enginetest.File("src/b", "2"), enginetest.File("src/sub/b", "3"),
		enginetest.File("src/sub/d/c", "4"), enginetest.File("real/e", "5"), enginetest.Symlink("src/tod", "../real"), enginetest.Symlink("link", "src"))
	for _, c := range []struct {
		source  string
		exclude []string
		links   Links
		want    int64
	}{
		{"src", nil, LinksKeep, 5},
		{"src", []string{"*.o"}, LinksKeep, 4},
		{"src/a.o", []string{"*.o"}, LinksKeep, 0},
		{"src", []string{"src"}, LinksKeep, 0},
		{"src", []string{"src/sub/b"}, LinksKeep, 4},
		{"src/.", []string{"sub/b"}, LinksKeep, 4},
		{"src/.", []string{"src/sub/b"}, LinksKeep, 5},
		{"src/.", []string{"src"}, LinksKeep, 5},
		{"link/.", []string{"sub/"}, LinksKeep, 3},
		{"src", []string{"tod/"}, LinksKeep, 5},
		{"src", []string{"tod/"}, LinksFollow, 4},
		{"src", nil, LinksFollow, 5},
	} {
		r := newRun(t.Context(), &Job{req: Request{Sources: []string{dir + "/" + c.source}, Links: c.links, Exclude: c.exclude}}, 1, change.NewHub())
		r.targets = &targets{}
		a := r.newAhead()
		if err := a.sources(t.Context()); err != nil || a.files != c.want {
			t.Errorf("%s without %q: %d files, want %d (%v)", c.source, c.exclude, a.files, c.want, err)
		}
	}
}
