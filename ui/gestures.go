package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"drover/engine/place"
	"drover/ui/drop"
	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// dropped is fyne's drop: where the pointer was, and what. The copying starts at once.
func (w *Window) dropped(at fyne.Position, uris []fyne.URI) {
	paths := make([]string, 0, len(uris))
	remote := false
	for _, u := range uris {
		p, err := drop.FromToolkit(u.Path(), w.cwd)
		if err != nil {
			remote = true
			continue
		}
		paths = append(paths, p)
	}
	if remote {
		w.complain(present.T("window.not_local"))
	}
	if dir := w.dropTarget(at); dir != "" {
		w.Control.Drop(paths, dir)
	}
}

// dropTarget is the folder that a drop at a point goes into: the place or the folder under it, else the folder on view.
func (w *Window) dropTarget(at fyne.Position) string {
	if dir, ok := w.places.DropTarget(at); ok {
		return dir
	}
	if dir, ok := w.view.DropTarget(at); ok {
		return dir
	}
	return w.view.Dir()
}

// paste copies the files that the clipboard names as text into the folder on view.
func (w *Window) paste() {
	paths, err := drop.List(w.cfg.App.Clipboard().Content())
	if err != nil {
		w.complain(present.T("window.nothing_to_paste"))
		return
	}
	w.hideNotice() // it told of this
	w.Control.Drop(paths, w.view.Dir())
}

// copySelection puts what is selected into the clipboard, as URIs that paste understands.
func (w *Window) copySelection() {
	paths := w.view.Selected()
	if len(paths) == 0 {
		return
	}
	uris := make([]string, len(paths))
	for i, p := range paths {
		uris[i] = place.FileURI(p)
	}
	w.cfg.App.Clipboard().SetContent(strings.Join(uris, "\n"))
	w.say(present.T("window.copied", "Count", int64(len(paths))))
}

// addShortcuts makes the shortcuts known for when nothing that takes them has the keyboard.
func (w *Window) addShortcuts() {
	c := w.win.Canvas()
	for _, s := range []fyne.Shortcut{
		&fyne.ShortcutPaste{}, &fyne.ShortcutCopy{}, &fyne.ShortcutSelectAll{},
		&desktop.CustomShortcut{KeyName: fyne.KeyL, Modifier: fyne.KeyModifierControl},
		&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierControl},
		&desktop.CustomShortcut{KeyName: fyne.KeyH, Modifier: fyne.KeyModifierControl},
		&desktop.CustomShortcut{KeyName: fyne.KeyR, Modifier: fyne.KeyModifierControl},
		&desktop.CustomShortcut{KeyName: fyne.KeyO, Modifier: fyne.KeyModifierControl},
		&desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierControl},
		&desktop.CustomShortcut{KeyName: fyne.KeyW, Modifier: fyne.KeyModifierControl},
		&desktop.CustomShortcut{KeyName: fyne.KeyLeft, Modifier: fyne.KeyModifierAlt},
		&desktop.CustomShortcut{KeyName: fyne.KeyRight, Modifier: fyne.KeyModifierAlt},
		&desktop.CustomShortcut{KeyName: fyne.KeyUp, Modifier: fyne.KeyModifierAlt},
		&desktop.CustomShortcut{KeyName: fyne.KeyHome, Modifier: fyne.KeyModifierAlt},
	} {
		c.AddShortcut(s, func(s fyne.Shortcut) { w.shortcut(s) })
	}
	// whatever took the keyboard from all of them, the list is meant
	c.SetOnTypedKey(func(ev *fyne.KeyEvent) {
		switch top := c.Overlays().Top().(type) {
		case nil:
			w.focusView()
			w.view.Focusable().TypedKey(ev)
		case *widget.Sheet:
			top.Key(ev)
		}
	})
	c.SetOnTypedRune(func(r rune) {
		if c.Overlays().Top() == nil {
			w.focusView()
			w.view.Focusable().TypedRune(r)
		}
	})
}

// shortcut does what a shortcut means anywhere in the window.
func (w *Window) shortcut(s fyne.Shortcut) {
	if w.win.Canvas().Overlays().Top() != nil {
		return // a sheet has the keyboard
	}
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		w.paste()
	case *fyne.ShortcutCopy:
		w.copySelection()
	case *fyne.ShortcutSelectAll:
		w.view.SelectAll()
	case *desktop.CustomShortcut:
		w.custom(s)
	}
}

