package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// Header names the columns of a folder and sorts by the one that is pressed.
type Header struct {
	widget.BaseWidget

	// OnSort is told which column was pressed: 0 name, 1 size, 2 date.
	OnSort func(column int)

	cols    *Columns
	titles  [3]string
	sorted  int
	reverse bool
	hover   int
}

var (
	_ fyne.Tappable     = (*Header)(nil)
	_ desktop.Hoverable = (*Header)(nil)
)

// NewHeader returns a header over rows with the same columns.
func NewHeader(cols *Columns, name, size, date string) *Header {
	h := &Header{cols: cols, titles: [3]string{name, size, date}, hover: -1}
	h.ExtendBaseWidget(h)
	return h
}

// SetSorted marks the column that the rows are sorted by.
func (h *Header) SetSorted(column int, reverse bool) {
	if h.sorted != column || h.reverse != reverse {
		h.sorted, h.reverse = column, reverse
		h.Refresh()
	}
}

func (h *Header) columnAt(x float32) int {
	_, size, date, _ := h.cols.spans(h.Size().Width)
	switch {
	case h.cols.Date > 0 && x >= date-4:
		return 2
	case h.cols.Size > 0 && x >= size-4:
		return 1
	}
	return 0
}

// Tapped implements fyne.Tappable.
func (h *Header) Tapped(ev *fyne.PointEvent) {
	if h.OnSort != nil {
		h.OnSort(h.columnAt(ev.Position.X))
	}
}

// MouseIn implements desktop.Hoverable.
func (h *Header) MouseIn(ev *desktop.MouseEvent) { h.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (h *Header) MouseMoved(ev *desktop.MouseEvent) { h.setHover(h.columnAt(ev.Position.X)) }

// MouseOut implements desktop.Hoverable.
func (h *Header) MouseOut() { h.setHover(-1) }

func (h *Header) setHover(c int) {
	if h.hover != c {
		h.hover = c
		h.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (h *Header) CreateRenderer() fyne.WidgetRenderer {
	h.ExtendBaseWidget(h)
	var texts [3]*canvas.Text
	line := canvas.NewRectangle(nil)
	arrow := newIcon(theme.SortDown)
	objects := []fyne.CanvasObject{line, arrow}
	for i := range texts {
		texts[i] = newText(captionSize())
		objects = append(objects, texts[i])
	}
	r := &simple{objects: objects}
	r.min = func() fyne.Size { return fyne.NewSize(80, 26) }
	r.layout = func(s fyne.Size) {
		line.Move(fyne.NewPos(0, s.Height-1))
		line.Resize(fyne.NewSize(s.Width, 1))
		name, size, date, end := h.cols.spans(s.Width)
		width := func(i int) float32 { return measure(texts[i].Text, captionSize(), texts[i].TextStyle) }
		const side = 16
		arrow.Resize(fyne.NewSquareSize(side))
		at := func(i int, left, right float32) {
			x := left
			if i > 0 {
				x = right - width(i)
			}
			place(texts[i], x, 0, width(i), s.Height)
			if i == h.sorted {
				ax := x + width(i) + 1
				if i > 0 {
					ax = x - side - 1
				}
				arrow.Move(fyne.NewPos(ax, (s.Height-side)/2))
			}
		}
		at(0, name, size)
		at(1, size, size+h.cols.Size)
		at(2, date, end)
		texts[1].Hidden = h.cols.Size == 0
		texts[2].Hidden = h.cols.Date == 0
		arrow.Hidden = texts[h.sorted].Hidden
	}
	r.refresh = func() {
		line.FillColor = colour(fynetheme.ColorNameSeparator)
		for i, t := range texts {
			t.Text, t.TextSize = h.titles[i], captionSize()
			t.Color = colour(theme.Secondary)
			if i == h.sorted || i == h.hover {
				t.Color = colour(fynetheme.ColorNameForeground)
			}
			t.TextStyle.Bold = i == h.sorted
		}
		if h.reverse {
			arrow.Resource = theme.SortUp
		} else {
			arrow.Resource = theme.SortDown
		}
		r.layout(h.Size())
		for _, o := range objects {
			o.Refresh()
		}
	}
	r.refresh()
	return r
}
