package browse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/fsnotify/fsnotify"

	"drover/engine/change"
	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// stage is a view with a window, and with the test in the place of the main goroutine: what was put runs when the test says so.
type stage struct {
	*View
	puts    chan func()
	watched chan *fakeWatch
	opened  []string
	mods    fyne.KeyModifier
	now     time.Time
}

type fakeWatch struct {
	dir     string
	batches chan change.Batch
}

func (w *fakeWatch) Batches() <-chan change.Batch { return w.batches }
func (w *fakeWatch) Close()                       {}

func newStage(t *testing.T) *stage {
	t.Helper()
	test.NewTempApp(t)
	present.SetLanguage("en")
	fyne.CurrentApp().Settings().SetTheme(theme.New(theme.Light))
	s := &stage{puts: make(chan func(), 100), watched: make(chan *fakeWatch, 100), now: time.Now()}
	s.View = New(t.Context(), Deps{
		Put: func(_ any, f func()) { s.puts <- f },
		Watch: func(dir string) (Watch, error) {
			w := &fakeWatch{dir, make(chan change.Batch)}
			s.watched <- w
			return w, nil
		},
		OnFile:    func(p string) { s.opened = append(s.opened, p) },
		Modifiers: func() fyne.KeyModifier { return s.mods },
		Now:       func() time.Time { return s.now },
	})
	w := test.NewTempWindow(t, s.Object())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(600, 26+26+10*widget.FileRowHeight))
	return s
}

// until runs what is put until ok.
func (s *stage) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	limit := time.After(10 * time.Second)
	for !ok() {
		select {
		case f := <-s.puts:
			f()
		case <-limit:
			t.Fatalf("%s: never; the foot says %q", what, first(s.foot.Texts()))
		}
	}
}

func first(a, _ string) string { return a }

func (s *stage) open(t *testing.T, dir string) *fakeWatch {
	t.Helper()
	s.Open(dir)
	s.until(t, "the folder", func() bool { return s.listing != nil && s.listing.Dir == dir })
	for {
		select {
		case w := <-s.watched:
			if w.dir == dir {
				return w
			}
		case <-time.After(5 * time.Second):
			t.Fatal("the folder is not watched")
		}
	}
}

func (s *stage) names() []string {
	out := make([]string, s.listing.Len())
	for i := range out {
		out[i] = s.listing.Name(i)
	}
	return out
}

func fill(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func numbered(from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, fmt.Sprintf("f%04d", i))
	}
	return out
}

// TestRefreshKeepsSelectionAndScroll: files come and go above and below what a person looks at.
func TestRefreshKeepsSelectionAndScroll(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, numbered(100, 400)...)
	w := s.open(t, dir)
	s.down(s.listing.Find("f0250"), 0)
	s.down(s.listing.Find("f0253"), fyne.KeyModifierShift)
	s.rows.ScrollTo(float32(s.listing.Find("f0245"))*widget.FileRowHeight + 9)
	fill(t, dir, numbered(0, 50)...)
	for _, n := range []string{"f0110", "f0252", "f0399"} {
		if err := os.Remove(filepath.Join(dir, n)); err != nil {
			t.Fatal(err)
		}
	}
	w.batches <- change.Batch{LookAgain: true}
	s.until(t, "the refresh", func() bool { return s.listing.Len() == 347 })
	if got := s.rows.Offset(); got != float32(s.listing.Find("f0245"))*widget.FileRowHeight+9 {
		t.Errorf("the view moved: at the top is row %v, f0245 is row %d", got/widget.FileRowHeight, s.listing.Find("f0245"))
	}
	if got := s.sel.Names(s.listing); !slices.Equal(got, []string{"f0250", "f0251", "f0253"}) {
		t.Errorf("selected %q", got)
	}
	if got := s.rows.Cursor(); got != s.listing.Find("f0253") {
		t.Errorf("the keyboard stands on row %d, f0253 is %d", got, s.listing.Find("f0253"))
	}
	if got := first(s.foot.Texts()); got != "3 selected  ·  3\u00a0B" {
		t.Errorf("the foot says %q", got)
	}
}

// TestTopStaysTheTop: who looks at the beginning sees what comes there.
func TestTopStaysTheTop(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, numbered(100, 200)...)
	w := s.open(t, dir)
	fill(t, dir, "a")
	w.batches <- change.Batch{Events: []fsnotify.Event{{Name: filepath.Join(dir, "a"), Op: fsnotify.Create}}}
	s.until(t, "the new file", func() bool { return s.listing.Len() == 101 })
	if s.rows.Offset() != 0 {
		t.Error("the view moved")
	}
}

