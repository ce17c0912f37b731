package widget

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// SideCells is what a SideCard shows.
type SideCells struct {
	Heading    string
	Icon       fyne.Resource
	Name       string
	Folder     string
	Kind       string
	Size, Date string
	Hints      []string
}

// SideCard shows one of two files that have to be told apart.
type SideCard struct {
	widget.BaseWidget
	cells SideCells
}

// NewSideCard returns an empty card.
func NewSideCard() *SideCard {
	c := &SideCard{}
	c.ExtendBaseWidget(c)
	return c
}

// Set shows c.
func (c *SideCard) Set(cells SideCells) {
	c.cells = cells
	c.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (c *SideCard) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	const pad, iconSize, line = 12, 34, 20
	bg := canvas.NewRectangle(nil)
	icon := newIcon(theme.File)
	heading, name, folder := newText(captionSize()), newText(textSize()), newText(captionSize())
	kind, size, date, hint := newText(captionSize()), newText(textSize()), newText(textSize()), newText(captionSize())
	hintBg := canvas.NewRectangle(nil)
	name.TextStyle.Bold, hint.TextStyle.Bold = true, true
	texts := []*canvas.Text{heading, name, folder, kind, size, date, hint}
	r := &simple{objects: []fyne.CanvasObject{bg, icon, hintBg, heading, name, folder, kind, size, date, hint}}
	r.min = func() fyne.Size { return fyne.NewSize(190, pad+20+6+4*line+8+line+pad) }
	r.layout = func(s fyne.Size) {
		bg.Resize(s)
		w := s.Width - 2*pad
		fit := func(t *canvas.Text, text string, x, y, w float32, keepEnd bool) {
			t.Text = Elide(text, w, t.TextSize, t.TextStyle, keepEnd)
			place(t, x, y, w, line)
		}
		y := float32(pad - 2)
		fit(heading, c.cells.Heading, pad, y, w, false)
		y += 26
		icon.Move(fyne.NewPos(pad, y+3))
		icon.Resize(fyne.NewSquareSize(iconSize))
		x := float32(pad + iconSize + 10)
		fit(name, c.cells.Name, x, y, s.Width-pad-x, true)
		fit(folder, c.cells.Folder, x, y+line, s.Width-pad-x, true)
		y += 2*line + 8
		first, second := c.cells.Size, c.cells.Date
		fit(size, first, pad, y, w, false)
		fit(date, second, pad, y+line, w, false)
		fit(kind, c.cells.Kind, pad, y+2*line, w, true)
		text := strings.Join(c.cells.Hints, ", ")
		hint.Hidden, hintBg.Hidden = text == "", text == ""
		if text != "" {
			hw := measure(text, hint.TextSize, hint.TextStyle)
			hx := s.Width - pad - hw - 8
			hint.Text = text
			place(hint, hx, pad-2, hw, line)
			hintBg.Move(fyne.NewPos(hx-8, pad-2))
			hintBg.Resize(fyne.NewSize(hw+16, line))
		}
	}
	r.refresh = func() {
		fg, soft := colour(fynetheme.ColorNameForeground), colour(theme.Secondary)
		for _, t := range texts {
			t.Color, t.TextSize = fg, textSize()
		}
		for _, t := range []*canvas.Text{heading, folder, kind, hint} {
			t.TextSize = captionSize()
			t.Color = soft
		}
		hint.Color = colour(fynetheme.ColorNameForegroundOnPrimary)
		hintBg.FillColor, hintBg.CornerRadius = colour(fynetheme.ColorNamePrimary), 10
		bg.FillColor, bg.CornerRadius = colour(theme.Card), 8
		bg.StrokeWidth, bg.StrokeColor = 1, colour(fynetheme.ColorNameSeparator)
		if c.cells.Icon != nil {
			icon.Resource = c.cells.Icon
		}
		r.layout(c.Size())
		for _, o := range r.objects {
			o.Refresh()
		}
	}
	r.refresh()
	return r
}
