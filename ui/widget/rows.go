package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// RowState is what a row shows beside its contents.
type RowState struct {
	Selected bool
	Cursor   bool // the keyboard stands here
	Hover    bool // the pointer is here, also while something is dragged
	Focused  bool // the list has the keyboard
}

// Row is one row on the screen. A Rows has as many as fit, and reuses them.
type Row interface {
	fyne.CanvasObject
	// Set shows entry i. It is called often: a row changes only what differs.
	Set(i int, s RowState)
	// Restyle takes over a change of the theme.
	Restyle()
}

// Rows is a list of any length. Only the rows in view exist; what a row shows is fetched when it comes into view.
// Who owns it keeps the model and the selection; Rows tells of clicks and keys and shows what it is told.
//
// fyne's own List selects one row at a time, works out every row again to refresh one, and knows no clicks with Ctrl or
// Shift; a folder needs all three.
type Rows struct {
	widget.BaseWidget

	Height   float32 // of each row; set once
	Length   func() int
	NewRow   func() Row
	Selected func(i int) bool

	// OnDown is told of a press of the first button; i is -1 below the last row.
	OnDown func(i int, mod fyne.KeyModifier)
	// OnUp is told of the release after OnDown on the same row.
	OnUp func(i int, mod fyne.KeyModifier)
	// OnMenu is told of a press of the second button, with the place on the canvas.
	OnMenu func(i int, at fyne.Position)
	// OnOpen is told of a double click.
	OnOpen func(i int)
	// OnKey, OnRune and OnShortcut get the keys while the list has the keyboard.
	OnKey      func(*fyne.KeyEvent)
	OnRune     func(rune)
	OnShortcut func(fyne.Shortcut)
	OnFocus    func(bool)

	cursor  int
	hover   int
	down    int
	focused bool
	scroll  *container.Scroll
	content *fyne.Container
	pool    []slot
}

type slot struct {
	row   Row
	index int // of the entry it shows, -1 for none
	state RowState
}

var (
	_ fyne.Focusable      = (*Rows)(nil)
	_ fyne.Shortcutable   = (*Rows)(nil)
	_ fyne.DoubleTappable = (*Rows)(nil)
	_ desktop.Mouseable   = (*Rows)(nil)
	_ desktop.Hoverable   = (*Rows)(nil)
)

// NewRows returns a list of rows of that height.
func NewRows(height float32) *Rows {
	r := &Rows{Height: height, cursor: -1, hover: -1, down: -1}
	r.ExtendBaseWidget(r)
	r.content = container.New(rowsLayout{r})
	r.scroll = container.NewVScroll(r.content)
	r.scroll.OnScrolled = func(fyne.Position) { r.show(false) }
	return r
}

// rowsLayout gives the content the height of all rows, and fills the part in view.
type rowsLayout struct{ r *Rows }

func (l rowsLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, float32(l.r.length())*l.r.Height)
}

func (l rowsLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.r.show(false) }

func (r *Rows) length() int {
	if r.Length == nil {
		return 0
	}
	return r.Length()
}

// CreateRenderer implements fyne.Widget.
func (r *Rows) CreateRenderer() fyne.WidgetRenderer {
	r.ExtendBaseWidget(r)
	return &simple{
		objects: []fyne.CanvasObject{r.scroll},
		layout: func(s fyne.Size) {
			r.scroll.Resize(s)
			r.show(false)
		},
		min: func() fyne.Size { return fyne.NewSize(80, 3*r.Height) },
		refresh: func() {
			for i := range r.pool {
				r.pool[i].row.Restyle()
			}
			r.Reload()
		},
	}
}

// Reload shows the entries anew after the model changed; the offset stays where it can.
func (r *Rows) Reload() {
	for i := range r.pool {
		r.pool[i].index = -1
	}
	if r.hover >= r.length() {
		r.hover = -1
	}
	r.scroll.Refresh() // takes the new height over, and so the offset back if there is less to see
	r.show(true)
}

// Update shows selection, cursor and hover anew; the model is the same.
func (r *Rows) Update() { r.show(false) }

// show fills the rows in view. With all it fetches also those that show the right entry already.
func (r *Rows) show(all bool) {
	n, size := r.length(), r.Size()
	first := max(0, int(r.scroll.Offset.Y/r.Height))
	last := min(n-1, int((r.scroll.Offset.Y+size.Height)/r.Height))
	want := int(size.Height/r.Height) + 2
	if len(r.pool) < want && r.NewRow != nil && n > 0 && size.Width > 0 {
		for len(r.pool) < want {
			row := r.NewRow()
			row.Hide()
			r.pool = append(r.pool, slot{row: row})
			r.content.Objects = append(r.content.Objects, row)
		}
		for i := range r.pool {
			r.pool[i].index = -1
		}
		canvas.Refresh(r.content)
	}
	if len(r.pool) == 0 {
		return
	}
	for k := range r.pool {
		i := first + (k-first%len(r.pool)+len(r.pool))%len(r.pool) // the entry that this slot shows, so that a row that stays in view stays in its slot
		s := &r.pool[k]
		if i > last {
			s.index = -1
			if s.row.Visible() {
				s.row.Hide()
			}
			continue
		}
		st := RowState{
			Selected: r.Selected != nil && r.Selected(i),
			Cursor:   i == r.cursor,
			Hover:    i == r.hover,
			Focused:  r.focused,
		}
		s.row.Resize(fyne.NewSize(size.Width, r.Height))
		s.row.Move(fyne.NewPos(0, float32(i)*r.Height))
		if all || s.index != i || s.state != st {
			s.index, s.state = i, st
			s.row.Set(i, st)
		}
		if !s.row.Visible() {
			s.row.Show()
		}
	}
}

