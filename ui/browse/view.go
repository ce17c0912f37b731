// Package browse is the folder view: one folder, as a list that is sorted, filtered and kept up to date, with the path above it.
//
// The disk is read by the loader, on goroutines of its own; the view gets whole listings, ready to be shown, and
// swaps one for the other. It keeps by name what must survive that: selection, keyboard, and the row at the top.
package browse

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// Deps is what a view needs from outside. All but Put may be nil.
type Deps struct {
	// Put runs f on the main goroutine.
	Put func(key any, f func())
	// Watch watches a folder for changes.
	Watch func(dir string) (Watch, error)
	// OnFolder is told that another folder is on view, and that it was looked at.
	OnFolder func(dir string)
	// OnFile is told to open a file.
	OnFile func(path string)
	// OnMenu is told that a menu is wanted; path is "" for the folder itself.
	OnMenu func(path string, at fyne.Position)
	// OnSelect is told that the selection changed.
	OnSelect func()
	// OnShortcut gets shortcuts that the view has no use for.
	OnShortcut func(fyne.Shortcut)
	// OnKey gets keys that the view has no use for.
	OnKey func(*fyne.KeyEvent)
	// Modifiers tells which modifier keys are held.
	Modifiers func() fyne.KeyModifier
	Now       func() time.Time
	Home      string
}

// View shows one folder.
type View struct {
	deps   Deps
	loader *loader

	want    want
	listing *present.Listing
	shown   want // what listing is of
	err     error
	gone    bool
	waiting bool // the folder takes its time
	space   Space
	spaceOK bool

	sel     present.Selection
	history history
	restore *stop // where to go when the folder comes
	pick    Pick  // what to select when the folder comes; nil: nothing

	cols   widget.Columns
	rows   *widget.Rows
	header *widget.Header
	blank  *widget.Blank
	foot   *widget.Line
	hint   string
	typed  typeAhead
	object *fyne.Container
}

// Pick chooses names out of a listing.
type Pick func(l *present.Listing) []string

// only picks one name; nothing if it is "".
func only(name string) Pick {
	if name == "" {
		return nil
	}
	return func(*present.Listing) []string { return []string{name} }
}

// viewKey is what a view puts its listings under.
type viewKey struct{ v *View }

// New returns a view of nothing. Its loader runs until ctx ends.
func New(ctx context.Context, deps Deps) *View {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Modifiers == nil {
		deps.Modifiers = func() fyne.KeyModifier { return 0 }
	}
	v := &View{deps: deps, history: newHistory()}
	v.cols.For(800)
	v.rows = widget.NewRows(widget.FileRowHeight)
	v.rows.Length = func() int { return v.listing.Len() }
	v.rows.NewRow = func() widget.Row { return widget.NewFileRow(&v.cols, v.cells) }
	v.rows.Selected = func(i int) bool { return v.sel.Has(v.listing.Name(i)) }
	v.rows.OnDown, v.rows.OnUp, v.rows.OnOpen = v.down, v.up, v.open
	v.rows.OnMenu, v.rows.OnKey, v.rows.OnRune, v.rows.OnShortcut = v.menu, v.key, v.rune, v.shortcut
	v.header = widget.NewHeader(&v.cols, present.T("window.name"), present.T("window.size"), present.T("window.modified"))
	v.header.OnSort = func(c int) {
		v.SortBy(present.Column(c))
		v.focus() // the toolkit took the keyboard away: a header keeps none
	}
	v.blank = widget.NewBlank()
	v.blank.Hide()
	v.foot = widget.NewLine()
	v.object = container.New(viewLayout{v}, v.header, v.rows, v.blank, v.foot)
	v.loader = newLoader(deps.Watch, func(s shown) { deps.Put(viewKey{v}, func() { v.take(s) }) })
	go v.loader.run(ctx)
	return v
}

// viewLayout stacks header, rows and foot, and fits the columns to the width.
type viewLayout struct{ v *View }

