package widget

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"

	"drover/ui/theme"
)

// start begins a test with an app that looks like Drover.
func start(t *testing.T, c theme.Choice) {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(theme.New(c))
}

func show(t *testing.T, o fyne.CanvasObject, w, h float32) fyne.Window {
	t.Helper()
	win := test.NewTempWindow(t, o)
	win.SetPadded(false)
	win.Resize(fyne.NewSize(w, h))
	return win
}

func key(n fyne.KeyName) *fyne.KeyEvent { return &fyne.KeyEvent{Name: n} }

func TestElide(t *testing.T) {
	start(t, theme.Light)
	long := "a rather long name of a photo that does not fit 2026-03-04 (2).jpeg"
	for _, s := range []string{long, strings.Repeat("日本", 40), "x", "", strings.Repeat("i", 300)} {
		full := measure(s, 13, fyne.TextStyle{})
		for _, width := range []float32{0, 3, 20, 90, 200, 1000} {
			for _, keep := range []bool{false, true} {
				got := Elide(s, width, 13, fyne.TextStyle{}, keep)
				if !utf8.ValidString(got) {
					t.Fatalf("%q was cut within a character", got)
				}
				if w := measure(got, 13, fyne.TextStyle{}); w > width && got != dots {
					t.Errorf("%q is %v wide, room was for %v", got, w, width)
				}
				if full <= width && got != s {
					t.Errorf("%q was shortened to %q although it fits", s, got)
				}
			}
		}
	}
	if got := Elide(long, 200, 13, fyne.TextStyle{}, true); !strings.HasSuffix(got, ".jpeg") || !strings.HasPrefix(got, "a rather") {
		t.Errorf("neither end is left: %q", got)
	}
	if got := Elide(long, 200, 13, fyne.TextStyle{}, false); measure(got, 13, fyne.TextStyle{}) < 170 {
		t.Errorf("much room is left over: %q", got)
	}
}

func TestButtonKeys(t *testing.T) {
	start(t, theme.Light)
	pressed, passed := 0, 0
	b := NewButton("Go", Normal, func() { pressed++ })
	b.OnKey = func(*fyne.KeyEvent) { passed++ }
	var hint string
	b.Hint, b.OnHint = "goes", func(s string) { hint = s }
	w := show(t, b, 100, 40)
	w.Canvas().Focus(b)
	if hint != "goes" {
		t.Errorf("hint %q while it has the keyboard", hint)
	}
	for _, k := range []fyne.KeyName{fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter} {
		b.TypedKey(key(k))
	}
	b.TypedKey(key(fyne.KeyEscape))
	test.Tap(b)
	if pressed != 4 || passed != 1 {
		t.Errorf("pressed %d times, passed on %d", pressed, passed)
	}
	b.Enable(false)
	test.Tap(b)
	b.TypedKey(key(fyne.KeyReturn))
	if pressed != 4 {
		t.Error("it is disabled and can be pressed")
	}
}

// list returns rows over n entries, and counts how often entries are fetched.
func list(n int) (r *Rows, fetched *int) {
	fetched = new(int)
	cols := &Columns{}
	cols.For(400)
	r = NewRows(FileRowHeight)
	r.Length = func() int { return n }
	r.NewRow = func() Row {
		return NewFileRow(cols, func(i int) FileCells {
			*fetched++
			return FileCells{Icon: theme.File, Name: fmt.Sprintf("file %d", i)}
		})
	}
	return r, fetched
}

func shownNames(r *Rows) []string {
	var out []string
	r.InView(func(i int) { out = append(out, fmt.Sprint(i)) })
	return out
}

func TestOnlyRowsInViewExist(t *testing.T) {
	start(t, theme.Light)
	r, fetched := list(1_000_000)
	show(t, r, 400, 10*FileRowHeight)
	if n := len(r.pool); n > 13 {
		t.Errorf("%d rows for a view of ten", n)
	}
	before := *fetched
	r.ScrollTo(999_000 * FileRowHeight)
	if n := *fetched - before; n > 13 {
		t.Errorf("a jump fetched %d entries", n)
	}
	i := int(r.Offset() / FileRowHeight)
	if i < 998_990 || i > 999_010 {
		t.Errorf("at the top is row %d", i)
	}
	before = *fetched
	r.ScrollTo(r.Offset() + FileRowHeight)
	if n := *fetched - before; n > 2 {
		t.Errorf("one row further fetched %d entries", n)
	}
	r.ScrollTo(1e12)
	if last := int((r.Offset()+10*FileRowHeight)/FileRowHeight) - 1; last < 999_990 {
		t.Errorf("the end is row %d", last)
	}
}

