package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"drover/ui/present"
	"drover/ui/widget"
)

// stopTime is how long the window waits for jobs to end that were cancelled. They need a fifth of a second; only a disk that
// hangs takes longer, and cleaning up after that is the next start's.
const stopTime = 3 * time.Second

// Close closes the window; while jobs run it asks first.
func (w *Window) Close() {
	if w.closing {
		return
	}
	open, waiting := w.Control.Open()
	if open == 0 {
		w.Quit()
		return
	}
	w.askToClose(open, waiting)
}

func (w *Window) askToClose(open, waiting int) {
	w.closing = true
	title := fynewidget.NewLabel(present.T("window.close_title"))
	title.TextStyle.Bold = true
	title.SizeName = fynetheme.SizeNameSubHeadingText
	what := present.T("window.close_running", "Count", int64(open))
	if waiting == open {
		what = present.T("window.close_waiting", "Count", int64(open))
	}
	text := fynewidget.NewLabel(what)
	text.Wrapping = fyne.TextWrapWord
	var sheet *widget.Sheet
	stay := widget.NewButton(present.T("window.keep_copying"), widget.Primary, func() { sheet.Close() })
	quit := widget.NewButton(present.T("window.cancel_and_quit"), widget.Danger, func() {
		sheet.OnClose = nil
		sheet.Close()
		w.Quit()
	})
	body := container.NewBorder(title, container.NewBorder(nil, nil, nil, container.NewHBox(quit, stay)), nil, nil, text)
	sheet = widget.NewSheet(w.win.Canvas(), body, fyne.NewSize(460, 170))
	sheet.OnClose = func() {
		w.closing = false
		w.focusView()
	}
	keys := func(ev *fyne.KeyEvent) {
		switch ev.Name {
		case fyne.KeyLeft:
			w.win.Canvas().FocusPrevious()
		case fyne.KeyRight:
			w.win.Canvas().FocusNext()
		default:
			sheet.Key(ev)
		}
	}
	stay.OnKey, quit.OnKey = keys, keys
	sheet.Open(stay)
}

// Quit cancels what runs and ends the program without asking. The window stays, unmoving, until the jobs have ended: what it
// shows then is true.
func (w *Window) Quit() {
	if w.quitting {
		return
	}
	w.closing, w.quitting = true, true
	size := w.win.Canvas().Size()
	order := w.view.Order()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		_ = w.Control.Close(ctx) // only that it took too long: then it is left behind
		written := make(chan struct{})
		w.settings.close(size, int(order.By), order.Reverse, func() { close(written) })
		select {
		case <-written:
		case <-ctx.Done():
		}
		w.cancel()
		type key struct{}
		w.Pump.Put(key{}, func() {
			w.Pump.Close()
			// Not App.Quit: that closes the window first, and where the pointer moves over one that is closed, fyne crashes.
			w.cfg.App.Driver().Quit()
		})
	}()
}