func (l viewLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(240, 160) }

func (l viewLayout) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	v := l.v
	v.cols.For(s.Width)
	top, bottom := v.header.MinSize().Height, v.foot.MinSize().Height
	v.header.Resize(fyne.NewSize(s.Width, top))
	for _, o := range []fyne.CanvasObject{v.rows, v.blank} {
		o.Move(fyne.NewPos(0, top))
		o.Resize(fyne.NewSize(s.Width, max(0, s.Height-top-bottom)))
	}
	v.foot.Move(fyne.NewPos(0, s.Height-bottom))
	v.foot.Resize(fyne.NewSize(s.Width, bottom))
}

// Jobs tells the view whether jobs of this window run: meanwhile it takes less for itself. Any goroutine may call it.
func (v *View) Jobs(run bool) { v.loader.jobs(run) }

// Object is the view as it is put into a window.
func (v *View) Object() fyne.CanvasObject { return v.object }

// focus gives the list the keyboard.
func (v *View) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(v.rows); c != nil {
		c.Focus(v.rows)
	}
}

// Focusable is what takes the keyboard.
func (v *View) Focusable() fyne.Focusable { return v.rows }

// Dir is the folder on view, or about to be.
func (v *View) Dir() string { return v.want.dir }

// Listing is what is shown; nil before the first folder came.
func (v *View) Listing() *present.Listing { return v.listing }

// Err is why the folder cannot be shown, nil if it can.
func (v *View) Err() error { return v.err }

// Open shows the folder dir, an absolute path.
func (v *View) Open(dir string) { v.OpenAt(dir, "") }

// OpenAt shows the folder dir and selects name in it.
func (v *View) OpenAt(dir, name string) { v.OpenFor(dir, only(name)) }

// OpenFor shows the folder dir and selects what pick chooses in it; nil chooses nothing.
func (v *View) OpenFor(dir string, pick Pick) {
	dir = filepath.Clean(dir)
	v.leave()
	v.history.visit(dir)
	v.pick = pick
	v.goTo(dir, nil)
}

func (v *View) goTo(dir string, at *stop) {
	v.restore = at
	v.typed = typeAhead{}
	v.want.dir = dir
	v.want.filter = ""
	v.want.visit++
	v.loader.set(v.want)
	if v.deps.OnFolder != nil {
		v.deps.OnFolder(dir)
	}
	visit := v.want.visit
	time.AfterFunc(slow, func() { v.deps.Put(slowKey{v}, func() { v.waitFor(visit) }) })
}

// slow is how long the folder that is left stays to be seen when the next one does not come. Before that, showing nothing would
// only flicker.
const slow = 250 * time.Millisecond

// slowKey is what a view puts the end of its patience under.
type slowKey struct{ v *View }

// waitFor says that a folder takes its time, if it has not come. The person can go elsewhere all the while.
func (v *View) waitFor(visit int) {
	if visit != v.want.visit || v.shown.visit == visit {
		return
	}
	v.listing, v.err, v.gone, v.waiting = nil, nil, false, true
	v.spaceOK = false
	v.sel.Reset()
	v.rows.SetCursor(-1, false)
	v.rows.Reload()
	v.arrange()
}

func (v *View) leave() {
	cursor, _ := v.sel.Cursor()
	v.history.leave(cursor, v.rows.Offset())
}

// Go moves in the history: -1 is back, 1 forward.
func (v *View) Go(by int) {
	if !v.history.canGo(by) {
		return
	}
	v.leave()
	if s, ok := v.history.goBy(by); ok {
		v.pick = only(s.cursor)
		v.goTo(s.dir, &s)
	}
}

// CanGo reports whether Go would do something.
func (v *View) CanGo(by int) bool { return v.history.canGo(by) }

