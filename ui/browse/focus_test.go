package browse

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"drover/ui/present"
	"drover/ui/widget"
)

// TestPressesLeaveTheKeyboardToTheList: headers, buttons and the path keep none.
func TestPressesLeaveTheKeyboardToTheList(t *testing.T) {
	s := newStage(t)
	bar := NewBar(s.View)
	c := fyne.CurrentApp().Driver().CanvasForObject(s.rows)
	c.SetContent(container.NewBorder(bar.Object(), nil, nil, nil, s.Object()))
	s.open(t, t.TempDir())
	s.open(t, t.TempDir())
	bar.Show(s.Dir())
	for name, o := range map[string]fyne.Tappable{"header": s.header, "back": bar.back, "path": bar.crumbs} {
		c.Unfocus()
		if s.rows.Focused() {
			t.Fatal("the list keeps the keyboard whatever happens")
		}
		o.Tapped(&fyne.PointEvent{Position: fyne.NewPos(40, 10)})
		if !s.rows.Focused() {
			t.Errorf("after a press on the %s the list has no keyboard", name)
		}
	}
	c.Unfocus()
	bar.up.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if s.rows.Focused() {
		t.Error("the keyboard was taken from a button that it pressed")
	}
}

// TestTypedLettersAreShown: for as long as the next one would add to them.
func TestTypedLettersAreShown(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	fill(t, dir, "img 1", "img 2", "other")
	s.open(t, dir)
	foot := func(want string) {
		t.Helper()
		if got := first(s.foot.Texts()); got != want {
			t.Errorf("the foot says %q, want %q", got, want)
		}
	}
	s.Hint("what is under the pointer")
	s.rows.TypedRune('i')
	foot("Find: i")
	s.Hint("")
	s.rows.TypedRune('q')
	foot("Find: iq  ·  No name begins with this")
	s.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	foot("Find: i")
	if got, _ := s.sel.Cursor(); got != "img 1" || s.Dir() != dir {
		t.Errorf("on %q in %s", got, s.Dir())
	}
	s.now = s.now.Add(typePause)
	s.until(t, "the end of the search", func() bool { return s.typed.text == "" })
	foot("1 selected  ·  1\u00a0B")
	s.rows.TypedRune('o')
	foot("Find: o")
	s.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	if s.typed.text != "" {
		t.Error("Home does not end the search")
	}
}

// TestOpenForSelects: also in the folder that is on view, and through a filter.
func TestOpenForSelects(t *testing.T) {
	s := newStage(t)
	dir, other := t.TempDir(), t.TempDir()
	fill(t, dir, numbered(0, 200)...)
	s.open(t, dir)
	s.Filter("f0001")
	s.until(t, "the filter", func() bool { return s.listing.Len() == 1 })
	pick := func(*present.Listing) []string { return []string{"f0151", "gone", "f0150"} }
	check := func() {
		t.Helper()
		s.until(t, "the selection", func() bool { return s.shown.visit == s.want.visit && s.sel.Len() == 2 })
		if !s.sel.Has("f0150") || !s.sel.Has("f0151") || s.rows.Cursor() != 150 {
			t.Errorf("row %d", s.rows.Cursor())
		}
		if off := s.rows.Offset(); off < 100*widget.FileRowHeight {
			t.Errorf("scrolled to %v", off)
		}
	}
	s.OpenFor(dir, pick)
	check()
	s.moveTo(0, false)
	s.OpenFor(dir, pick)
	check()
	s.open(t, other)
	s.OpenFor(dir, pick)
	check()
	s.open(t, other)
	s.open(t, dir)
	if s.sel.Len() != 0 {
		t.Error("what was picked once is picked again")
	}
}
