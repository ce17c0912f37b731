// Package app puts the program together: the engine, the window and the commands, which know nothing of each other. It also owns
// what belongs to the process: the signals, the crash report and the end.
package app

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

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
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/"
	}
	crashed := catchCrash()
	defer crashed.clean()

	screenFirst()

	begin := chooseStart(arg, home)
	icon := fyne.NewStaticResource("drover.png", icons.App)
	meta := fyne.AppMetadata{ID: id, Name: "Drover", Version: cli.Version, Icon: icon}
	if os.Getenv("DROVER_CHECK_THREADS") == "" {
		// Without this fyne checks at every call on which goroutine it is made, which costs more than the call.
		meta.Migrations = map[string]bool{"fyneDo": true}
	}
	fyneapp.SetMetadata(meta)
	a := fyneapp.NewWithID(id)
	a.SetIcon(icon)

	e := engine.New(engine.Options{})
	hub := e.Changes()
	w := ui.New(ui.Config{
		App: a, Engine: control.Real{Engine: e}, Home: home, Dir: begin.dir, Problem: begin.problem, Version: cli.Version,
		Watch: func(dir string) (browse.Watch, error) {
			watch, err := hub.Watch(dir)
			if err != nil {
				return nil, err // not watch: a nil *change.Watch is no nil Watch
			}
			return watch, nil
		},
	})
	stop := onSignal(a, w)
	defer stop()
	finish := trace(w)
	w.Show()
	a.Run()
	w.Pump.Close()
	finish()
	// the window has seen to it that nothing runs, unless fyne ended by itself
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := e.Close(ctx); err != nil {
		fmt.Fprintln(os.Stderr, present.T("window.left_behind"))
		return 1
	}
	return 0
}

// onSignal ends the program in order when it is told to: a log-out sends SIGTERM, a terminal SIGINT or SIGHUP. fyne has a handler of
// its own that ends the event loop at once; it is set when the loop begins, and taken off by the first paint.
func onSignal(a fyne.App, w *ui.Window) (stop func()) {
	c := make(chan os.Signal, 1)
	done := make(chan struct{})
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	signal.Notify(c, signals...)
	type first struct{}
	a.Lifecycle().SetOnStarted(func() {
		w.Pump.Put(first{}, func() {
			signal.Reset(signals...)
			signal.Notify(c, signals...)
		})
	})
	go func() {
		select {
		case <-c:
			type key struct{}
			w.Pump.Put(key{}, w.Quit)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(c)
		close(done)
	}
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
