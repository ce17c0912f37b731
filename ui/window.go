package ui

import (
	"context"
	"os"
	"os/exec"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"drover/engine/place"
	"drover/ui/browse"
	"drover/ui/conflict"
	"drover/ui/control"
	"drover/ui/failures"
	"drover/ui/places"
	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/transfers"
	"drover/ui/widget"
)

// Config is what a window is made of.
type Config struct {
	App    fyne.App
	Engine control.Engine
	// Watch watches a folder for the view; nil: the view is not kept up to date.
	Watch func(dir string) (browse.Watch, error)
	// Dir is the folder to begin with, absolute.
	Dir string
	// Problem is shown in the beginning, "" for none.
	Problem string
	Home    string
	// Settings is the file that keeps what the window remembers, "" for none.
	Settings string
	// Version is shown to who asks for it, "" for none.
	Version string
}

// Window is the window of Drover. Its methods belong to the main goroutine.
type Window struct {
	Pump    *Pump
	Control *control.Control

	cfg      Config
	ctx      context.Context
	cancel   context.CancelFunc
	settings *settings
	win      fyne.Window
	places   *places.Bar
	bar      *browse.Bar
	view     *browse.View
	list     *transfers.List
	notice   *widget.Notice
	menu     *widget.Button
	copyHere *widget.Button
	ground   *widget.Ground
	frame    *fyne.Container
	rules    [3]*canvas.Rectangle
	cwd      string
	folders  []place.UserDir
	devices  []place.Mount
	chosen   string // where the chooser was last

	title     string
	fractions []float64
	transfers []present.Transfer // on the screen
	noticed   int                // counts messages, so that an old timer does not take a new one away
	asking    *conflict.Dialog
	failing   *failures.Dialog
	closing   bool // or being asked whether to
	quitting  bool
}

// New makes the window; Show opens it.
func New(cfg Config) *Window {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Window{cfg: cfg, ctx: ctx, cancel: cancel, settings: newSettings(cfg.Settings)}
	w.cwd, _ = os.Getwd()
	w.Pump = NewPump(w.look)
	w.Control = control.New(cfg.Engine, w.Pump.Put, w.Pump.Ring, w.complain, nil)
	cfg.App.Settings().SetTheme(theme.New(w.settings.theme()))
	w.win = cfg.App.NewWindow("Drover")
	w.win.SetMaster()
	w.build()
	w.win.SetPadded(false)
	w.win.SetContent(w.frame)
	w.win.Resize(w.settings.size())
	w.win.SetOnDropped(w.dropped)
	w.win.SetCloseIntercept(w.Close)
	w.addShortcuts()
	cfg.App.Settings().AddListener(func(fyne.Settings) { w.restyle() })
	return w
}

