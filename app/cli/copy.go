package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"drover/engine"
)

// newCopy makes the command. more are names that follow those on its command line.
func newCopy(stdio Streams, more []string) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "copy [flags] SOURCE… DEST",
		Aliases: []string{"cp"},
		Short:   "cli.copy",
		Long:    "cli.copy_long",
		Example: "cli.copy_examples",
	}
	return transfer(cmd, &copyFlags{}, stdio, more)
}

// newMove makes the command that moves: a copy of which nothing stays at the source.
func newMove(stdio Streams, more []string) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "move [flags] SOURCE… DEST",
		Aliases: []string{"mv"},
		Short:   "cli.move",
		Long:    "cli.move_long",
		Example: "cli.move_examples",
	}
	return transfer(cmd, &copyFlags{move: true}, stdio, more)
}

// transfer adds to a command what copy and move have in common.
func transfer(cmd *cobra.Command, f *copyFlags, stdio Streams, more []string) *cobra.Command {
	cmd.DisableFlagsInUseLine = true
	cmd.Args = f.needPlaces
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return runCopy(cmd.Context(), f, append(args, more...), stdio)
	}
	f.register(cmd)
	return cmd
}

// runCopy copies or moves, and tells how it went. Its error is a usageError or an exitStatus.
func runCopy(ctx context.Context, f *copyFlags, args []string, stdio Streams) error {
	if err := f.consistent(); err != nil {
		return err
	}
	began := time.Now()
	tell := func(o outcome) error { return asError(report(f, stdio, o, began)) }
	c := &copying{flags: f, stdio: stdio, screen: screen{w: stdio.Err, terminal: terminal(stdio.Err)}}
	c.signals = make(chan os.Signal, 2)
	watchSignals(c.signals)
	defer signal.Stop(c.signals)

	request, err := c.read(ctx, args)
	switch {
	case errors.Is(err, engine.ErrCancelled):
		return tell(outcome{result: engine.Result{State: engine.StateCancelled, Err: err}})
	case err != nil:
		return err
	case len(request.Sources) == 0: // only "-" can bring none; as with xargs -r that is no mistake
		return tell(outcome{result: engine.Result{State: engine.StateDone}})
	}
	c.engine = engine.New(engine.Options{})
	job, err := c.engine.Start(ctx, request)
	if err != nil {
		var refused *engine.RefusedError
		if !errors.As(err, &refused) {
			return usage("cli.bad_request", "Error", adviseLine(err))
		}
		return tell(outcome{result: engine.Result{State: engine.StateFailed, Err: err}})
	}
	c.job = job
	o := c.follow(ctx)
	signal.Stop(c.signals) // from here on a signal ends the process: telling may have to wait for a disk
	return tell(o)
}

// read makes the request of the command line. Standard input and, with host:path, the disk may keep it waiting; a signal
// ends that with ErrCancelled.
func (c *copying) read(ctx context.Context, args []string) (engine.Request, error) {
	type result struct {
		request engine.Request
		err     error
	}
	done := make(chan result, 1)
	go func() {
		sources, dest, err := places(args, c.stdio.In)
		done <- result{c.flags.request(sources, dest), err}
	}()
	select {
	case r := <-done:
		return r.request, r.err
	case <-c.signals:
	case <-ctx.Done():
	}
	return engine.Request{}, engine.ErrCancelled
}

// watchSignals sends the signals that cancel to ch. Writing to a closed pipe must not end the process in the middle of
// a file; the write fails instead. A process that was told to survive the end of its terminal (nohup) goes on doing so.
// A question asked from the background would stop the process; ignored, the read fails and the question stays open.
func watchSignals(ch chan<- os.Signal) {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGTTIN)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(ch, syscall.SIGHUP)
	}
}

// outcome is what there is to tell of a job. job is nil if there was none.
type outcome struct {
	job    *engine.Job
	result engine.Result
	last   engine.Snapshot
	stall  error // why the job was cancelled by us rather than by a person
}

// status is the exit status that the contract has for o.
func (o outcome) status() int {
	var refused *engine.RefusedError
	switch {
	case errors.As(o.result.Err, &refused):
		return ExitRefused
	case o.stall != nil, o.result.State == engine.StateFailed, o.result.State == engine.StateWaiting:
		return ExitUnfinished
	case o.result.State == engine.StateCancelled:
		return ExitCancelled
	case o.last.Failures > 0, o.last.Questions > 0:
		return ExitUnfinished
	default:
		return ExitDone
	}
}

