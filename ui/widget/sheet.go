package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Sheet lies over the window as a dialog does: what is under it is dimmed and cannot be reached, but goes on. Escape
// closes it. fyne's dialogs know neither Escape nor where the keyboard should begin.
type Sheet struct {
	widget.BaseWidget

	// OnClose is called once when the sheet goes, however it goes.
	OnClose func()

	canvas  fyne.Canvas
	content fyne.CanvasObject
	want    fyne.Size
	focus   fyne.Focusable // where the keyboard began
	shown   bool
}

// NewSheet returns a sheet of a size that is reduced to what the window has room for. It is not shown yet.
func NewSheet(c fyne.Canvas, content fyne.CanvasObject, size fyne.Size) *Sheet {
	s := &Sheet{canvas: c, content: content, want: size}
	s.ExtendBaseWidget(s)
	return s
}

// Open shows the sheet and gives focus the keyboard.
func (s *Sheet) Open(focus fyne.Focusable) {
	if s.shown {
		return
	}
	s.shown, s.focus = true, focus
	s.canvas.Overlays().Add(s)
	s.Resize(s.canvas.Size())
	s.Refresh()
	if focus != nil {
		s.canvas.Focus(focus)
	}
}

// Shown reports whether the sheet is on the screen.
func (s *Sheet) Shown() bool { return s.shown }

// Close takes the sheet away.
func (s *Sheet) Close() {
	if !s.shown {
		return
	}
	s.shown = false
	s.canvas.Overlays().Remove(s)
	if s.OnClose != nil {
		s.OnClose()
	}
}

// Key closes the sheet on Escape; it is for the OnKey of what lies in it.
func (s *Sheet) Key(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyEscape {
		s.Close()
	}
}

// Tapped keeps presses beside the card from what lies under it. It does not close: that would be too easy to do by
// accident. The toolkit takes the keyboard away at such a press; it goes back to where it began.
func (s *Sheet) Tapped(*fyne.PointEvent) {
	if s.shown && s.focus != nil && s.canvas.Focused() == nil {
		s.canvas.Focus(s.focus)
	}
}

// Scrolled keeps the wheel from what lies under the sheet.
func (s *Sheet) Scrolled(*fyne.ScrollEvent) {}

// CreateRenderer implements fyne.Widget.
func (s *Sheet) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	dim, card := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	const pad, margin = 20, 16
	r := &simple{objects: []fyne.CanvasObject{dim, card, s.content}}
	r.min = func() fyne.Size { return fyne.NewSize(0, 0) } // the window decides
	r.layout = func(size fyne.Size) {
		dim.Resize(size)
		lim := fyne.NewSize(size.Width-2*margin, size.Height-2*margin)
		w := min(max(s.want.Width, s.content.MinSize().Width+2*pad), lim.Width)
		h := min(max(s.want.Height, s.content.MinSize().Height+2*pad), lim.Height)
		x, y := (size.Width-w)/2, max(margin, (size.Height-h)/2.3)
		card.Move(fyne.NewPos(x, y))
		card.Resize(fyne.NewSize(w, h))
		s.content.Move(fyne.NewPos(x+pad, y+pad))
		s.content.Resize(fyne.NewSize(w-2*pad, h-2*pad))
	}
	r.refresh = func() {
		dim.FillColor = colour(fynetheme.ColorNameShadow)
		card.FillColor = colour(fynetheme.ColorNameOverlayBackground)
		card.CornerRadius = 12
		card.StrokeWidth, card.StrokeColor = 1, colour(fynetheme.ColorNameSeparator)
		r.layout(s.Size())
		dim.Refresh()
		card.Refresh()
		s.content.Refresh()
	}
	r.refresh()
	return r
}
