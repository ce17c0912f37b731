package engine

import "context"

// Job is one request being carried out. All its methods may be called from any goroutine at any time.
type Job struct{}

// ID names the job, unique for the engine.
func (j *Job) ID() string { panic("skeleton") }

// Request is what the job was started with.
func (j *Job) Request() Request { panic("skeleton") }

// Snapshot says how the job stands. It touches no disk.
func (j *Job) Snapshot() Snapshot { panic("skeleton") }

// Ring is signalled (capacity 1, no data) when state, questions, failures or warnings changed.
func (j *Job) Ring() <-chan struct{} { panic("skeleton") }

// Pause stops work within 100 ms, also the scan.
func (j *Job) Pause() { panic("skeleton") }

// Resume goes on after Pause, and tries again after a stall.
func (j *Job) Resume() { panic("skeleton") }

// Cancel ends the job within 200 ms. Nothing half-written stays.
func (j *Job) Cancel() { panic("skeleton") }

// Leave ends the job as soon as nothing but questions is left, with the questions unanswered (StateWaiting in the Result).
func (j *Job) Leave() { panic("skeleton") }

// Questions returns up to n open questions after skipping from, in the order they arose. It looks at both sides of each on disk.
func (j *Job) Questions(from, n int) []Question { panic("skeleton") }

// Question returns one open question.
func (j *Job) Question(id QuestionID) (Question, bool) { panic("skeleton") }

// Failures returns up to n failed items after skipping from. It touches no disk.
func (j *Job) Failures(from, n int) []Failure { panic("skeleton") }

// Warnings returns one entry per kind of warning.
func (j *Job) Warnings() []Warning { panic("skeleton") }

// Decide answers questions and retries failures; see Decision.
func (j *Job) Decide(d Decision) error { panic("skeleton") }

// Done is closed when the job has ended.
func (j *Job) Done() <-chan struct{} { panic("skeleton") }

// Wait waits for the end of the job. The error is only ever that of ctx.
func (j *Job) Wait(ctx context.Context) (Result, error) { panic("skeleton") }

// Retry starts a new job for the failed items of an ended one.
func (j *Job) Retry(ctx context.Context) (*Job, error) { panic("skeleton") }