// copying follows one job. All its fields belong to the goroutine of follow.
type copying struct {
	engine  *engine.Engine
	job     *engine.Job
	flags   *copyFlags
	stdio   Streams
	screen  screen
	signals chan os.Signal

	asking      *asking   // nil without a person
	interrupted time.Time // when the first signal came
	stall       error
}

// follow shows how the job goes and asks what there is to ask until it ends.
func (c *copying) follow(ctx context.Context) outcome {
	var (
		show  = c.display()
		timer *time.Timer
		tick  <-chan time.Time // nil, and so never ready, if nobody looks
		gone  = ctx.Done()
	)
	if show != nil {
		timer = time.NewTimer(show.first())
		defer timer.Stop()
		tick = timer.C
	}
	c.prepareQuestions()
	for {
		var lines <-chan string // nil without a person, as fetched is
		var fetched <-chan []engine.Question
		if c.asking != nil {
			lines, fetched = c.asking.lines, c.asking.fetched
		}
		select {
		case <-c.job.Done():
			return c.end(show)
		case <-c.job.Ring():
			c.look()
		case <-tick:
			if c.asking == nil || !c.asking.open() {
				show.progress(c.job.Snapshot())
			}
			timer.Reset(show.every())
		case qs := <-fetched:
			c.ask(qs)
		case line, ok := <-lines:
			c.answer(line, ok)
		case sig := <-c.signals:
			c.cancel(sig)
		case <-gone:
			gone = nil
			c.job.Cancel()
		}
	}
}

// end collects what there is to tell when the job has ended.
func (c *copying) end(show display) outcome {
	c.closeQuestion()
	result, _ := c.job.Wait(context.Background()) // has ended: does not wait
	if result.State == engine.StateCancelled || result.State == engine.StateFailed {
		c.tidy()
	}
	o := outcome{job: c.job, result: result, last: c.job.Snapshot(), stall: c.stall}
	if show != nil {
		show.last(o.last)
	}
	return o
}

// patience is how long a slow device may take to give back the files that were begun when the job was cancelled. One that
// has stopped answering altogether would hold the process for ever.
const patience = 10 * time.Second

// tidy waits until nothing half-written is left of a cancelled job. Who insists does not wait.
func (c *copying) tidy() {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	over := make(chan struct{})
	go func() {
		_ = c.engine.Close(ctx) // its only error is that patience ended
		close(over)
	}()
	for {
		select {
		case <-over:
			return
		case sig := <-c.signals:
			c.cancel(sig)
		}
	}
}

// impatience is how long after the first signal another one means that the person does not want to wait for a clean
// end. Before that it is the same key press, sent once by the terminal and once by the program in between.
const impatience = 300 * time.Millisecond

// cancel ends the job cleanly at the first signal, and at once if somebody insists: the disk may have stopped answering.
func (c *copying) cancel(sig os.Signal) {
	if c.interrupted.IsZero() {
		c.interrupted = time.Now()
		c.job.Cancel()
		return
	}
	if sig == os.Interrupt && time.Since(c.interrupted) > impatience {
		c.screen.wipe()
		os.Exit(ExitCancelled)
	}
}

// look reacts to what changed with the job: a question has come up, or it stands still for a reason.
func (c *copying) look() {
	s := c.job.Snapshot()
	if s.State == engine.StateStalled {
		if !c.interrupted.IsZero() {
			return
		}
		if c.asking == nil { // nobody is there who could make room
			c.stall = stallReason(s)
			c.job.Cancel()
			return
		}
		c.askStall(s)
		return
	}
	if c.asking != nil && s.Questions > 0 && c.interrupted.IsZero() {
		c.fetch()
	}
}

func stallReason(s engine.Snapshot) error {
	if s.Stall != nil {
		return s.Stall
	}
	return errors.New("stopped by a problem") // the engine promises a reason; without one the status is still right
}

// display shows how a job goes. Its methods are called from one goroutine.
type display interface {
	first() time.Duration // when to show something first
	every() time.Duration
	progress(s engine.Snapshot)
	last(s engine.Snapshot) // the job has ended
}

// display chooses what is shown while the job runs; nil is nothing.
func (c *copying) display() display {
	f := c.flags
	switch {
	case f.json:
		return &jsonProgress{w: c.stdio.Out, dryRun: f.dryRun}
	case f.quiet || f.progress == progressNever:
		return nil
	case c.screen.canDraw():
		return &barProgress{screen: &c.screen}
	case f.progress == progressAlways:
		return &lineProgress{w: c.stdio.Err}
	default:
		return nil
	}
}
