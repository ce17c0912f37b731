package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// PlaceRow is one place in the side bar: an icon, a name and, for a device, how full it is.
type PlaceRow struct {
	widget.BaseWidget

	OnTap func()
	OnKey func(*fyne.KeyEvent)

	icon    fyne.Resource
	label   string
	note    string  // "20 GB free", "" for none
	used    float64 // 0 … 1; < 0: not a device
	current bool

	hovered, focused bool
}

var (
	_ fyne.Tappable     = (*PlaceRow)(nil)
	_ fyne.Focusable    = (*PlaceRow)(nil)
	_ desktop.Hoverable = (*PlaceRow)(nil)
)

// NewPlaceRow returns a place without a bar.
func NewPlaceRow(icon fyne.Resource, label string) *PlaceRow {
	p := &PlaceRow{icon: icon, label: label, used: -1}
	p.ExtendBaseWidget(p)
	return p
}

// Texts are what the row says: the name, and what stands below it.
func (p *PlaceRow) Texts() (label, note string) { return p.label, p.note }

// SetSpace shows how full a device is, and a note below; used < 0 shows no bar, and "" no note.
func (p *PlaceRow) SetSpace(used float64, note string) {
	if p.used != used || p.note != note {
		p.used, p.note = used, note
		p.Refresh()
	}
}

// SetCurrent marks the place that the folder on view is.
func (p *PlaceRow) SetCurrent(on bool) {
	if p.current != on {
		p.current = on
		p.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (p *PlaceRow) Tapped(*fyne.PointEvent) {
	if p.OnTap != nil {
		p.OnTap()
	}
}

// MouseIn implements desktop.Hoverable.
func (p *PlaceRow) MouseIn(*desktop.MouseEvent) { p.hovered = true; p.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (p *PlaceRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (p *PlaceRow) MouseOut() { p.hovered = false; p.Refresh() }

// FocusGained implements fyne.Focusable.
func (p *PlaceRow) FocusGained() { p.focused = true; p.Refresh() }

// FocusLost implements fyne.Focusable.
func (p *PlaceRow) FocusLost() { p.focused = false; p.Refresh() }

// TypedRune implements fyne.Focusable.
func (p *PlaceRow) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (p *PlaceRow) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		p.Tapped(nil)
	default:
		if p.OnKey != nil {
			p.OnKey(ev)
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (p *PlaceRow) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	const row, iconSize, inset, padX, barHeight = 28, 17, 6, 8, 4
	bg, over := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	icon := newIcon(p.icon)
	label, note := newText(textSize()), newText(captionSize()-1)
	bar := NewBar(barHeight)
	r := &simple{objects: []fyne.CanvasObject{bg, over, icon, label, note, bar}}
	r.min = func() fyne.Size {
		switch {
		case p.used >= 0:
			return fyne.NewSize(100, row+20)
		case p.note != "":
			return fyne.NewSize(100, row+14)
		}
		return fyne.NewSize(100, row)
	}
	r.layout = func(s fyne.Size) {
		for _, b := range []*canvas.Rectangle{bg, over} {
			b.Move(fyne.NewPos(inset, 1))
			b.Resize(fyne.NewSize(s.Width-2*inset, s.Height-2))
		}
		x := float32(inset + padX)
		icon.Move(fyne.NewPos(x, (row-iconSize)/2))
		icon.Resize(fyne.NewSquareSize(iconSize))
		tx := x + iconSize + 8
		w := s.Width - tx - inset - padX
		label.Text = Elide(p.label, w, textSize(), label.TextStyle, false)
		place(label, tx, 0, w, row)
		bar.Hidden, note.Hidden = p.used < 0, p.note == ""
		y := float32(row - 6)
		if !bar.Hidden {
			bar.Move(fyne.NewPos(tx, row-2))
			bar.Resize(fyne.NewSize(w, barHeight))
			y = row + 1
		}
		note.Text = Elide(p.note, w, note.TextSize, note.TextStyle, false)
		place(note, tx, y, w, 17)
	}
	r.refresh = func() {
		for _, b := range []*canvas.Rectangle{bg, over} {
			b.CornerRadius = fynetheme.Size(fynetheme.SizeNameSelectionRadius)
			b.FillColor, b.StrokeWidth = nil, 0
		}
		if p.current {
			bg.FillColor = colour(theme.Selected)
		}
		if p.hovered {
			over.FillColor = colour(fynetheme.ColorNameHover)
		}
		if p.focused {
			over.StrokeWidth, over.StrokeColor = 1.5, colour(fynetheme.ColorNamePrimary)
		}
		label.Color, label.TextSize = colour(fynetheme.ColorNameForeground), textSize()
		label.TextStyle.Bold = p.current
		note.Color, note.TextSize = colour(theme.Secondary), captionSize()-1
		fill := fynetheme.ColorNamePrimary
		if p.used > 0.95 {
			fill = fynetheme.ColorNameError
		} else if p.used > 0.85 {
			fill = fynetheme.ColorNameWarning
		}
		bar.Set(p.used, fill)
		r.layout(p.Size())
		for _, o := range r.objects {
			o.Refresh()
		}
	}
	r.refresh()
	return r
}