func TestRowsShrink(t *testing.T) {
	start(t, theme.Light)
	n := 1000
	r, _ := list(0)
	r.Length = func() int { return n }
	show(t, r, 400, 10*FileRowHeight)
	r.Reload()
	r.ScrollTo(900 * FileRowHeight)
	n = 3
	r.Reload()
	if r.Offset() != 0 {
		t.Errorf("offset %v although all fits", r.Offset())
	}
	if got := len(shownNames(r)); got != 3 {
		t.Errorf("%d rows are shown", got)
	}
	n = 0
	r.Reload()
	if got := shownNames(r); len(got) != 0 {
		t.Errorf("rows %q of an empty list", got)
	}
}

func TestRowsPointer(t *testing.T) {
	start(t, theme.Light)
	r, _ := list(5)
	down, up, opened, menu := -9, -9, -9, -9
	var mod fyne.KeyModifier
	r.OnDown = func(i int, m fyne.KeyModifier) { down, mod = i, m }
	r.OnUp = func(i int, _ fyne.KeyModifier) { up = i }
	r.OnOpen = func(i int) { opened = i }
	r.OnMenu = func(i int, _ fyne.Position) { menu = i }
	show(t, r, 400, 10*FileRowHeight)
	at := func(row float32) fyne.PointEvent {
		return fyne.PointEvent{Position: fyne.NewPos(50, row*FileRowHeight+5)}
	}
	press := func(row float32, b desktop.MouseButton, m fyne.KeyModifier) {
		r.MouseDown(&desktop.MouseEvent{PointEvent: at(row), Button: b, Modifier: m})
		r.MouseUp(&desktop.MouseEvent{PointEvent: at(row), Button: b, Modifier: m})
	}
	press(2, desktop.MouseButtonPrimary, fyne.KeyModifierShift)
	if down != 2 || up != 2 || mod != fyne.KeyModifierShift || !r.Focused() {
		t.Errorf("down %d, up %d, modifier %v, keyboard %v", down, up, mod, r.Focused())
	}
	press(7, desktop.MouseButtonPrimary, 0)
	if down != -1 {
		t.Errorf("below the last row it is %d", down)
	}
	press(1, desktop.MouseButtonSecondary, 0)
	p := at(4)
	r.DoubleTapped(&p)
	if menu != 1 || opened != 4 {
		t.Errorf("menu %d, opened %d", menu, opened)
	}
	up = -9
	r.MouseDown(&desktop.MouseEvent{PointEvent: at(0), Button: desktop.MouseButtonPrimary})
	r.MouseUp(&desktop.MouseEvent{PointEvent: at(3), Button: desktop.MouseButtonPrimary})
	if up != -9 {
		t.Error("a release on another row counts")
	}
}

func TestReveal(t *testing.T) {
	start(t, theme.Light)
	r, _ := list(100)
	show(t, r, 400, 10*FileRowHeight)
	r.SetCursor(50, true)
	if got := r.Offset(); got != 41*FileRowHeight {
		t.Errorf("offset %v", got)
	}
	r.SetCursor(45, true)
	if got := r.Offset(); got != 41*FileRowHeight {
		t.Error("it scrolled although the row is in view")
	}
	r.SetCursor(3, true)
	if got := r.Offset(); got != 3*FileRowHeight {
		t.Errorf("offset %v", got)
	}
}

func TestSheet(t *testing.T) {
	start(t, theme.Light)
	w := show(t, NewBlank(), 600, 400)
	b := NewButton("OK", Primary, nil)
	closed := 0
	s := NewSheet(w.Canvas(), b, fyne.NewSize(300, 200))
	s.OnClose = func() { closed++ }
	b.OnKey = s.Key
	s.Open(b)
	if !s.Shown() || w.Canvas().Focused() != fyne.Focusable(b) || w.Canvas().Overlays().Top() != fyne.CanvasObject(s) {
		t.Error("it is not open")
	}
	b.TypedKey(key(fyne.KeyTab))
	b.TypedKey(key(fyne.KeyEscape))
	s.Close()
	if s.Shown() || closed != 1 || w.Canvas().Overlays().Top() != nil {
		t.Errorf("shown %v, closed %d times", s.Shown(), closed)
	}
}

// TestPressBesideTheCardKeepsTheKeyboard: else Escape would close the sheet no more.
func TestPressBesideTheCardKeepsTheKeyboard(t *testing.T) {
	start(t, theme.Light)
	w := show(t, canvas.NewRectangle(nil), 400, 300)
	b := NewButton("OK", Normal, nil)
	s := NewSheet(w.Canvas(), b, fyne.NewSize(100, 80))
	s.Open(b)
	w.Canvas().Unfocus()
	s.Tapped(&fyne.PointEvent{})
	if w.Canvas().Focused() != fyne.Focusable(b) {
		t.Error("the keyboard is gone")
	}
}

func TestGround(t *testing.T) {
	start(t, theme.Light)
	pressed := 0
	g := NewGround(func() { pressed++ })
	w := show(t, container.NewStack(g, canvas.NewRectangle(nil)), 400, 300)
	test.TapCanvas(w.Canvas(), fyne.NewPos(200, 150))
	if pressed != 1 {
		t.Errorf("pressed %d times", pressed)
	}
}

