// Package widget holds the parts that Drover's window is made of: rows that scroll through any number of entries,
// buttons, bars, cards and sheets. They present and report: each gets values and calls its On… fields. They know
// neither the engine nor any text for people, touch no disk, start no goroutine and belong to the main goroutine, as
// all of Fyne does.
//
// Every part that takes the keyboard shows where the keyboard is, and hands keys that mean nothing to it to its OnKey,
// so that Escape reaches the sheet that the part lies in.
package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
)

// colour looks a colour up in the theme of the moment.
func colour(name fyne.ThemeColorName) color.Color { return fynetheme.Color(name) }

func textSize() float32    { return fynetheme.Size(fynetheme.SizeNameText) }
func captionSize() float32 { return fynetheme.Size(fynetheme.SizeNameCaptionText) }

// newText makes a text that is given its place by hand.
func newText(size float32) *canvas.Text {
	t := canvas.NewText("", colour(fynetheme.ColorNameForeground))
	t.TextSize = size
	return t
}

// setText changes a text only where it differs: each refresh costs a texture.
func setText(t *canvas.Text, s string, c color.Color) {
	if t.Text == s && t.Color == c {
		return
	}
	t.Text, t.Color = s, c
	t.Refresh()
}

// place puts a text into a box, in the middle of its height.
func place(t *canvas.Text, x, y, w, h float32) {
	mh := t.MinSize().Height
	t.Resize(fyne.NewSize(w, mh))
	t.Move(fyne.NewPos(x, y+(h-mh)/2))
}

// setIcon changes an icon only where it differs: an SVG is parsed each time.
func setIcon(im *canvas.Image, r fyne.Resource) {
	if im.Resource == r {
		return
	}
	im.Resource = r
	im.Refresh()
}

func newIcon(r fyne.Resource) *canvas.Image {
	im := canvas.NewImageFromResource(r)
	im.FillMode = canvas.ImageFillContain
	return im
}

func measure(s string, size float32, style fyne.TextStyle) float32 {
	return fyne.MeasureText(s, size, style).Width
}

// simple is a renderer whose parts do not change.
type simple struct {
	objects []fyne.CanvasObject
	layout  func(fyne.Size)
	min     func() fyne.Size
	refresh func()
}

func (r *simple) Destroy()                     {}
func (r *simple) Layout(s fyne.Size)           { r.layout(s) }
func (r *simple) MinSize() fyne.Size           { return r.min() }
func (r *simple) Objects() []fyne.CanvasObject { return r.objects }
func (r *simple) Refresh()                     { r.refresh() }