func TestSingleEvents(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, "a", "b", "c")
	w := s.open(t, dir)
	if err := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "z")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b"), make([]byte, 5000), 0o644); err != nil {
		t.Fatal(err)
	}
	w.batches <- change.Batch{Events: []fsnotify.Event{
		{Name: filepath.Join(dir, "a"), Op: fsnotify.Rename},
		{Name: filepath.Join(dir, "z"), Op: fsnotify.Create},
		{Name: filepath.Join(dir, "b"), Op: fsnotify.Write},
		{Name: dir, Op: fsnotify.Chmod},
	}}
	s.until(t, "the changes", func() bool { return slices.Equal(s.names(), []string{"b", "c", "z"}) })
	if got := s.listing.Entries[0].Size; got != 5000 {
		t.Errorf("b has %d bytes", got)
	}
}

func TestGoneAndBack(t *testing.T) {
	s := newStage(t)
	dir := filepath.Join(t.TempDir(), "x")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, "a")
	w := s.open(t, dir)
	w.batches <- change.Batch{Gone: true}
	s.until(t, "that it is gone", func() bool { return s.gone })
	if !s.blank.Visible() {
		t.Error("nothing is said about it")
	}
	w.batches <- change.Batch{LookAgain: true}
	s.until(t, "that it is back", func() bool { return s.listing.Len() == 1 })
	if s.blank.Visible() {
		t.Error("it still says that it is gone")
	}
}

func TestErrorsAndEmptyFolders(t *testing.T) {
	s := newStage(t)
	s.Open(filepath.Join(t.TempDir(), "none"))
	s.until(t, "the error", func() bool { return s.err != nil })
	if _, title, text := s.emptiness(); title == "" || text == "" {
		t.Errorf("%q %q", title, text)
	}
	dir := t.TempDir()
	s.open(t, dir)
	if _, title, _ := s.emptiness(); !s.blank.Visible() || title != present.T("window.empty") {
		t.Errorf("an empty folder: %q", title)
	}
	hidden := t.TempDir()
	fill(t, hidden, ".h")
	s.open(t, hidden)
	if _, _, text := s.emptiness(); text != present.T("window.empty_hidden", "Count", int64(1)) {
		t.Errorf("only hidden: %q", text)
	}
	s.ShowHidden(true)
	s.until(t, "the hidden one", func() bool { return s.listing.Len() == 1 })
	s.Filter("zzz")
	s.until(t, "the filter", func() bool { return s.listing.Len() == 0 })
	if _, title, _ := s.emptiness(); title != present.T("window.no_match") {
		t.Errorf("nothing matches: %q", title)
	}
}

func TestKeyboard(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, numbered(0, 100)...)
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.open(t, dir)
	press := func(names ...fyne.KeyName) {
		for _, n := range names {
			s.rows.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	at := func(want string, selected int) {
		t.Helper()
		got, _ := s.sel.Cursor()
		if got != want || s.sel.Len() != selected {
			t.Errorf("on %q with %d selected, want %q and %d", got, s.sel.Len(), want, selected)
		}
	}
	press(fyne.KeyDown)
	at("sub", 1)
	press(fyne.KeyDown, fyne.KeyDown)
	at("f0001", 1)
	press(fyne.KeyEnd)
	at("f0099", 1)
	s.mods = fyne.KeyModifierShift
	press(fyne.KeyUp, fyne.KeyUp)
	at("f0097", 3)
	s.mods = 0
	press(fyne.KeyHome)
	at("sub", 1)
	press(fyne.KeyPageDown)
	at("f0009", 1)
	press(fyne.KeyReturn)
	if len(s.opened) != 1 || filepath.Base(s.opened[0]) != "f0009" {
		t.Errorf("opened %q", s.opened)
	}
	for _, c := range "f0042" {
		s.rows.TypedRune(c)
	}
	at("f0042", 1)
	s.now = s.now.Add(2 * time.Second)
	s.rows.TypedRune(' ')
	at("f0042", 0)
	s.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	at("f0042", 101)
	press(fyne.KeyEscape)
	at("f0042", 0)
	s.rows.TypedRune('s')
	at("sub", 1)
	press(fyne.KeyReturn)
	s.until(t, "the folder in it", func() bool { return s.listing.Dir == filepath.Join(dir, "sub") })
	press(fyne.KeyBackspace)
	s.until(t, "the folder above", func() bool { return s.listing.Dir == dir })
	at("sub", 1)
}

func TestHistoryComesBackToTheSamePlace(t *testing.T) {
	s := newStage(t)
	dir, other := t.TempDir(), t.TempDir()
	fill(t, dir, numbered(0, 200)...)
	s.open(t, dir)
	s.moveTo(150, false)
	s.rows.ScrollTo(145 * widget.FileRowHeight)
	s.open(t, other)
	if !s.CanGo(-1) || s.CanGo(1) {
		t.Error("the way back is not there, or one forward is")
	}
	s.Go(-1)
	s.until(t, "the first folder", func() bool { return s.listing.Dir == dir })
	if s.rows.Offset() != 145*widget.FileRowHeight || s.rows.Cursor() != 150 {
		t.Errorf("offset %v, row %d", s.rows.Offset()/widget.FileRowHeight, s.rows.Cursor())
	}
	s.Go(1)
	s.until(t, "the other folder", func() bool { return s.listing.Dir == other })
	s.Go(1)
	if s.Dir() != other {
		t.Error("it went forward into nothing")
	}
}

func TestClicks(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, "a", "b", "c", "d")
	s.open(t, dir)
	sel := func(want ...string) {
		t.Helper()
		if got := s.sel.Names(s.listing); !slices.Equal(got, want) {
			t.Errorf("selected %q, want %q", got, want)
		}
	}
	s.down(1, 0)
	sel("b")
	s.down(3, fyne.KeyModifierControl)
	sel("b", "d")
	s.down(3, 0)
	sel("b", "d") // may be the beginning of a drag of both
	s.up(3, 0)
	sel("d")
	s.down(1, fyne.KeyModifierShift)
	sel("b", "c", "d")
	if got := s.Selected(); len(got) != 3 || got[0] != filepath.Join(dir, "b") {
		t.Errorf("paths %q", got)
	}
	s.down(-1, 0)
	sel()
}