func TestCrumbs(t *testing.T) {
	start(t, theme.Light)
	c := NewCrumbs()
	opened, edited := -1, false
	c.OnOpen = func(i int) { opened = i }
	c.OnEdit = func() { edited = true }
	show(t, c, 500, 30)
	c.Set([]Crumb{{Label: "Home", Icon: theme.Home}, {Label: "Pictures"}, {Label: "2026"}})
	c.Tapped(&fyne.PointEvent{Position: fyne.NewPos(c.edges[1]+5, 10)})
	if opened != 1 {
		t.Errorf("opened %d", opened)
	}
	c.Tapped(&fyne.PointEvent{Position: fyne.NewPos(490, 10)})
	if !edited {
		t.Error("a press on the free part does not edit")
	}
	c.TypedKey(key(fyne.KeyLeft))
	c.TypedKey(key(fyne.KeyLeft))
	c.TypedKey(key(fyne.KeyReturn))
	if opened != 0 {
		t.Errorf("by keyboard opened %d", opened)
	}
	var deep []Crumb
	for i := range 40 {
		deep = append(deep, Crumb{Label: fmt.Sprint("folder ", i)})
	}
	c.Set(deep)
	if c.first == 0 || c.at(c.edges[0]+1) != c.first {
		t.Errorf("of a long path the first shown is %d", c.first)
	}
}

// TestLayoutIsCalm: fyne lays out what has new parts, and new parts have it draw. A part that makes any in its layout never rests.
func TestLayoutIsCalm(t *testing.T) {
	start(t, theme.Light)
	c := NewCrumbs()
	c.Set([]Crumb{{Label: "Home"}, {Label: "x"}})
	tr := NewTransferRow(TransferTexts{}, nil, nil, nil)
	p := NewPlaceRow(theme.Home, "Home")
	for _, o := range []fyne.Widget{c, tr, p, NewSideCard(), NewBar(4), NewHeader(&Columns{}, "a", "b", "c"), NewLine(), NewBlank(), NewCheck("x", nil), NewNotice(nil)} {
		show(t, o, 400, 60)
		r := test.WidgetRenderer(o)
		before := fmt.Sprint(r.Objects())
		for range 3 {
			r.Layout(o.Size())
		}
		if after := fmt.Sprint(r.Objects()); after != before {
			t.Errorf("%T makes new parts in its layout", o)
		}
	}
}

func TestPictures(t *testing.T) {
	for _, c := range []theme.Choice{theme.Light, theme.Dark} {
		t.Run(string(c), func(t *testing.T) {
			start(t, c)
			cols := &Columns{}
			cols.For(500)
			row := NewFileRow(cols, func(int) FileCells {
				return FileCells{Icon: theme.Image, Name: "a rather long name of a photo that does not fit into the row.jpeg", Size: "4.1 MB", Date: "Today 14:03"}
			})
			picture := func(name string, o fyne.CanvasObject, w, h float32) {
				t.Helper()
				win := show(t, o, w, h)
				test.AssertImageMatches(t, name+"-"+string(c)+".png", win.Canvas().Capture())
			}
			row.Set(0, RowState{Selected: true, Focused: true, Cursor: true})
			picture("filerow", row, 500, FileRowHeight)
			place := NewPlaceRow(theme.Stick, "USB stick")
			place.SetSpace(0.9, "12 GB free")
			place.SetCurrent(true)
			picture("place", place, 180, 48)
			tr := NewTransferRow(TransferTexts{Review: "Review…", Show: "Show", Retry: "Retry"}, nil, nil, nil)
			tr.Set(TransferCells{
				Icon: theme.Copying, Title: "5 000 items  →  USB stick", Percent: "62 %", Numbers: "41 MB/s  ·  0:12 left",
				Detail: "3 100 of 5 000 files  ·  62 MB of 100 MB", Attention: "12 questions", Fraction: 0.62, Fill: fynetheme.ColorNamePrimary,
				Pause: true, Cancel: true, Review: true,
			})
			picture("transfer", tr, 640, 74)
			tr.Set(TransferCells{
				Icon: theme.Failed, Title: "photos  →  nas", Numbers: "Nothing was copied", Problem: "The disk is full. Make room and try again.",
				Ended: true, Clear: true, Retry: true,
			})
			picture("transfer-failed", tr, 640, 58)
			side := NewSideCard()
			side.Set(SideCells{Heading: "To be copied", Icon: theme.Image, Name: "photo.jpg", Folder: "~/Pictures", Kind: "Image", Size: "4.1 kB (4 096 bytes)", Date: "Today 14:03", Hints: []string{"Newer", "Larger"}})
			picture("side", side, 330, 158)
		})
	}
}
