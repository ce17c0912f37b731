package app

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"fyne.io/fyne/v2"

	"drover/engine"
	"drover/ui"
	"drover/ui/present"
)

const (
	// leaveTime is how long the end of the program waits for the engine: it needs a fifth of a second, unless a disk hangs.
	leaveTime = 3 * time.Second
	// toolkitTime is how long the toolkit may take to end after a signal, when the jobs have ended. It needs some milliseconds.
	toolkitTime = 2 * time.Second
)

var signals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// listen has signals wait, from as early on as possible, until somebody can end the program in order. A log-out sends SIGTERM, a
// terminal SIGINT or SIGHUP.
func listen() chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, signals...)
	return c
}

// onSignal ends the program in order when it is told to. fyne has a handler of its own that ends the event loop at once; it is set when
// the loop begins, and taken off at once. stop is called when the event loop has ended.
func onSignal(c chan os.Signal, a fyne.App, w *ui.Window, e *engine.Engine, exit func(status int)) (stop func()) {
	done := make(chan struct{})
	type first struct{}
	ours := func() {
		signal.Reset(signals...)
		signal.Notify(c, signals...)
	}
	a.Lifecycle().SetOnStarted(func() {
		ours()
		w.Pump.Put(first{}, ours) // it may have been set just after that
	})
	go func() {
		select {
		case <-c:
			type key struct{}
			w.Pump.Put(key{}, w.Quit)
			insist(e, done, exit)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(c)
		close(done)
	}
}

// insist ends the program by itself if the toolkit does not: what fyne is told while it empties its queue it can lose, the word to end too,
// and where the screen does not answer it never hears it. First the jobs end, so that nothing half-written is left.
func insist(e *engine.Engine, done <-chan struct{}, exit func(status int)) {
	status := leave(e)
	patience := time.NewTimer(toolkitTime)
	defer patience.Stop()
	select {
	case <-done:
	case <-patience.C:
		exit(status)
	}
}

// leave ends all jobs and returns the exit status of the program.
func leave(e *engine.Engine) int {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if err := e.Close(ctx); err != nil {
		fmt.Fprintln(os.Stderr, present.T("window.left_behind"))
		return 1
	}
	return 0
}