func (w *Window) build() {
	w.view = browse.New(w.ctx, browse.Deps{
		Put: w.Pump.Put, Watch: w.cfg.Watch, Home: w.cfg.Home, Modifiers: modifiers,
		OnFolder: w.entered, OnFile: w.openFile, OnMenu: w.folderMenu,
		OnShortcut: func(s fyne.Shortcut) { w.shortcut(s) },
		OnKey:      w.key,
	})
	w.menu = widget.NewIconButton(theme.More, present.T("window.menu"), w.mainMenu)
	w.copyHere = widget.NewButton(present.T("window.copy_here"), widget.Normal, w.choose)
	w.copyHere.Icon = theme.Paste
	w.bar = browse.NewBar(w.view, w.copyHere, w.menu)
	w.bar.OnKey = w.key
	w.bar.OnBad = func(s string) { w.complain(present.T("window.bad_path", "Path", present.Name(s))) }
	w.places = places.New()
	w.places.OnOpen = func(dir string) {
		w.view.Open(dir)
		w.focusView()
	}
	w.places.OnKey = w.key
	w.list = transfers.New(transfers.Actions{
		Pause: w.Control.Pause, Resume: w.Control.Resume, Cancel: w.Control.Cancel,
		Clear: w.Control.Clear, Retry: w.Control.Retry, Show: w.showDest, Review: w.review,
		Hint: w.view.Hint, Key: w.key, Pointer: w.focusView,
	})
	w.list.OnHeight = func() { w.frame.Refresh() }
	w.notice = widget.NewNotice(func() { w.hideNotice() })
	w.notice.Hide()
	for _, b := range []*widget.Button{w.menu, w.copyHere} {
		b.OnHint, b.OnKey, b.OnPointer = w.view.Hint, w.key, w.focusView
	}
	for i := range w.rules {
		w.rules[i] = canvas.NewRectangle(fynetheme.Color(fynetheme.ColorNameSeparator))
	}
	w.ground = widget.NewGround(w.focusView)
	w.frame = container.New(frameLayout{w}, w.ground, w.bar.Object(), w.notice, w.places.Object(), w.view.Object(), w.list.Object(),
		w.rules[0], w.rules[1], w.rules[2])
	w.view.ShowHidden(w.settings.hidden())
	w.view.SetOrderOf(w.settings.order())
}

// frameLayout is the plan of the window: the bar above, the places at the left, the folder, the transfers below.
type frameLayout struct{ w *Window }

func (frameLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(480, 320) }

func (l frameLayout) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	w := l.w
	w.ground.Resize(s)
	top := w.bar.Object().MinSize().Height
	w.bar.Object().Resize(fyne.NewSize(s.Width, top))
	low := min(w.list.Height(), s.Height*0.42)
	note := float32(0)
	if w.notice.Visible() {
		note = w.notice.MinSize().Height
		w.notice.Move(fyne.NewPos(0, top+1))
		w.notice.Resize(fyne.NewSize(s.Width, note))
	}
	y := top + 1 + note
	height := s.Height - y - low
	side := min(max(s.Width*0.2, 150), 210)
	p, v, t := w.places.Object(), w.view.Object(), w.list.Object()
	p.Move(fyne.NewPos(0, y))
	p.Resize(fyne.NewSize(side, height))
	v.Move(fyne.NewPos(side+1, y))
	v.Resize(fyne.NewSize(s.Width-side-1, height))
	t.Move(fyne.NewPos(0, s.Height-low))
	t.Resize(fyne.NewSize(s.Width, low))
	t.(*fyne.Container).Hidden = low == 0
	w.rules[0].Move(fyne.NewPos(0, top))
	w.rules[0].Resize(fyne.NewSize(s.Width, 1))
	w.rules[1].Move(fyne.NewPos(side, y))
	w.rules[1].Resize(fyne.NewSize(1, height))
	w.rules[2].Move(fyne.NewPos(0, s.Height-low))
	w.rules[2].Resize(fyne.NewSize(s.Width, 1))
	w.rules[2].Hidden = low == 0
}

// Show opens the window and lets it live until App.Run ends.
func (w *Window) Show() {
	go w.Pump.Run(w.ctx)
	go places.Follow(w.ctx, func(folders []place.UserDir, devices []place.Mount) {
		type key struct{}
		w.Pump.Put(key{}, func() {
			w.folders, w.devices = folders, devices
			w.places.Show(folders, devices)
		})
	})
	// By its class desktops find the desktop entry of a window. The toolkit makes it of the title that the window begins with.
	w.win.SetTitle(w.cfg.App.UniqueID())
	w.win.Show()
	w.view.Open(w.cfg.Dir)
	if w.cfg.Problem != "" {
		w.complain(w.cfg.Problem)
	}
	w.focusView()
}

// Fyne is the toolkit's window.
func (w *Window) Fyne() fyne.Window { return w.win }

// View is the folder view.
func (w *Window) View() *browse.View { return w.view }