// Cursor is the row that the keyboard stands on, or -1.
func (r *Rows) Cursor() int { return r.cursor }

// SetCursor moves the keyboard to row i (-1: nowhere), and with reveal brings it into view.
func (r *Rows) SetCursor(i int, reveal bool) {
	r.cursor = i
	if reveal && i >= 0 {
		r.Reveal(i)
	}
	r.show(false)
}

// Reveal scrolls as little as needed to have row i in view.
func (r *Rows) Reveal(i int) {
	y := float32(i) * r.Height
	off := r.scroll.Offset.Y
	switch {
	case y < off:
		off = y
	case y+r.Height > off+r.Size().Height:
		off = y + r.Height - r.Size().Height
	}
	r.ScrollTo(off)
}

// Offset is how far the list is scrolled.
func (r *Rows) Offset() float32 { return r.scroll.Offset.Y }

// ScrollTo scrolls to an offset, as far as there is something to see.
func (r *Rows) ScrollTo(y float32) {
	y = max(0, min(y, float32(r.length())*r.Height-r.Size().Height))
	r.scroll.ScrollToOffset(fyne.NewPos(0, y))
	r.show(false)
}

// PageLen is how many whole rows are in view.
func (r *Rows) PageLen() int { return max(1, int(r.Size().Height/r.Height)) }

// RowAt returns the row at a place within the widget, or -1.
func (r *Rows) RowAt(p fyne.Position) int {
	if p.X < 0 || p.Y < 0 || p.X > r.Size().Width || p.Y > r.Size().Height {
		return -1
	}
	i := int((p.Y + r.scroll.Offset.Y) / r.Height)
	if i >= r.length() {
		return -1
	}
	return i
}

// InView calls f with each row that is on the screen.
func (r *Rows) InView(f func(i int)) {
	for _, s := range r.pool {
		if s.index >= 0 {
			f(s.index)
		}
	}
}

// MouseDown implements desktop.Mouseable.
func (r *Rows) MouseDown(ev *desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(r); c != nil && !r.focused {
		c.Focus(r)
	}
	i := r.RowAt(ev.Position)
	switch ev.Button {
	case desktop.MouseButtonPrimary:
		r.down = i
		if r.OnDown != nil {
			r.OnDown(i, ev.Modifier)
		}
	case desktop.MouseButtonSecondary:
		if r.OnMenu != nil {
			r.OnMenu(i, ev.AbsolutePosition)
		}
	}
}

// MouseUp implements desktop.Mouseable.
func (r *Rows) MouseUp(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonPrimary && r.OnUp != nil && r.RowAt(ev.Position) == r.down {
		r.OnUp(r.down, ev.Modifier)
	}
}

// DoubleTapped implements fyne.DoubleTappable.
func (r *Rows) DoubleTapped(ev *fyne.PointEvent) {
	if i := r.RowAt(ev.Position); i >= 0 && r.OnOpen != nil {
		r.OnOpen(i)
	}
}

// MouseIn implements desktop.Hoverable.
func (r *Rows) MouseIn(ev *desktop.MouseEvent) { r.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (r *Rows) MouseMoved(ev *desktop.MouseEvent) { r.setHover(r.RowAt(ev.Position)) }

// MouseOut implements desktop.Hoverable.
func (r *Rows) MouseOut() { r.setHover(-1) }

func (r *Rows) setHover(i int) {
	if r.hover != i {
		r.hover = i
		r.show(false)
	}
}

// Focused reports whether the list has the keyboard.
func (r *Rows) Focused() bool { return r.focused }

// FocusGained implements fyne.Focusable.
func (r *Rows) FocusGained() { r.setFocus(true) }

// FocusLost implements fyne.Focusable.
func (r *Rows) FocusLost() { r.setFocus(false) }

func (r *Rows) setFocus(on bool) {
	r.focused = on
	r.show(false)
	if r.OnFocus != nil {
		r.OnFocus(on)
	}
}

// TypedRune implements fyne.Focusable.
func (r *Rows) TypedRune(c rune) {
	if r.OnRune != nil {
		r.OnRune(c)
	}
}

// TypedKey implements fyne.Focusable.
func (r *Rows) TypedKey(ev *fyne.KeyEvent) {
	if r.OnKey != nil {
		r.OnKey(ev)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (r *Rows) TypedShortcut(s fyne.Shortcut) {
	if r.OnShortcut != nil {
		r.OnShortcut(s)
	}
}
