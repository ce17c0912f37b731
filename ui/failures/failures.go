// Package failures is the list of what a job could not copy, with the reason, what helps, and Retry for one or for all.
package failures

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"drover/engine"
	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// Lister is what the dialog needs of control.
type Lister interface {
	Failures(id string, show func(list []present.FailureView, all int, ended bool))
	Retry(id string)
	RetryOne(id string, f engine.QuestionID)
}

// Dialog shows the failures of one job.
type Dialog struct {
	OnClose func()

	lister Lister
	id     string
	list   []present.FailureView
	ended  bool
	sel    int

	sheet *widget.Sheet
	title *fynewidget.Label
	rows  *widget.Rows
	why   *fynewidget.Label
	one   *widget.Button
	all   *widget.Button
	close *widget.Button
}

// Show opens the dialog for a job.
func Show(c fyne.Canvas, l Lister, id string) *Dialog {
	d := &Dialog{lister: l, id: id, sel: -1}
	d.title = fynewidget.NewLabel("")
	d.title.TextStyle.Bold = true
	d.title.SizeName = fynetheme.SizeNameSubHeadingText
	d.rows = widget.NewRows(failureHeight)
	d.rows.Length = func() int { return len(d.list) }
	d.rows.NewRow = func() widget.Row { return newRow(func(i int) *present.FailureView { return &d.list[i] }) }
	d.rows.Selected = func(i int) bool { return i == d.sel }
	d.rows.OnDown = func(i int, _ fyne.KeyModifier) { d.pick(i) }
	d.rows.OnKey = d.rowKey
	d.why = fynewidget.NewLabel("")
	d.why.Wrapping = fyne.TextWrapWord
	d.one = widget.NewButton(present.T("window.retry_one"), widget.Normal, d.retryOne)
	d.all = widget.NewButton(present.T("window.retry_all"), widget.Primary, d.retryAll)
	d.close = widget.NewButton(present.T("window.close"), widget.Flat, func() { d.sheet.Close() })
	foot := container.NewBorder(nil, nil, container.NewHBox(d.all, d.one), d.close)
	body := container.NewBorder(d.title, container.NewVBox(d.why, foot), nil, nil, d.rows)
	d.sheet = widget.NewSheet(c, body, fyne.NewSize(680, 440))
	d.sheet.OnClose = func() {
		if d.OnClose != nil {
			d.OnClose()
		}
	}
	for _, b := range []*widget.Button{d.one, d.all, d.close} {
		b.OnKey = d.sheet.Key
	}
	d.load(true)
	return d
}

// Shown reports whether the dialog is on the screen.
func (d *Dialog) Shown() bool { return d.sheet.Shown() }

// Close takes the dialog away.
func (d *Dialog) Close() { d.sheet.Close() }

// Reload shows the list anew, for example because there are more.
func (d *Dialog) Reload() { d.load(false) }

func (d *Dialog) load(open bool) {
	d.lister.Failures(d.id, func(list []present.FailureView, all int, ended bool) {
		if !open && !d.sheet.Shown() {
			return
		}
		d.list, d.ended = list, ended
		if len(list) == 0 {
			d.sheet.Close()
			return
		}
		d.title.SetText(present.T("window.not_copied", "Count", int64(all)))
		d.rows.Reload()
		d.pick(max(0, min(d.sel, len(list)-1)))
		if d.ended {
			d.one.Hide() // an ended job can only be begun anew as a whole
		}
		if all == len(list) && !slices.ContainsFunc(list, func(f present.FailureView) bool { return !f.Final }) {
			d.all.Hide()
			d.one.Hide()
		} else {
			d.all.Show()
		}
		if open {
			d.sheet.Open(d.rows)
		}
	})
}

func (d *Dialog) pick(i int) {
	if i < 0 || i >= len(d.list) {
		return
	}
	d.sel = i
	d.rows.SetCursor(i, true)
	f := &d.list[i]
	d.one.Enable(!f.Final)
	d.why.SetText(f.Reason + ". " + f.Advice)
}

func (d *Dialog) rowKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyUp:
		d.pick(d.sel - 1)
	case fyne.KeyDown:
		d.pick(d.sel + 1)
	case fyne.KeyHome:
		d.pick(0)
	case fyne.KeyEnd:
		d.pick(len(d.list) - 1)
	case fyne.KeyPageDown:
		d.pick(min(len(d.list)-1, d.sel+d.rows.PageLen()))
	case fyne.KeyPageUp:
		d.pick(max(0, d.sel-d.rows.PageLen()))
	default:
		d.sheet.Key(ev)
	}
}