// look is called by the pump.
func (w *Window) look() (paint func(), busy bool) {
	rows, changed, busy := w.Control.Look()
	w.view.Jobs(busy)
	if !changed {
		return nil, busy
	}
	return func() { w.showTransfers(rows) }, busy
}

// drawn is how long after a change it is on the screen: two turns of the toolkit, which draws 60 times a second.
const drawn = time.Second / 30

func (w *Window) showTransfers(rows []present.Transfer) {
	w.transfers = rows
	w.list.Show(rows)
	w.fractions = w.fractions[:0]
	for i := range rows {
		if !rows[i].Ended && rows[i].Known && rows[i].Mark != present.MarkWaiting {
			w.fractions = append(w.fractions, rows[i].Fraction)
		}
	}
	// The title goes to the screen at once, but the rows when the toolkit draws: both shall say the same.
	time.AfterFunc(drawn, func() {
		type key struct{}
		w.Pump.Put(key{}, w.setTitle)
	})
	if w.failing != nil && w.failing.Shown() {
		w.failing.Reload()
	}
}

// setTitle costs a round trip to the X server, so only what differs is set.
func (w *Window) setTitle() {
	if t := present.WindowTitle(present.Base(w.view.Dir()), w.fractions); t != w.title {
		w.title = t
		w.win.SetTitle(t)
	}
}

func (w *Window) entered(dir string) {
	w.bar.Show(dir)
	w.places.SetCurrent(dir)
	w.setTitle()
}

func (w *Window) focusView() { w.win.Canvas().Focus(w.view.Focusable()) }

// showDest opens the folder that a job copied into, and selects there what it copied.
func (w *Window) showDest(id string) {
	if r, ok := w.Control.Request(id); ok {
		w.view.OpenFor(r.Dest, func(l *present.Listing) []string { return present.Copied(r, l) })
		w.focusView()
	}
}

// review shows what of a job waits for a person.
func (w *Window) review(id string) {
	if w.asking != nil && w.asking.Shown() || w.failing != nil && w.failing.Shown() {
		return
	}
	w.Control.Ask(id, nil, func(_ control.Asked, ok bool) {
		if !ok {
			w.failing = failures.Show(w.win.Canvas(), w.Control, id)
			w.failing.OnClose = w.focusView
			return
		}
		w.asking = conflict.Show(w.win.Canvas(), w.Control, id, nil)
		w.asking.OnClose = func(bool) { w.focusView() }
	})
}

// openFile hands a file to the program that the desktop has for it.
func (w *Window) openFile(path string) {
	go func() {
		cmd := exec.Command("xdg-open", path)
		err := cmd.Run()
		if err != nil && w.ctx.Err() == nil {
			type key struct{}
			w.Pump.Put(key{}, func() { w.complain(present.T("window.cannot_open", "Name", present.Base(path))) })
		}
	}()
}

// noticeTime is how long a message stays.
const noticeTime = 8 * time.Second

// complain shows what did not work.
func (w *Window) complain(text string) { w.show(text, true) }

// say shows what a person should know.
func (w *Window) say(text string) { w.show(text, false) }

func (w *Window) show(text string, problem bool) {
	w.notice.Set(text, problem)
	w.notice.Show()
	w.frame.Refresh()
	w.noticed++
	n := w.noticed
	time.AfterFunc(noticeTime, func() {
		type key struct{}
		w.Pump.Put(key{}, func() {
			if n == w.noticed {
				w.hideNotice()
			}
		})
	})
}

func (w *Window) hideNotice() {
	if w.notice.Visible() {
		w.notice.Hide()
		w.frame.Refresh()
	}
}

func (w *Window) restyle() {
	w.places.Restyle()
	w.list.Restyle()
	for _, r := range w.rules {
		r.FillColor = fynetheme.Color(fynetheme.ColorNameSeparator)
		r.Refresh()
	}
}

// modifiers asks the driver which modifier keys are held.
func modifiers() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}