// Up opens the folder that the one on view lies in, with this one selected.
func (v *View) Up() {
	if up := filepath.Dir(v.want.dir); up != v.want.dir {
		v.OpenAt(up, filepath.Base(v.want.dir))
	}
}

// Reload reads the folder again.
func (v *View) Reload() {
	v.want.visit++
	v.restore = &stop{offset: v.rows.Offset()}
	v.loader.set(v.want)
}

// SortBy sorts by a column; by the one that it is sorted by already, the other way round.
func (v *View) SortBy(c present.Column) {
	o := present.Order{By: c}
	if v.want.order.By == c {
		o.Reverse = !v.want.order.Reverse
	}
	v.SetOrder(o)
}

// Order is how the view is sorted.
func (v *View) Order() present.Order { return v.want.order }

// SetOrder sorts the view.
func (v *View) SetOrder(o present.Order) {
	v.want.order = o
	v.header.SetSorted(int(o.By), o.Reverse)
	v.loader.set(v.want)
}

// Filter shows only what matches.
func (v *View) Filter(s string) {
	if v.want.filter != s {
		v.want.filter = s
		v.loader.set(v.want)
	}
}

// ShowHidden says whether names that begin with a dot are shown.
func (v *View) ShowHidden(on bool) {
	if v.want.hidden != on {
		v.want.hidden = on
		v.loader.set(v.want)
	}
}

// Hidden reports whether names that begin with a dot are shown.
func (v *View) Hidden() bool { return v.want.hidden }

// Hint shows what the thing under the pointer does, in place of the foot's text; "" ends that.
func (v *View) Hint(s string) {
	v.hint = s
	v.tell()
}

// cells is what row i shows.
func (v *View) cells(i int) widget.FileCells {
	e := &v.listing.Entries[i]
	c := widget.FileCells{
		Icon: Icon(e.Kind()),
		Name: present.Name(e.Name),
		Size: e.SizeText(),
		Date: present.When(e.Modified, v.deps.Now()),
		Dim:  e.Hidden(),
	}
	if e.Target != "" {
		c.Name += "  →  " + present.Name(e.Target)
	}
	if e.Silent() {
		c.Name += "  ·  " + present.T("window.silent")
		c.Dim = true
	}
	return c
}

// Icon is the picture of a kind.
func Icon(k present.Kind) fyne.Resource {
	switch k {
	case present.KindFolder:
		return theme.Folder
	case present.KindImage:
		return theme.Image
	case present.KindAudio:
		return theme.Audio
	case present.KindVideo:
		return theme.Video
	case present.KindText:
		return theme.Text
	case present.KindArchive:
		return theme.Archive
	case present.KindSpecial:
		return theme.Special
	}
	return theme.File
}

// DropTarget is the folder that something dropped at a place of the canvas goes into: the folder in that row, or the one on view. ok is false
// if the place is not in the view.
func (v *View) DropTarget(at fyne.Position) (dir string, ok bool) {
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(v.object)
	p := at.Subtract(origin)
	if s := v.object.Size(); p.X < 0 || p.Y < 0 || p.X > s.Width || p.Y > s.Height {
		return "", false
	}
	if i := v.rows.RowAt(p.Subtract(v.rows.Position())); i >= 0 && v.listing.Dir == v.want.dir && v.listing.Entries[i].Folder {
		return filepath.Join(v.listing.Dir, v.listing.Entries[i].Name), true
	}
	return v.want.dir, true
}

// Selected are the full paths of what is selected, in the order of the rows.
func (v *View) Selected() []string {
	if v.listing == nil || v.sel.Len() == 0 {
		return nil
	}
	names := v.sel.Names(v.listing)
	dir := strings.TrimSuffix(v.listing.Dir, "/")
	for i, n := range names {
		names[i] = dir + "/" + n
	}
	return names
}

func (v *View) selected() {
	v.rows.Update()
	v.tell()
	if v.deps.OnSelect != nil {
		v.deps.OnSelect()
	}
}