func TestSorting(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, "a", "b")
	if err := os.WriteFile(filepath.Join(dir, "big"), make([]byte, 100), 0o644); err != nil {
		t.Fatal(err)
	}
	s.open(t, dir)
	s.header.OnSort(1)
	s.until(t, "sorted by size", func() bool { return slices.Equal(s.names(), []string{"big", "a", "b"}) })
	s.header.OnSort(1)
	s.until(t, "the other way round", func() bool { return slices.Equal(s.names(), []string{"a", "b", "big"}) })
}

func TestDropTarget(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub\xff"), 0o755); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, "file")
	s.open(t, dir)
	top := s.header.MinSize().Height
	for _, c := range []struct {
		y    float32
		want string
	}{{top + 5, filepath.Join(dir, "sub\xff")}, {top + widget.FileRowHeight + 5, dir}, {top + 5*widget.FileRowHeight, dir}} {
		if got, ok := s.DropTarget(fyne.NewPos(100, c.y)); !ok || got != c.want {
			t.Errorf("at %v: %q %v, want %q", c.y, got, ok, c.want)
		}
	}
	if _, ok := s.DropTarget(fyne.NewPos(1000, 10)); ok {
		t.Error("a point beside the view is in it")
	}
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"tofolder": "real", "broken": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if want := e.Name != "broken"; e.Folder != want {
			t.Errorf("%s: folder %v", e.Name, e.Folder)
		}
		if e.Name == "broken" && e.Target != "nowhere" {
			t.Errorf("target %q", e.Target)
		}
	}
}

func TestTypedPath(t *testing.T) {
	for _, c := range []struct {
		text, want string
		ok         bool
	}{
		{`/x/\xFF`, "/x/\xff", true}, // what stands there, untouched, means the folder on view
		{"/usr/share/", "/usr/share", true},
		{"~", "/home/a", true},
		{"~/b", "/home/a/b", true},
		{"sub", "/x/\xff/sub", true},
		{"..", "/x", true},
		{"file:///a%20b", "/a b", true},
		{"host:path", "", false},
		{"//x/./y", "/x/y", true},
		{"sftp://host/x", "", false},
		{"  ", "", false},
	} {
		got, ok := typedPath(c.text, `/x/\xFF`, "/x/\xff", "/home/a")
		if got != c.want || ok != c.ok {
			t.Errorf("%q: %q %v, want %q %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

func TestCrumbsOf(t *testing.T) {
	present.SetLanguage("en")
	for _, c := range []struct {
		dir    string
		labels []string
		dirs   []string
	}{
		{"/", []string{"Computer"}, []string{"/"}},
		{"/usr/share", []string{"Computer", "usr", "share"}, []string{"/", "/usr", "/usr/share"}},
		{"/home/a", []string{"Home"}, []string{"/home/a"}},
		{"/home/a/b\xff", []string{"Home", `b\xFF`}, []string{"/home/a", "/home/a/b\xff"}},
		{"/home/ab", []string{"Computer", "home", "ab"}, []string{"/", "/home", "/home/ab"}},
	} {
		crumbs, dirs := crumbsOf(c.dir, "/home/a")
		var labels []string
		for _, k := range crumbs {
			labels = append(labels, k.Label)
		}
		if !slices.Equal(labels, c.labels) || !slices.Equal(dirs, c.dirs) {
			t.Errorf("%q: %q %q", c.dir, labels, dirs)
		}
	}
}
