package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// Bar shows a fraction as a thin bar. It is not animated: what moves is what was done.
type Bar struct {
	widget.BaseWidget
	fraction float32
	thick    float32
	fill     fyne.ThemeColorName
}

// NewBar returns an empty bar.
func NewBar(thickness float32) *Bar {
	b := &Bar{thick: thickness, fill: fynetheme.ColorNamePrimary}
	b.ExtendBaseWidget(b)
	return b
}

// Set shows a fraction from 0 to 1 in a colour of the theme.
func (b *Bar) Set(fraction float64, fill fyne.ThemeColorName) {
	f := float32(max(0, min(fraction, 1)))
	if f == b.fraction && fill == b.fill {
		return
	}
	b.fraction, b.fill = f, fill
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	track, fill := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	r := &simple{objects: []fyne.CanvasObject{track, fill}}
	r.min = func() fyne.Size { return fyne.NewSize(40, b.thick) }
	r.layout = func(s fyne.Size) {
		y := (s.Height - b.thick) / 2
		track.Move(fyne.NewPos(0, y))
		track.Resize(fyne.NewSize(s.Width, b.thick))
		w := s.Width * b.fraction
		fill.Hidden = w < 1
		fill.Move(fyne.NewPos(0, y))
		fill.Resize(fyne.NewSize(max(w, b.thick), b.thick))
	}
	r.refresh = func() {
		track.FillColor, fill.FillColor = colour(theme.Track), colour(b.fill)
		track.CornerRadius, fill.CornerRadius = b.thick/2, b.thick/2
		r.layout(b.Size())
		track.Refresh()
		fill.Refresh()
	}
	r.refresh()
	return r
}
