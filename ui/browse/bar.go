package browse

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"drover/engine/place"
	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// Bar is the line above a view: back and forward, the path, the filter.
type Bar struct {
	// OnKey gets keys that nothing in the bar has a use for.
	OnKey func(*fyne.KeyEvent)
	// OnBad is told that what was typed is no path.
	OnBad func(typed string)

	view    *View
	back    *widget.Button
	forward *widget.Button
	up      *widget.Button
	crumbs  *widget.Crumbs
	path    *widget.Entry
	filter  *widget.Entry
	dirs    []string // of the crumbs
	object  *fyne.Container
	extra   []fyne.CanvasObject
	plain   string // what path was filled with, for names that cannot be typed
}

// NewBar returns a bar for v; extra stands at its right end.
func NewBar(v *View, extra ...fyne.CanvasObject) *Bar {
	b := &Bar{view: v, extra: extra}
	b.back = widget.NewIconButton(theme.Back, present.T("window.back"), func() { v.Go(-1) })
	b.forward = widget.NewIconButton(theme.Forward, present.T("window.forward"), func() { v.Go(1) })
	b.up = widget.NewIconButton(theme.Up, present.T("window.up"), v.Up)
	for _, k := range []*widget.Button{b.back, b.forward, b.up} {
		k.OnHint, k.OnKey, k.OnPointer = v.Hint, b.key, b.focusView
	}
	b.crumbs = widget.NewCrumbs()
	b.crumbs.OnOpen = func(i int) {
		if i < len(b.dirs) {
			v.Open(b.dirs[i])
		}
	}
	b.crumbs.OnEdit, b.crumbs.OnKey, b.crumbs.OnPointer = b.EditPath, b.key, b.focusView
	b.path = widget.NewEntry(present.T("window.path_hint"))
	b.path.Hide()
	b.path.OnSubmitted = b.typed
	b.path.OnEscape = func() { b.endEdit(true) }
	b.path.OnBlur = func() { b.endEdit(false) }
	b.filter = widget.NewEntry(present.T("window.filter"))
	b.filter.OnChanged = v.Filter
	b.filter.OnEscape = func() {
		b.filter.SetText("")
		b.focusView()
	}
	b.filter.OnSubmitted = func(string) { b.focusView() }
	b.filter.OnKey = func(ev *fyne.KeyEvent) {
		if ev.Name == fyne.KeyDown {
			b.focusView()
		}
	}
	objects := []fyne.CanvasObject{b.back, b.forward, b.up, b.crumbs, b.path, b.filter}
	b.object = container.New(barLayout{b}, append(objects, extra...)...)
	return b
}

// barLayout gives the path what the rest leaves.
type barLayout struct{ b *Bar }

func (l barLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(360, 42) }

func (l barLayout) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	b := l.b
	const h, gap = 30, 4
	y := (s.Height - h) / 2
	x := float32(8)
	put := func(o fyne.CanvasObject, w float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
		x += w + gap
	}
	put(b.back, h)
	put(b.forward, h)
	put(b.up, h)
	x += 2
	filter := max(110, min(200, s.Width*0.2))
	rest := s.Width - x - 8 - filter - 6
	for _, o := range b.extra {
		if o.Visible() {
			rest -= o.MinSize().Width + gap
		}
	}
	b.path.Move(fyne.NewPos(x, y))
	b.path.Resize(fyne.NewSize(rest, h))
	put(b.crumbs, rest)
	x += 2
	put(b.filter, filter)
	for _, o := range b.extra {
		if o.Visible() {
			put(o, o.MinSize().Width)
		}
	}
}

// Object is the bar as it is put into a window.
func (b *Bar) Object() fyne.CanvasObject { return b.object }

// Show shows the path of the folder on view.
func (b *Bar) Show(dir string) {
	crumbs, dirs := crumbsOf(dir, b.view.deps.Home)
	b.dirs = dirs
	b.crumbs.Set(crumbs)
	b.back.Enable(b.view.CanGo(-1))
	b.forward.Enable(b.view.CanGo(1))
	b.up.Enable(dir != "/")
	if b.filter.Text != b.view.want.filter {
		b.filter.SetText(b.view.want.filter)
	}
}

// crumbsOf cuts a path into folders. Below home it begins there.
func crumbsOf(dir, home string) (crumbs []widget.Crumb, dirs []string) {
	rest := dir
	if home != "" && home != "/" && (dir == home || strings.HasPrefix(dir, home+"/")) {
		crumbs = append(crumbs, widget.Crumb{Label: present.T("window.home"), Icon: theme.Home})
		dirs = append(dirs, home)
		rest = strings.TrimPrefix(dir[len(home):], "/")
	} else {
		crumbs = append(crumbs, widget.Crumb{Label: present.T("window.computer"), Icon: theme.Disk})
		dirs = append(dirs, "/")
		rest = strings.TrimPrefix(rest, "/")
	}
	at := dirs[0]
	for rest != "" {
		name, more, _ := strings.Cut(rest, "/")
		at = filepath.Join(at, name)
		crumbs = append(crumbs, widget.Crumb{Label: present.Name(name)})
		dirs = append(dirs, at)
		rest = more
	}
	return crumbs, dirs
}

// EditPath lets the person type a path.
func (b *Bar) EditPath() {
	b.plain = present.Name(b.view.Dir())
	b.path.SetText(b.plain)
	b.path.CursorColumn = len([]rune(b.plain))
	b.crumbs.Hide()
	b.path.Show()
	if c := fyne.CurrentApp().Driver().CanvasForObject(b.object); c != nil {
		c.Focus(b.path)
	}
	b.path.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// endEdit goes back to the crumbs.
func (b *Bar) endEdit(focus bool) {
	if !b.path.Visible() {
		return
	}
	b.path.Hide()
	b.crumbs.Show()
	if focus {
		b.focusView()
	}
}

func (b *Bar) typed(text string) {
	b.endEdit(true)
	v := b.view
	shown, dir, visit := b.plain, v.Dir(), v.want.visit
	go func() {
		to, ok := typedPath(text, shown, dir, v.deps.Home)
		v.deps.Put(typedKey{b}, func() {
			switch {
			case visit != v.want.visit: // the person has gone elsewhere
			case ok:
				v.Open(to)
			case b.OnBad != nil:
				b.OnBad(text)
			}
		})
	}()
}

// typedKey is what a bar puts the folder under that was typed.
type typedKey struct{ b *Bar }

// typedPath says which folder a person means who typed text over shown, which stood for dir. It may wait for the disk that dir is on:
// a colon can be part of a name.
func typedPath(text, shown, dir, home string) (string, bool) {
	if text == shown {
		return dir, true // also if it has bytes that cannot be typed
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "~":
		return home, true
	case strings.HasPrefix(text, "~/"):
		return filepath.Join(home, text[2:]), true
	}
	p, err := place.Parse(text, dir)
	if err != nil || p.Remote {
		return "", false
	}
	return filepath.Clean(p.Path), true
}

// FocusFilter puts the keyboard into the filter.
func (b *Bar) FocusFilter() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(b.object); c != nil {
		c.Focus(b.filter)
	}
}

func (b *Bar) focusView() { b.view.focus() }

func (b *Bar) key(ev *fyne.KeyEvent) {
	if b.OnKey != nil {
		b.OnKey(ev)
	}
}