func (w *Window) custom(s *desktop.CustomShortcut) {
	switch s.Modifier {
	case fyne.KeyModifierControl:
		switch s.KeyName {
		case fyne.KeyL:
			w.bar.EditPath()
		case fyne.KeyF:
			w.bar.FocusFilter()
		case fyne.KeyH:
			w.toggleHidden()
		case fyne.KeyR:
			w.view.Reload()
		case fyne.KeyO:
			w.choose()
		case fyne.KeyQ, fyne.KeyW:
			w.Close()
		}
	case fyne.KeyModifierAlt:
		switch s.KeyName {
		case fyne.KeyLeft:
			w.view.Go(-1)
		case fyne.KeyRight:
			w.view.Go(1)
		case fyne.KeyUp:
			w.view.Up()
		case fyne.KeyHome:
			w.view.Open(w.cfg.Home)
		}
	}
}

// key is what a key means where nothing else has a use for it.
func (w *Window) key(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyEscape:
		w.hideNotice()
		w.focusView()
	case fyne.KeyF1:
		w.about()
	case fyne.KeyF5:
		w.view.Reload()
	}
}

func (w *Window) toggleHidden() {
	on := !w.view.Hidden()
	w.view.ShowHidden(on)
	w.settings.setHidden(on)
}

func (w *Window) setTheme(c theme.Choice) {
	w.settings.setTheme(c)
	w.cfg.App.Settings().SetTheme(theme.New(c))
}

// mainMenu opens under the button at the right end of the bar.
func (w *Window) mainMenu() {
	now := w.settings.theme()
	if t, ok := w.cfg.App.Settings().Theme().(*theme.Theme); ok {
		now = t.Choice()
	}
	look := fyne.NewMenuItem(present.T("window.theme"), nil)
	var choices []*fyne.MenuItem
	for _, c := range []struct {
		choice theme.Choice
		text   string
	}{
		{theme.System, present.T("window.theme_system")},
		{theme.Light, present.T("window.theme_light")},
		{theme.Dark, present.T("window.theme_dark")},
	} {
		item := fyne.NewMenuItem(c.text, func() { w.setTheme(c.choice) })
		item.Checked = c.choice == now
		choices = append(choices, item)
	}
	look.ChildMenu = fyne.NewMenu("", choices...)
	hidden := fyne.NewMenuItem(present.T("window.show_hidden"), w.toggleHidden)
	hidden.Checked = w.view.Hidden()
	hidden.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyH, Modifier: fyne.KeyModifierControl}
	about := fyne.NewMenuItem(present.T("window.about"), w.about)
	about.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyF1}
	items := append(w.folderItems(),
		fyne.NewMenuItemSeparator(),
		hidden, look,
		fyne.NewMenuItem(present.T("window.clear_all"), w.Control.ClearEnded),
		fyne.NewMenuItemSeparator(),
		about,
		fyne.NewMenuItem(present.T("window.quit"), w.Close),
	)
	p := fynewidget.NewPopUpMenu(fyne.NewMenu("", items...), w.win.Canvas())
	p.ShowAtRelativePosition(fyne.NewPos(w.menu.Size().Width-p.MinSize().Width, w.menu.Size().Height+4), w.menu)
}

// folderItems are what can be done with the folder on view.
func (w *Window) folderItems() []*fyne.MenuItem {
	choose := fyne.NewMenuItem(present.T("window.copy_here"), w.choose)
	choose.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyO, Modifier: fyne.KeyModifierControl}
	paste := fyne.NewMenuItem(present.T("window.paste"), w.paste)
	paste.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyV, Modifier: fyne.KeyModifierControl}
	reload := fyne.NewMenuItem(present.T("window.reload"), w.view.Reload)
	reload.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyR, Modifier: fyne.KeyModifierControl}
	return []*fyne.MenuItem{choose, paste, reload}
}

// folderMenu opens at the pointer; path is what it is over, "" for the folder itself.
func (w *Window) folderMenu(path string, at fyne.Position) {
	items := w.folderItems()
	if path != "" {
		dup := fyne.NewMenuItem(present.T("window.duplicate"), func() { w.Control.Drop(w.view.Selected(), w.view.Dir()) })
		copied := fyne.NewMenuItem(present.T("window.copy"), w.copySelection)
		copied.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyC, Modifier: fyne.KeyModifierControl}
		items = append([]*fyne.MenuItem{copied, dup, fyne.NewMenuItemSeparator()}, items...)
	}
	fynewidget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), w.win.Canvas(), at)
}
