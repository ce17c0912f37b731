package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"drover/engine/change"
)

// Options configure an Engine. The zero value is right for a program.
type Options struct {
	// Workers is how many workers a job has; 0 means the measured default for the machine.
	Workers int
}

// Engine runs jobs. All its methods may be called from any goroutine.
type Engine struct {
	options Options
	hub     *change.Hub
	numbers atomic.Uint64

	mu sync.Mutex
	// guarded by mu
	jobs    []*Job
	closed  bool
	running sync.WaitGroup // jobs, and what cancelled ones left behind
}

// New returns an engine without jobs.
func New(o Options) *Engine {
	if o.Workers <= 0 {
		o.Workers = defaultWorkers()
	}
	return &Engine{options: o, hub: change.NewHub()}
}

// ErrRequest marks a request that says nothing that could be done: no sources, a path with a NUL, a bad glob.
var ErrRequest = errors.New("not a valid request")

// Start checks the form of the request, begins the job and returns at once; what is on the disk is looked at by the job.
// It returns an error that is ErrRequest, or ErrClosed. The job is cancelled when ctx is.
func (e *Engine) Start(ctx context.Context, r Request) (*Job, error) {
	r, err := r.checked()
	if err != nil {
		return nil, err
	}
	return e.start(ctx, r, nil)
}

func (e *Engine) start(ctx context.Context, r Request, from *Job) (*Job, error) {
	j := &Job{
		engine: e, req: r, id: strconv.FormatInt(time.Now().UnixMilli(), 36) + "-" + strconv.FormatUint(e.numbers.Add(1), 36),
		bell: make(chan struct{}, 1), done: make(chan struct{}),
	}
	j.run = newRun(ctx, j, e.options.Workers, e.hub)
	if from != nil {
		j.run.seed, j.run.targets, j.run.device = from.run.failed(), from.run.targets, from.run.device
		for i := range j.run.seed {
			if g := j.run.seed[i].e.links; g != nil {
				g.restart()
			}
		}
		if j.run.moves {
			j.run.removal.touched = maps.Clone(from.run.removal.touched)
		}
		j.run.twins.inherit(&from.run.twins)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, ErrClosed
	}
	e.jobs = append(e.jobs, j)
	e.running.Go(j.carryOut)
	return j, nil
}

// Jobs returns the jobs that were not forgotten, oldest first.
func (e *Engine) Jobs() []*Job {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]*Job(nil), e.jobs...)
}

// Forget drops an ended job from Jobs. One that has not ended stays.
func (e *Engine) Forget(j *Job) {
	select {
	case <-j.done:
	default:
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, x := range e.jobs {
		if x == j {
			e.jobs = append(e.jobs[:i:i], e.jobs[i+1:]...)
			return
		}
	}
}

// Changes is where the engine tells which folders it changed.
func (e *Engine) Changes() *change.Hub { return e.hub }

// Close cancels what runs and waits until everything has ended, also workers that a device kept when their job was
// cancelled: only then nothing half-written is left. No job can be started any more. The error is that of ctx.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	jobs := append([]*Job(nil), e.jobs...)
	e.mu.Unlock()
	for _, j := range jobs {
		j.Cancel()
	}
	over := make(chan struct{})
	go func() { e.running.Wait(); close(over) }()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// checked returns the request with absolute paths, or says what is wrong with its form.
func (r Request) checked() (Request, error) {
	if len(r.Sources) == 0 {
		return r, fmt.Errorf("%w: nothing to copy", ErrRequest)
	}
	cwd, err := os.Getwd()
	if err != nil {
		cwd = ""
	}
	abs := func(p string) (string, error) {
		switch {
		case p == "":
			return "", fmt.Errorf("%w: an empty path", ErrRequest)
		case strings.IndexByte(p, 0) >= 0:
			return "", fmt.Errorf("%w: %q contains a NUL byte", ErrRequest, p)
		case p[0] == '/':
			return p, nil
		case cwd == "":
			return "", fmt.Errorf("%w: %q is relative and the working directory is gone", ErrRequest, p)
		}
		return strings.TrimRight(cwd, "/") + "/" + p, nil
	}
	sources := make([]string, len(r.Sources))
	for i, s := range r.Sources {
		if sources[i], err = abs(s); err != nil {
			return r, err
		}
	}
	r.Sources = sources
	if r.Dest, err = abs(r.Dest); err != nil {
		return r, err
	}
	return r.consistent()
}

// consistent returns the request with what some options mean for others, or says which of them cannot be had together.
func (r Request) consistent() (Request, error) {
	for _, g := range r.Exclude {
		if _, err := parseGlob(g); err != nil {
			return r, err
		}
	}
	if r.Rule > RuleRenameOld || r.OnError > OnErrorStop || r.Reflink > ReflinkNever || r.Sparse > SparseNever || r.Links > LinksFollow {
		return r, fmt.Errorf("%w: an unknown option", ErrRequest)
	}
	if r.Move && (r.Duplicate || r.Links == LinksFollow) {
		return r, fmt.Errorf("%w: what is moved is neither duplicated nor something that a link points to", ErrRequest)
	}
	if r.Sparse != SparseAuto {
		if r.Reflink == ReflinkAlways {
			return r, fmt.Errorf("%w: a clone has the holes of its source and no others", ErrRequest)
		}
		r.Reflink = ReflinkNever
	}
	return r, nil
}
