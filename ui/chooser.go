package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"drover/ui/browse"
	"drover/ui/places"
	"drover/ui/present"
	"drover/ui/widget"
)

// choose lets the person choose what to copy into the folder on view. It is a folder view of its own in a sheet: fyne's file
// dialog reads folders on the main goroutine and hangs on a dead mount.
func (w *Window) choose() {
	dest := w.view.Dir()
	ctx, cancel := context.WithCancel(w.ctx)
	var (
		sheet *widget.Sheet
		bar   *browse.Bar
		side  = places.New()
		view  *browse.View
		ok    *widget.Button
	)
	take := func() {
		if paths := view.Selected(); len(paths) > 0 {
			sheet.Close()
			w.Control.Drop(paths, dest)
		}
	}
	key := func(ev *fyne.KeyEvent) { sheet.Key(ev) }
	view = browse.New(ctx, browse.Deps{
		Put: w.Pump.Put, Watch: w.cfg.Watch, Home: w.cfg.Home, Modifiers: modifiers,
		OnFolder: func(dir string) {
			w.chosen = dir
			if bar != nil {
				bar.Show(dir)
				side.SetCurrent(dir)
			}
		},
		OnFile: func(string) { take() },
		OnSelect: func() {
			n := len(view.Selected())
			ok.Enable(n > 0)
			if n > 0 {
				ok.SetText(present.T("window.copy_n_here", "Count", int64(n)))
			} else {
				ok.SetText(present.T("window.copy"))
			}
		},
		OnKey: key,
	})
	bar = browse.NewBar(view)
	bar.OnKey = key
	side.OnOpen = func(dir string) { view.Open(dir) }
	side.OnKey = key
	side.Show(w.folders, w.devices)
	ok = widget.NewButton(present.T("window.copy"), widget.Primary, take)
	ok.Enable(false)
	ok.OnKey = key
	cancelButton := widget.NewButton(present.T("window.close"), widget.Flat, func() { sheet.Close() })
	cancelButton.OnKey = key
	title := fynewidget.NewLabel(present.T("window.choose_title", "Folder", present.Base(dest)))
	title.TextStyle.Bold = true
	title.SizeName = fynetheme.SizeNameSubHeadingText
	title.Truncation = fyne.TextTruncateEllipsis
	foot := container.NewBorder(nil, nil, nil, container.NewHBox(cancelButton, ok))
	body := container.NewBorder(container.NewVBox(title, bar.Object()), foot, side.Object(), nil, view.Object())
	size := w.win.Canvas().Size()
	sheet = widget.NewSheet(w.win.Canvas(), body, fyne.NewSize(min(size.Width-80, 860), size.Height-80))
	sheet.OnClose = func() {
		cancel()
		w.focusView()
	}
	view.ShowHidden(w.view.Hidden())
	view.SetOrder(w.view.Order())
	start := w.chosen
	if start == "" {
		start = w.cfg.Home
	}
	view.Open(start)
	sheet.Open(view.Focusable())
}
