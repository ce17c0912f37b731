package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// keys are the lines of the list of keys: which, a tab, and what for.
func keys() []string {
	return []string{
		present.T("window.key_letters"),
		present.T("window.key_filter"),
		present.T("window.key_path"),
		present.T("window.key_open"),
		present.T("window.key_up"),
		present.T("window.key_history"),
		present.T("window.key_home"),
		present.T("window.key_select"),
		present.T("window.key_select_all"),
		present.T("window.key_copy"),
		present.T("window.key_paste"),
		present.T("window.key_choose"),
		present.T("window.key_hidden"),
		present.T("window.key_reload"),
		present.T("window.key_parts"),
		present.T("window.key_quit"),
	}
}

// about shows which Drover this is, and its keys.
func (w *Window) about() {
	if w.win.Canvas().Overlays().Top() != nil {
		return
	}
	title := fynewidget.NewLabel(strings.TrimSpace("Drover " + w.cfg.Version))
	title.TextStyle.Bold = true
	title.SizeName = fynetheme.SizeNameSubHeadingText
	table := container.New(layout.NewFormLayout())
	for _, line := range keys() {
		key, does, _ := strings.Cut(line, "\t")
		left := fynewidget.NewRichText(&fynewidget.TextSegment{Text: key, Style: fynewidget.RichTextStyle{ColorName: theme.Secondary}})
		table.Add(left)
		table.Add(fynewidget.NewLabel(does))
	}
	scroll := container.NewVScroll(table)
	var sheet *widget.Sheet
	done := widget.NewButton(present.T("window.close"), widget.Primary, func() { sheet.Close() })
	done.OnKey = func(ev *fyne.KeyEvent) {
		const step = 40
		switch ev.Name {
		case fyne.KeyDown:
			scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -step)})
		case fyne.KeyUp:
			scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, step)})
		default:
			sheet.Key(ev)
		}
	}
	foot := container.NewBorder(nil, nil, nil, done)
	body := container.NewBorder(title, foot, nil, nil, scroll)
	width := table.MinSize().Width + 60
	height := title.MinSize().Height + table.MinSize().Height + foot.MinSize().Height + 60
	sheet = widget.NewSheet(w.win.Canvas(), body, fyne.NewSize(max(width, 420), height))
	sheet.OnClose = w.focusView
	sheet.Open(done)
}
