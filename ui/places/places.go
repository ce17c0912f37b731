// Package places is the side bar: where a person can go, and how much room there is. Devices come and go while it is looked at.
//
// A device that does not answer is shown without its space and holds nothing up. Nothing is unmounted or mounted here.
package places

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// Bar is the side bar.
type Bar struct {
	OnOpen func(dir string)
	OnKey  func(*fyne.KeyEvent)

	dir     string
	list    []Place
	rows    []*widget.PlaceRow
	known   map[string]*widget.PlaceRow // so that a refresh keeps the keyboard where it is
	box     *fyne.Container
	scroll  *container.Scroll
	object  *fyne.Container
	shading *canvas.Rectangle
}

// New returns an empty side bar.
func New() *Bar {
	b := &Bar{known: map[string]*widget.PlaceRow{}}
	b.box = container.NewVBox()
	b.box.Layout = tight{}
	b.scroll = container.NewVScroll(b.box)
	b.shading = canvas.NewRectangle(fynetheme.Color(theme.Sidebar))
	b.object = container.NewStack(b.shading, b.scroll)
	return b
}

// tight stacks rows without a gap.
type tight struct{}

func (tight) MinSize(objects []fyne.CanvasObject) fyne.Size {
	s := fyne.NewSize(140, 6)
	for _, o := range objects {
		m := o.MinSize()
		s.Height += m.Height
	}
	return s
}

func (tight) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(6)
	for _, o := range objects {
		h := o.MinSize().Height
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		y += h
	}
}

// Object is the bar as it is put into a window.
func (b *Bar) Object() fyne.CanvasObject { return b.object }

// Restyle takes over a change of the theme.
func (b *Bar) Restyle() {
	b.shading.FillColor = fynetheme.Color(theme.Sidebar)
	b.shading.Refresh()
}

// Show shows the places that Follow found.
func (b *Bar) Show(folders, devices []Place) {
	b.list = append(append([]Place(nil), folders...), devices...)
	b.rows = b.rows[:0]
	known := map[string]*widget.PlaceRow{}
	var objects []fyne.CanvasObject
	add := func(p Place, device bool) {
		id := nameOf(p) + "\x00" + p.Dir
		row := b.known[id]
		if row == nil {
			row = widget.NewPlaceRow(iconOf(p.Kind), nameOf(p))
			row.OnTap = func() {
				if b.OnOpen != nil {
					b.OnOpen(p.Dir)
				}
			}
			row.OnKey = func(ev *fyne.KeyEvent) { b.key(ev) }
		}
		known[id] = row
		if device && p.Total > 0 {
			row.SetSpace(1-float64(p.Free)/float64(p.Total), present.T("window.free", "Size", present.Size(p.Free)))
		} else {
			row.SetSpace(-1, "")
		}
		b.rows = append(b.rows, row)
		objects = append(objects, row)
	}
	objects = append(objects, heading(present.T("window.places")))
	for _, p := range folders {
		add(p, false)
	}
	objects = append(objects, heading(present.T("window.devices")))
	for _, p := range devices {
		add(p, true)
	}
	b.known = known
	b.box.Objects = objects
	b.SetCurrent(b.dir)
	b.box.Refresh()
	b.scroll.Refresh()
}

func heading(s string) fyne.CanvasObject {
	return widget.NewHeading(s)
}

func (b *Bar) key(ev *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(b.object)
	if c == nil {
		return
	}
	at := -1
	for i, r := range b.rows {
		if c.Focused() == fyne.Focusable(r) {
			at = i
		}
	}
	switch ev.Name {
	case fyne.KeyUp:
		at--
	case fyne.KeyDown:
		at++
	default:
		if b.OnKey != nil {
			b.OnKey(ev)
		}
		return
	}
	if at >= 0 && at < len(b.rows) {
		c.Focus(b.rows[at])
	}
}

// SetCurrent marks the place that is on view.
func (b *Bar) SetCurrent(dir string) {
	b.dir = dir
	for i, r := range b.rows {
		r.SetCurrent(b.list[i].Dir == dir)
	}
}

// DropTarget is the place under a point of the canvas.
func (b *Bar) DropTarget(at fyne.Position) (dir string, ok bool) {
	d := fyne.CurrentApp().Driver()
	for i, r := range b.rows {
		p := at.Subtract(d.AbsolutePositionForObject(r))
		if s := r.Size(); p.X >= 0 && p.Y >= 0 && p.X <= s.Width && p.Y <= s.Height {
			return b.list[i].Dir, true
		}
	}
	return "", false
}

// nameOf is what a place is called.
func nameOf(p Place) string {
	switch p.Kind {
	case Home:
		return present.T("window.home")
	case Root:
		return present.T("window.computer")
	}
	return present.Name(p.Name)
}

func iconOf(k Kind) fyne.Resource {
	switch k {
	case Home:
		return theme.Home
	case Desktop:
		return theme.Desktop
	case Documents:
		return theme.Document
	case Downloads:
		return theme.Download
	case Music:
		return theme.Music
	case Pictures:
		return theme.Picture
	case Videos:
		return theme.Movie
	case Removable:
		return theme.Stick
	}
	return theme.Disk
}
