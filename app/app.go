// Package app puts the program together: the engine, the window and the commands, which know nothing of each other. It also owns
// what belongs to the process: the signals, the crash report and the end.
package app

import (
	"context"
	"fmt"
	"os"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"drover/app/cli"
	_ "drover/app/locale" // must be initialised before fyne
	"drover/assets/icons"
	"drover/engine"
	"drover/ui"
	"drover/ui/browse"
	"drover/ui/control"
	"drover/ui/present"
)

// id names the program to the desktop: its settings, its desktop entry, its metainfo.
const id = "io.github.drover.Drover"

// Main runs the program and returns its exit status. A command runs without a display, and a word that is neither a command nor a
// folder is told of there; anything else opens the window on a folder.
func Main(args []string) int {
	if len(args) > 0 && (cli.IsCommand(args[0]) || isNoPlace(args[0])) {
		return cli.Run(context.Background(), args, cli.Standard())
	}
	if len(args) > 1 {
		fmt.Fprintln(os.Stderr, present.T("window.one_place"))
		return 2
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		fmt.Fprintln(os.Stderr, present.T("window.no_display"))
		return 1
	}
	arg := ""
	if len(args) == 1 {
		arg = args[0]
	}
	return window(arg)
}

// window opens the window and returns when it is closed.
func window(arg string) int {
	told := listen()
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/"
	}
	crashed := catchCrash()
	defer crashed.clean()

	screenFirst()

	begin := chooseStart(arg, home)
	icon := fyne.NewStaticResource("drover.png", icons.App)
	meta := fyne.AppMetadata{Name: "Drover", Version: cli.Version, Icon: icon}
	if os.Getenv("DROVER_CHECK_THREADS") == "" {
		// Without this fyne checks at every call on which goroutine it is made, which costs more than the call.
		meta.Migrations = map[string]bool{"fyneDo": true}
	}
	a := newApp(meta)
	a.SetIcon(icon)

	e := engine.New(engine.Options{})
	hub := e.Changes()
	w := ui.New(ui.Config{
		App: a, Engine: control.Real{Engine: e}, Home: home, Dir: begin.dir, Problem: begin.problem, Version: cli.Version, Settings: settingsFile(),
		Watch: func(dir string) (browse.Watch, error) {
			watch, err := hub.Watch(dir)
			if err != nil {
				return nil, err // not watch: a nil *change.Watch is no nil Watch
			}
			return watch, nil
		},
	})
	stop := onSignal(told, a, w, e, func(status int) {
		crashed.clean()
		os.Exit(status)
	})
	finish := trace(w)
	w.Show()
	a.Run()
	stop()
	w.Pump.Close()
	finish()
	return leave(e) // the window has seen to it that nothing runs, unless fyne ended by itself
}

// newApp begins with the toolkit. The program is given its id when it is there: for one that has an id fyne keeps preferences in a file of
// its own, which are not used (ui/settings.go says why), and complains when it finds half of it.
func newApp(meta fyne.AppMetadata) fyne.App {
	fyneapp.SetMetadata(meta)
	a := fyneapp.NewWithID("")
	meta.ID = id
	fyneapp.SetMetadata(meta)
	// When the event loop ends fyne queues what is to be done then, and closes that queue at the same time: now and then the program would
	// end by a panic. What it wants to do is to write its preferences.
	if l, ok := a.Lifecycle().(interface{ SetOnStoppedHookExecuted(hook func()) }); ok {
		l.SetOnStoppedHookExecuted(nil)
	}
	return a
}

// trace measures how long the main goroutine is busy, if DROVER_TRACE_PAINT is set, and says it at the end.
func trace(w *ui.Window) (finish func()) {
	if os.Getenv("DROVER_TRACE_PAINT") == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go w.Pump.Probe(ctx)
	return func() {
		cancel()
		fmt.Fprintf(os.Stderr, "main goroutine busy at most %v at a stretch, of that computing %v, painting at most %v\n", w.Pump.Busy(), w.Pump.Work(), w.Pump.LongestPaint())
	}
}
