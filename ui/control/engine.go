package control

import (
	"context"

	"drover/engine"
)

// Job is what the window uses of an engine.Job.
type Job interface {
	ID() string
	Request() engine.Request
	Snapshot() engine.Snapshot
	Ring() <-chan struct{}
	Pause()
	Resume()
	Cancel()
	Leave()
	Questions(from, n int) []engine.Question
	Failures(from, n int) []engine.Failure
	Warnings() []engine.Warning
	Decide(d engine.Decision) error
	Done() <-chan struct{}
	Wait(ctx context.Context) (engine.Result, error)
}

// Engine is what the window uses of an engine.Engine. Tests have one without a disk.
type Engine interface {
	Start(ctx context.Context, r engine.Request) (Job, error)
	// Retry starts a new job for the failed items of one that has ended.
	Retry(ctx context.Context, j Job) (Job, error)
	Forget(j Job)
	Close(ctx context.Context) error
}

// Real is the engine itself as an Engine.
type Real struct{ *engine.Engine }

var _ Engine = Real{}

// Start implements Engine.
func (r Real) Start(ctx context.Context, q engine.Request) (Job, error) {
	j, err := r.Engine.Start(ctx, q)
	if err != nil {
		return nil, err // not j: a nil *engine.Job is no nil Job
	}
	return j, nil
}

// Retry implements Engine.
func (r Real) Retry(ctx context.Context, j Job) (Job, error) {
	ended, ok := j.(*engine.Job)
	if !ok {
		return nil, engine.ErrClosed
	}
	next, err := ended.Retry(ctx)
	if err != nil {
		return nil, err
	}
	return next, nil
}

// Forget implements Engine.
func (r Real) Forget(j Job) {
	if ended, ok := j.(*engine.Job); ok {
		r.Engine.Forget(ended)
	}
}
