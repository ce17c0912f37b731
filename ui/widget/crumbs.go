package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// Crumb is one folder of a path.
type Crumb struct {
	Label string
	Icon  fyne.Resource // nil: none
}

// Crumbs shows a path as one button a folder. If the path is too long for the width, the folders in front are left out.
// It is one stop of the Tab key; Left and Right choose, Enter opens.
type Crumbs struct {
	widget.BaseWidget

	OnOpen func(i int)
	// OnPointer is called before OnOpen when the pointer pressed, not the keyboard.
	OnPointer func()
	// OnEdit is told that the person wants to type a path (a press on the free part).
	OnEdit func()
	OnKey  func(*fyne.KeyEvent)

	crumbs  []Crumb
	first   int // the first that is shown
	edges   []float32
	hover   int
	cursor  int
	focused bool
}

var (
	_ fyne.Tappable     = (*Crumbs)(nil)
	_ fyne.Focusable    = (*Crumbs)(nil)
	_ desktop.Hoverable = (*Crumbs)(nil)
)

// NewCrumbs returns an empty path.
func NewCrumbs() *Crumbs {
	c := &Crumbs{hover: -1}
	c.ExtendBaseWidget(c)
	return c
}

// Set shows a path.
func (c *Crumbs) Set(crumbs []Crumb) {
	c.crumbs = crumbs
	c.cursor = len(crumbs) - 1
	c.hover = -1
	c.Refresh()
}

func (c *Crumbs) at(x float32) int {
	for k := len(c.edges) - 1; k >= 0; k-- {
		if x >= c.edges[k] {
			i := c.first + k
			if i >= len(c.crumbs) {
				return -1
			}
			return i
		}
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (c *Crumbs) Tapped(ev *fyne.PointEvent) {
	if i := c.at(ev.Position.X); i >= 0 {
		if c.OnPointer != nil {
			c.OnPointer()
		}
		if c.OnOpen != nil {
			c.OnOpen(i)
		}
	} else if c.OnEdit != nil {
		c.OnEdit()
	}
}

// MouseIn implements desktop.Hoverable.
func (c *Crumbs) MouseIn(ev *desktop.MouseEvent) { c.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (c *Crumbs) MouseMoved(ev *desktop.MouseEvent) { c.setHover(c.at(ev.Position.X)) }

// MouseOut implements desktop.Hoverable.
func (c *Crumbs) MouseOut() { c.setHover(-1) }

func (c *Crumbs) setHover(i int) {
	if c.hover != i {
		c.hover = i
		c.Refresh()
	}
}

// FocusGained implements fyne.Focusable.
func (c *Crumbs) FocusGained() { c.focused = true; c.Refresh() }

// FocusLost implements fyne.Focusable.
func (c *Crumbs) FocusLost() { c.focused = false; c.Refresh() }

// TypedRune implements fyne.Focusable.
func (c *Crumbs) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (c *Crumbs) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyLeft:
		c.cursor = max(c.first, c.cursor-1)
		c.Refresh()
	case fyne.KeyRight:
		c.cursor = min(len(c.crumbs)-1, c.cursor+1)
		c.Refresh()
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if c.OnOpen != nil && c.cursor >= 0 {
			c.OnOpen(c.cursor)
		}
	default:
		if c.OnKey != nil {
			c.OnKey(ev)
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (c *Crumbs) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	const height, padX, arrow, iconSize = 30, 7, 14, 16
	bg := canvas.NewRectangle(nil)
	r := &simple{objects: []fyne.CanvasObject{bg}}
	r.min = func() fyne.Size { return fyne.NewSize(120, height) }
	width := func(k Crumb, bold bool) float32 {
		w := 2*padX + measure(k.Label, textSize(), fyne.TextStyle{Bold: bold})
		if k.Icon != nil {
			w += iconSize + 5
		}
		return w
	}
	// build makes the parts anew: a path changes seldom, and has few
	build := func(s fyne.Size) {
		bg.Resize(s)
		bg.CornerRadius = fynetheme.Size(fynetheme.SizeNameInputRadius)
		bg.FillColor = colour(fynetheme.ColorNameInputBackground)
		bg.StrokeWidth = 0
		if c.focused {
			bg.StrokeWidth, bg.StrokeColor = 1.5, colour(fynetheme.ColorNamePrimary)
		}
		r.objects = []fyne.CanvasObject{bg}
		c.edges = c.edges[:0]
		n := len(c.crumbs)
		if n == 0 || s.Width <= 0 {
			return
		}
		room := s.Width - 8
		c.first = n - 1
		used := width(c.crumbs[n-1], true)
		for c.first > 0 {
			w := width(c.crumbs[c.first-1], false) + arrow
			if c.first > 1 {
				if used+w+arrow > room {
					break
				}
			} else if used+w > room {
				break
			}
			used += w
			c.first--
		}
		x := float32(3)
		chevron := func() {
			im := newIcon(theme.Chevron)
			im.Resize(fyne.NewSquareSize(arrow))
			im.Move(fyne.NewPos(x, (s.Height-arrow)/2))
			r.objects = append(r.objects, im)
			x += arrow
		}
		if c.first > 0 {
			chevron()
		}
		for i := c.first; i < n; i++ {
			k := c.crumbs[i]
			last := i == n-1
			w := width(k, last)
			label := k.Label
			if x+w > s.Width-3 { // only ever the last one
				w = s.Width - 3 - x
				label = Elide(label, w-2*padX, textSize(), fyne.TextStyle{Bold: true}, false)
			}
			if i == c.hover || (c.focused && i == c.cursor) {
				h := canvas.NewRectangle(colour(fynetheme.ColorNameHover))
				h.CornerRadius = 5
				if c.focused && i == c.cursor {
					h.StrokeWidth, h.StrokeColor = 1.5, colour(fynetheme.ColorNamePrimary)
				}
				h.Move(fyne.NewPos(x, 3))
				h.Resize(fyne.NewSize(w, s.Height-6))
				r.objects = append(r.objects, h)
			}
			c.edges = append(c.edges, x)
			tx := x + padX
			if k.Icon != nil {
				im := newIcon(k.Icon)
				im.Resize(fyne.NewSquareSize(iconSize))
				im.Move(fyne.NewPos(tx, (s.Height-iconSize)/2))
				r.objects = append(r.objects, im)
				tx += iconSize + 5
			}
			t := newText(textSize())
			t.Text = label
			t.TextStyle.Bold = last
			if !last {
				t.Color = colour(theme.Secondary)
			}
			place(t, tx, 0, w-2*padX, s.Height)
			r.objects = append(r.objects, t)
			x += w
			if !last {
				chevron()
			}
		}
		c.edges = append(c.edges, x) // the free part
	}
	// fyne lays out anew what it finds new parts in: building them in every layout would never end
	var built fyne.Size
	r.layout = func(s fyne.Size) {
		if s != built {
			built = s
			build(s)
		}
	}
	r.refresh = func() {
		built = c.Size()
		build(built)
		canvas.Refresh(c)
	}
	return r
}
