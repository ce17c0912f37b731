package engine

import (
	"context"

	"drover/engine/change"
)

// Options configure an Engine. The zero value is right for a program.
type Options struct {
	// Workers is how many workers a job has; 0 means the measured default for the machine.
	Workers int
}

// Engine runs jobs.
type Engine struct{ hub *change.Hub }

// New returns an engine without jobs.
func New(o Options) *Engine { return &Engine{hub: change.NewHub()} }

// Start checks the form of the request (never the disk), queues it and returns at once.
func (e *Engine) Start(ctx context.Context, r Request) (*Job, error) { panic("skeleton") }

// Jobs returns the jobs that were not forgotten, oldest first.
func (e *Engine) Jobs() []*Job { return nil }

// Forget drops an ended job from Jobs.
func (e *Engine) Forget(j *Job) {}

// Changes is where the engine tells which folders it changed.
func (e *Engine) Changes() *change.Hub { return e.hub }

// Close cancels what runs and waits for it.
func (e *Engine) Close(ctx context.Context) error { return nil }
