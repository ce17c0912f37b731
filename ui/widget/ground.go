package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Ground lies under everything in a window and gets the presses that nothing else has a use for. The toolkit takes the
// keyboard away at such a press; OnPress, which is called after that, can give it back.
type Ground struct {
	widget.BaseWidget
	OnPress func()
}

var _ fyne.Tappable = (*Ground)(nil)

// NewGround returns a ground.
func NewGround(press func()) *Ground {
	g := &Ground{OnPress: press}
	g.ExtendBaseWidget(g)
	return g
}

// Tapped implements fyne.Tappable.
func (g *Ground) Tapped(*fyne.PointEvent) {
	if g.OnPress != nil {
		g.OnPress()
	}
}

// CreateRenderer implements fyne.Widget.
func (g *Ground) CreateRenderer() fyne.WidgetRenderer {
	return &simple{
		layout:  func(fyne.Size) {},
		min:     func() fyne.Size { return fyne.Size{} },
		refresh: func() {},
	}
}
