// Package places is the side bar: where a person can go, and how much room there is. Devices come and go while it is looked at.
//
// A device that does not answer is shown as such and holds nothing up. Nothing is unmounted or mounted here.
package places

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"drover/engine/place"
	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// Bar is the side bar.
type Bar struct {
	OnOpen func(dir string)
	OnKey  func(*fyne.KeyEvent)

	dir     string
	dirs    []string // of the rows
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
func (b *Bar) Show(folders []place.UserDir, devices []place.Mount) {
	b.rows, b.dirs = b.rows[:0], b.dirs[:0]
	known := map[string]*widget.PlaceRow{}
	var objects []fyne.CanvasObject
	add := func(icon fyne.Resource, name, dir string) *widget.PlaceRow {
		id := name + "\x00" + dir
		row := b.known[id]
		if row == nil {
			row = widget.NewPlaceRow(icon, name)
			row.OnTap = func() {
				if b.OnOpen != nil {
					b.OnOpen(dir)
				}
			}
			row.OnKey = func(ev *fyne.KeyEvent) { b.key(ev) }
		}
		known[id] = row
		b.rows, b.dirs = append(b.rows, row), append(b.dirs, dir)
		objects = append(objects, row)
		return row
	}
	objects = append(objects, heading(present.T("window.places")))
	for _, f := range folders {
		add(folderIcon(f.Kind), folderName(f), f.Path)
	}
	objects = append(objects, heading(present.T("window.devices")))
	for _, m := range devices {
		row := add(deviceIcon(m), deviceName(m), m.Path)
		switch {
		case m.NotResponding:
			row.SetSpace(-1, present.T("window.silent"))
		case m.Total > 0:
			row.SetSpace(1-float64(m.Free)/float64(m.Total), present.T("window.free", "Size", present.Size(m.Free)))
		default:
			row.SetSpace(-1, "")
		}
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
		r.SetCurrent(b.dirs[i] == dir)
	}
}

// DropTarget is the place under a point of the canvas.
func (b *Bar) DropTarget(at fyne.Position) (dir string, ok bool) {
	d := fyne.CurrentApp().Driver()
	for i, r := range b.rows {
		p := at.Subtract(d.AbsolutePositionForObject(r))
		if s := r.Size(); p.X >= 0 && p.Y >= 0 && p.X <= s.Width && p.Y <= s.Height {
			return b.dirs[i], true
		}
	}
	return "", false
}

func folderName(f place.UserDir) string {
	if f.Kind == place.Home {
		return present.T("window.home")
	}
	return present.Base(f.Path)
}

func deviceName(m place.Mount) string {
	if m.Path == "/" {
		return present.T("window.computer")
	}
	return present.Name(m.Name)
}

func folderIcon(k place.UserKind) fyne.Resource {
	switch k {
	case place.Home:
		return theme.Home
	case place.Desktop:
		return theme.Desktop
	case place.Downloads:
		return theme.Download
	case place.Music:
		return theme.Music
	case place.Pictures:
		return theme.Picture
	case place.Videos:
		return theme.Movie
	}
	return theme.Document
}

func deviceIcon(m place.Mount) fyne.Resource {
	if m.Removable {
		return theme.Stick
	}
	return theme.Disk
}
