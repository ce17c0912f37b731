package browse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"drover/engine/change"
	"drover/ui/present"
)

// deadMount mounts a file system on dir whose program never answers, and returns what ends it.
func deadMount(t *testing.T, dir string) (end func()) {
	t.Helper()
	program, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no FUSE: ", err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", program.Fd())
	if err := syscall.Mount("dead", dir, "fuse", 0, options); err != nil {
		_ = program.Close()
		t.Skip("mounting is not allowed: ", err)
	}
	ended := false
	end = func() {
		if !ended {
			ended = true
			_ = program.Close() // whoever waits for it gets an error
			_ = syscall.Unmount(dir, syscall.MNT_DETACH)
		}
	}
	t.Cleanup(end)
	return end
}

// TestDeadFolder: a folder that never comes leaves the view usable, and comes when it answers after all.
func TestDeadFolder(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	dead := filepath.Join(dir, "dead")
	if err := os.Mkdir(dead, 0o755); err != nil {
		t.Fatal(err)
	}
	end := deadMount(t, dead)
	s.Open(dead)
	s.until(t, "that it takes its time", func() bool { return s.waiting })
	if _, title, _ := s.emptiness(); !s.blank.Visible() || title != present.T("window.opening", "Folder", "dead") {
		t.Errorf("it says %q", title)
	}
	other := t.TempDir()
	fill(t, other, "a")
	s.open(t, other)
	if s.waiting || s.listing.Len() != 1 {
		t.Errorf("elsewhere: waiting %v, %q", s.waiting, s.names())
	}
	s.Go(-1)
	s.until(t, "that it takes its time again", func() bool { return s.waiting })
	end()
	s.until(t, "what is there now", func() bool { return !s.waiting })
	if s.Dir() != dead || s.err == nil && s.listing.Len() != 0 {
		t.Errorf("%q: %v", s.Dir(), s.err)
	}
}

// TestEntriesThatDoNotAnswer are there, and say so.
func TestEntriesThatDoNotAnswer(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, "file")
	if err := os.Mkdir(filepath.Join(dir, "dead"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dead", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	end := deadMount(t, filepath.Join(dir, "dead"))
	w := s.open(t, dir)
	if got := s.names(); !slices.Equal(got, []string{"dead", "file", "link"}) {
		t.Fatalf("got %q", got)
	}
	said := func() (out []string) {
		for i := range s.listing.Len() {
			if c := s.cells(i); strings.Contains(c.Name, present.T("window.silent")) && c.Dim {
				out = append(out, s.listing.Name(i))
			}
		}
		return out
	}
	if got := said(); !slices.Equal(got, []string{"dead", "link"}) {
		t.Errorf("said of %q", got)
	}
	s.View.open(s.listing.Find("link"))
	if s.Dir() != filepath.Join(dir, "link") || len(s.opened) > 0 {
		t.Errorf("%q is on view, and other programs are to open %q", s.Dir(), s.opened)
	}
	s.Go(-1)
	s.until(t, "the folder", func() bool { return s.listing != nil && s.listing.Dir == dir && s.shown.visit == s.want.visit })
	end()
	for len(s.watched) > 0 {
		w = <-s.watched
	}
	w.batches <- change.Batch{Events: []fsnotify.Event{
		{Name: filepath.Join(dir, "dead"), Op: fsnotify.Chmod}, {Name: filepath.Join(dir, "link"), Op: fsnotify.Chmod},
	}}
	s.until(t, "that they answer", func() bool { return len(said()) == 0 })
}

// TestRemovedNamesAreLookedAt: an operation does not say what is there now.
func TestRemovedNamesAreLookedAt(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, "a", "b", "c")
	w := s.open(t, dir)
	for _, n := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, n), make([]byte, 777), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "c")); err != nil {
		t.Fatal(err)
	}
	w.batches <- change.Batch{Events: []fsnotify.Event{
		{Name: filepath.Join(dir, "a"), Op: fsnotify.Remove},
		{Name: filepath.Join(dir, "b"), Op: fsnotify.Rename},
		{Name: filepath.Join(dir, "c"), Op: fsnotify.Create},
	}}
	s.until(t, "what is there", func() bool { return slices.Equal(s.names(), []string{"a", "b"}) })
	for i := range s.listing.Entries {
		if e := &s.listing.Entries[i]; e.Size != 777 {
			t.Errorf("%s has %d bytes", e.Name, e.Size)
		}
	}
}

// TestGoneWhileItIsRead: what a reading finds that began before the folder went is not shown.
func TestGoneWhileItIsRead(t *testing.T) {
	published := make(chan shown, 10)
	l := newLoader(nil, func(s shown) { published <- s })
	l.cur = want{dir: t.TempDir()}
	l.again = true
	l.refresh(t.Context())
	l.changed(change.Batch{Gone: true})
	if s := <-published; !s.gone {
		t.Fatalf("got %+v", s)
	}
	select { // the reading may have ended before it was abandoned
	case f := <-l.results:
		l.got(f)
	case <-time.After(100 * time.Millisecond):
	}
	if len(published) > 0 {
		t.Errorf("then it showed %+v", <-published)
	}
	l.changed(change.Batch{LookAgain: true})
	l.refresh(t.Context())
	l.got(<-l.results)
	if s := <-published; s.gone || s.listing == nil {
		t.Errorf("after it came back: %+v", s)
	}
}

// TestManyNamesAreListedAnew: behind a reading that hangs, what changes does not pile up.
func TestManyNamesAreListedAnew(t *testing.T) {
	l := newLoader(nil, nil)
	l.cur, l.have = want{dir: "/x"}, true
	for i := range 3 * mostNames {
		l.changed(change.Batch{Events: []fsnotify.Event{{Name: fmt.Sprintf("/x/%d", i), Op: fsnotify.Create}}})
		if len(l.names) > mostNames {
			t.Fatalf("%d names", len(l.names))
		}
	}
	if !l.again {
		t.Error("the folder is not listed anew")
	}
}
