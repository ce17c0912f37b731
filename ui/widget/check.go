package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// Check is a box to tick. fyne's own has the border of its entries, which in a calm theme is too faint to be seen as a box, and it
// keeps keys to itself.
type Check struct {
	widget.BaseWidget

	Text      string
	Checked   bool
	OnChanged func(bool)
	OnKey     func(*fyne.KeyEvent)

	focused, hovered bool
}

var (
	_ fyne.Tappable     = (*Check)(nil)
	_ fyne.Focusable    = (*Check)(nil)
	_ desktop.Hoverable = (*Check)(nil)
)

// NewCheck returns a box that is not ticked.
func NewCheck(text string, changed func(bool)) *Check {
	c := &Check{Text: text, OnChanged: changed}
	c.ExtendBaseWidget(c)
	return c
}

// Tapped implements fyne.Tappable.
func (c *Check) Tapped(*fyne.PointEvent) {
	c.Checked = !c.Checked
	c.Refresh()
	if c.OnChanged != nil {
		c.OnChanged(c.Checked)
	}
}

// MouseIn implements desktop.Hoverable.
func (c *Check) MouseIn(*desktop.MouseEvent) { c.hovered = true; c.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (c *Check) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *Check) MouseOut() { c.hovered = false; c.Refresh() }

// FocusGained implements fyne.Focusable.
func (c *Check) FocusGained() { c.focused = true; c.Refresh() }

// FocusLost implements fyne.Focusable.
func (c *Check) FocusLost() { c.focused = false; c.Refresh() }

// TypedRune implements fyne.Focusable.
func (c *Check) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (c *Check) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeySpace {
		c.Tapped(nil)
	} else if c.OnKey != nil {
		c.OnKey(ev)
	}
}

// CreateRenderer implements fyne.Widget.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	const box, gap, height, pad = 17, 9, 28, 2
	square := canvas.NewRectangle(nil)
	mark := newIcon(theme.Tick)
	text := newText(textSize())
	r := &simple{objects: []fyne.CanvasObject{square, mark, text}}
	r.min = func() fyne.Size {
		return fyne.NewSize(pad+box+gap+measure(c.Text, textSize(), text.TextStyle), height)
	}
	r.layout = func(s fyne.Size) {
		square.Move(fyne.NewPos(pad, (s.Height-box)/2))
		square.Resize(fyne.NewSquareSize(box))
		mark.Move(fyne.NewPos(pad+1, (s.Height-box)/2+1))
		mark.Resize(fyne.NewSquareSize(box - 2))
		w := s.Width - pad - box - gap
		text.Text = Elide(c.Text, w, textSize(), text.TextStyle, false)
		place(text, pad+box+gap, 0, w, s.Height)
	}
	r.refresh = func() {
		text.TextSize, text.Color = textSize(), colour(fynetheme.ColorNameForeground)
		square.CornerRadius = 4
		square.StrokeWidth, square.StrokeColor = 1.5, colour(theme.Secondary)
		square.FillColor = nil
		if c.Checked {
			square.FillColor = colour(fynetheme.ColorNamePrimary)
			square.StrokeColor = square.FillColor
		} else if c.hovered {
			square.FillColor = colour(fynetheme.ColorNameHover)
		}
		if c.focused {
			square.StrokeWidth, square.StrokeColor = 2.5, colour(fynetheme.ColorNamePrimary)
			if c.Checked {
				square.StrokeColor = colour(fynetheme.ColorNameForeground)
			}
		}
		mark.Hidden = !c.Checked
		r.layout(c.Size())
		for _, o := range r.objects {
			o.Refresh()
		}
	}
	r.refresh()
	return r
}