func (d *Dialog) retryOne() {
	if d.sel >= 0 && d.sel < len(d.list) && !d.list[d.sel].Final {
		d.lister.RetryOne(d.id, d.list[d.sel].ID)
		d.load(false)
	}
}

func (d *Dialog) retryAll() {
	d.lister.Retry(d.id)
	d.sheet.Close()
}

const failureHeight = 46

// row is one failed item: its name and where it is, and why it failed.
type row struct {
	fynewidget.BaseWidget
	fetch        func(i int) *present.FailureView
	view         present.FailureView
	state        widget.RowState
	bg           *canvas.Rectangle
	name, folder *canvas.Text
	why          *canvas.Text
	icon         *canvas.Image
}

func newRow(fetch func(i int) *present.FailureView) *row {
	r := &row{fetch: fetch}
	r.bg = canvas.NewRectangle(nil)
	r.name, r.folder, r.why = canvas.NewText("", nil), canvas.NewText("", nil), canvas.NewText("", nil)
	r.icon = canvas.NewImageFromResource(theme.Failed)
	r.ExtendBaseWidget(r)
	r.Restyle()
	return r
}

// Set implements widget.Row.
func (r *row) Set(i int, s widget.RowState) {
	r.view, r.state = *r.fetch(i), s
	r.Restyle()
}

// Restyle implements widget.Row.
func (r *row) Restyle() {
	text, caption := fynetheme.Size(fynetheme.SizeNameText), fynetheme.Size(fynetheme.SizeNameCaptionText)
	r.name.TextSize, r.folder.TextSize, r.why.TextSize = text, caption, caption
	r.name.TextStyle.Bold = true
	r.name.Color = fynetheme.Color(fynetheme.ColorNameForeground)
	r.folder.Color, r.why.Color = fynetheme.Color(theme.Secondary), fynetheme.Color(fynetheme.ColorNameError)
	r.bg.FillColor = nil
	r.bg.CornerRadius = 5
	switch {
	case r.state.Selected && r.state.Focused:
		r.bg.FillColor = fynetheme.Color(theme.Selected)
	case r.state.Selected:
		r.bg.FillColor = fynetheme.Color(theme.SelectedIdle)
	case r.state.Hover:
		r.bg.FillColor = fynetheme.Color(fynetheme.ColorNameHover)
	}
	r.lay(r.Size())
	r.bg.Refresh()
	r.name.Refresh()
	r.folder.Refresh()
	r.why.Refresh()
}

func (r *row) lay(s fyne.Size) {
	const pad, icon = 10, 18
	r.bg.Resize(s)
	r.icon.Move(fyne.NewPos(pad, (s.Height-icon)/2))
	r.icon.Resize(fyne.NewSquareSize(icon))
	x := float32(pad + icon + 10)
	w := s.Width - x - pad
	r.name.Text = widget.Elide(r.view.Name, w*0.6, r.name.TextSize, r.name.TextStyle, true)
	nw := fyne.MeasureText(r.name.Text, r.name.TextSize, r.name.TextStyle).Width
	r.name.Move(fyne.NewPos(x, 4))
	r.name.Resize(fyne.NewSize(nw, 18))
	r.folder.Text = widget.Elide(r.view.Folder, w-nw-10, r.folder.TextSize, r.folder.TextStyle, true)
	r.folder.Move(fyne.NewPos(x+nw+10, 5))
	r.folder.Resize(fyne.NewSize(w-nw-10, 17))
	r.why.Text = widget.Elide(r.view.Reason, w, r.why.TextSize, r.why.TextStyle, false)
	r.why.Move(fyne.NewPos(x, 23))
	r.why.Resize(fyne.NewSize(w, 17))
}

// CreateRenderer implements fyne.Widget.
func (r *row) CreateRenderer() fyne.WidgetRenderer {
	return &rowRenderer{r}
}

type rowRenderer struct{ r *row }

func (x *rowRenderer) Destroy()           {}
func (x *rowRenderer) Layout(s fyne.Size) { x.r.lay(s) }
func (x *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(200, failureHeight) }
func (x *rowRenderer) Refresh()           { x.r.Restyle() }
func (x *rowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{x.r.bg, x.r.icon, x.r.name, x.r.folder, x.r.why}
}
