package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"drover/engine/change"
	"drover/engine/internal/lane"
	"drover/engine/internal/meter"
	"drover/engine/internal/sys"
)

// run is a job being carried out: the stages and what they share.
type run struct {
	// set once
	req     Request
	hub     *change.Hub
	meter   *meter.Meter
	cell    *meter.Cell // of the scan
	ctx     context.Context
	cancel  context.CancelCauseFunc
	job     *Job
	copiers []*copier
	exclude []glob
	uid     uint32
	gid     uint32
	umask   uint32
	sealers sync.Pool

	width int // how many files one worker may have open in pairs

	moves bool // sources are taken away: Request.Move, and no dry run

	keepMode, keepOwner, keepTimes, keepXattr, keepACL bool

	gate     gate
	queue    *queue
	tree     tree
	desk     desk
	outcomes chan *batch
	removal  *removal // nil if nothing is moved

	inFlight atomic.Int64 // the scan, and every batch that is not recorded yet
	idle     chan struct{}
	links    linkTable
	twins    twins
	numbers  numbering
	device   uint64        // of the destination folder; set by the first scan
	targets  *targets      // set by the first scan, before anything else is begun
	refused  error         // set by the first scan, read after it
	seed     []parked      // instead of sources: items of another job that are tried again
	helpers  helpers       // scans and counts
	looked   chan struct{} // closed by asked
	asked    func()        // told that somebody wants to know how the job stands

	warnMu sync.Mutex
	// guarded by warnMu
	warnings []Warning
}

func newRun(ctx context.Context, j *Job, workers int, hub *change.Hub) *run {
	r := &run{
		req: j.req, hub: hub, job: j, meter: meter.New(workers+2, time.Now()), queue: newQueue(),
		outcomes: make(chan *batch, recordBacklog), twins: newTwins(), idle: make(chan struct{}, 1), looked: make(chan struct{}), umask: sys.Umask(),
	}
	r.moves = r.req.Move && !r.req.DryRun
	r.asked = sync.OnceFunc(func() { close(r.looked) })
	r.meter.Hold(time.Now()) // the clock starts with the work
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	if r.moves {
		r.removal = newRemoval(r, r.meter.Cell(workers+1))
	}
	r.uid, r.gid = sys.User()
	r.cell = r.meter.Cell(workers)
	r.keepMode, r.keepOwner = r.keeps(PreserveMode), r.keeps(PreserveOwner)
	r.keepTimes, r.keepXattr, r.keepACL = r.keeps(PreserveTimes), r.keeps(PreserveXattr), r.keeps(PreserveACL)
	for _, text := range r.req.Exclude {
		if g, err := parseGlob(text); err == nil { // Start has checked them
			r.exclude = append(r.exclude, g)
		}
	}
	r.width, r.tree.limit = afford(sys.DescriptorLimit(), workers)
	r.sealers.New = func() any { return &copier{run: r, names: make([]byte, xattrBuffer)} }
	for i := range workers {
		r.copiers = append(r.copiers, r.newCopier(i))
	}
	return r
}

// do carries the job out and returns when it has ended, or when it was cancelled and a device does not let go of a
// worker. Such a worker is left behind: it cleans up after itself when the device answers.
func (r *run) do() {
	r.meter.Go(time.Now())
	stopGate := context.AfterFunc(r.ctx, func() {
		r.gate.cancel()
		r.queue.close()
		if r.moves {
			r.removal.cancel()
		}
	})
	defer stopGate()
	if r.moves {
		go r.removal.work(r.ctx)
	}

	var workers sync.WaitGroup
	for _, c := range r.copiers {
		workers.Go(func() { c.work(r.ctx) })
	}
	recorded := make(chan struct{})
	go func() { r.record(); close(recorded) }()

	counting, stopCounting := context.WithCancel(r.ctx)
	defer stopCounting()
	r.scan(func(sc *scanner) {
		if r.seed != nil {
			r.dispatch(r.seed, sc)
		} else if d, err := sc.destine(); err != nil {
			r.refused = err
		} else {
			r.helpers.start(func() { r.countAhead(counting) })
			sc.sources(r.ctx, d)
		}
		sc.walk(r.ctx)
		if !sc.blind {
			r.meter.Known()
			stopCounting()
		}
	})
	r.await()
	stopCounting()

	r.queue.close()
	all := make(chan struct{})
	r.job.engine.running.Go(func() {
		r.helpers.end()
		workers.Wait()
		if r.moves {
			r.removal.end()
		}
		close(r.outcomes)
		<-recorded
		r.abandonQueued()
		if r.moves {
			r.removal.last()
		}
		r.tree.close()
		for _, c := range r.copiers { // an ended job stays in the list for a while; its buffers need not
			c.buf, c.names, c.mover = nil, nil, lane.Mover{}
		}
		close(all)
	})
	if r.ctx.Err() == nil {
		<-all
		r.cancel(errRunOver)
		return
	}
	grace := cancelGrace
	if r.moves && !isCancel(context.Cause(r.ctx)) {
		grace = removeGrace
	}
	select {
	case <-all:
	case <-time.After(grace):
	}
}

// scan runs a scanner of its own beside whatever else goes on, counted as work. When a cancelled run has ended it does nothing.
func (r *run) scan(f func(*scanner)) {
	r.begin()
	if !r.helpers.start(func() {
		defer r.finish()
		f(r.newScanner())
	}) {
		r.finish()
	}
}

// await waits until nothing is left to do, or the job is cancelled. While only questions are left the job is waiting.
func (r *run) await() {
	for {
		select {
		case <-r.idle:
		case <-r.ctx.Done():
			r.job.closes()
			return
		}
		if r.job.ends(r) {
			return
		}
	}
}

// begin counts something that has to be finished before the job can end.
func (r *run) begin() { r.inFlight.Add(1) }

// finish ends what begin began.
func (r *run) finish() {
	if r.inFlight.Add(-1) == 0 {
		r.wake()
	}
}

// wake lets await look again.
func (r *run) wake() {
	select {
	case r.idle <- struct{}{}:
	default:
	}
}

// dispatch brings items from the desk back to work: files to the queue at once, folders to a scanner that will walk them.
func (r *run) dispatch(items []parked, sc *scanner) {
	var files []parked
	for _, p := range items {
		known := p.e.mode != 0
		if !known && !sc.lookAgain(&p) {
			continue
		}
		if p.e.took != nil && p.e.fate == fateFailed && r.removeAgain(&p) {
			continue
		}
		if p.e.kind() == sys.Dir {
			p.e.fate, p.e.err = fatePending, nil
			sc.later(p.dir, p.e)
			continue
		}
		if p.e.fate == fateFailed {
			r.meter.Restore(1, p.e.size) // it had left the total
			p.e.moved = 0
			if known && p.e.links != nil {
				p.e.links.found(r.meter)
			}
		}
		r.rewind(&p.e)
		r.tree.hold(p.dir)
		files = append(files, p)
	}
	r.again(files)
}

// removeAgain brings back an item of which only the source is left to be taken away. It returns false if it has to be copied once more.
func (r *run) removeAgain(p *parked) bool {
	if p.e.stage != StageRemove || errors.Is(p.e.err, ErrChanged) || errors.Is(p.e.err, ErrCopyGone) {
		p.e.took = nil
		return false
	}
	r.meter.Found(1, 0) // it had left the total
	t := *p.e.took
	t.mended = true
	p.e.fate, p.e.err, p.e.took = fateDone, nil, &t
	r.tree.hold(p.dir)
	r.removal.sources(&batch{dir: p.dir, entries: []entry{p.e}})
	r.tree.drop(p.dir, r.seal) // the folder is tried again after it
	return true
}

// lookAgain scans an entry that could not be looked at before. If it still cannot be, it is parked as it was.
func (s *scanner) lookAgain(p *parked) bool {
	err := s.see(p)
	if err != nil {
		p.e.err = err
		s.begin()
		s.outcomes <- &batch{dir: p.dir, entries: []entry{p.e}}
	}
	return err == nil
}

func (s *scanner) see(p *parked) error {
	dir := p.dir
	if dir.root && dir.pair == nil { // the folder could not be opened either
		var err error
		if dir, err = s.root(dir.srcPath(""), destination{path: dir.dstPath(""), id: dir.dstID}); err != nil {
			return err
		}
	}
	src, _, err := s.tree.acquire(dir)
	if err != nil {
		return err
	}
	defer s.tree.release(dir)
	var st sys.Stat
	if err := lookNamed(src, p.e.name, dir.follow, p.e.slash, &st); err != nil {
		return err
	}
	p.dir, p.e.size, p.e.fate = dir, s.identify(&p.e, &st), fateFailed
	return nil
}

// again puts entries back into the queue, each with a hold of its own on its folder.
func (r *run) again(items []parked) {
	for len(items) > 0 {
		n := 1
		for n < len(items) && n < batchFiles && items[n].dir == items[0].dir {
			n++
		}
		b := &batch{dir: items[0].dir}
		for _, p := range items[:n] {
			p.e.fate, p.e.err = fatePending, nil
			b.entries = append(b.entries, p.e)
		}
		for range n - 1 { // the batch needs one hold
			r.tree.drop(b.dir, nil)
		}
		items = items[n:]
		r.begin()
		r.queue.putFirst(b)
	}
}

// abandonQueued gives up what nobody will work on any more, so that the folders above it are sealed.
func (r *run) abandonQueued() {
	for b := range r.queue.drain() {
		r.tree.drop(b.dir, r.seal)
	}
}

// elsewhere reports whether a folder lies on another device than the destination, mounted below it: trouble there is no
// trouble for the rest of the job.
func (r *run) elsewhere(dir *folder) bool { return dir.dstID.Dev != r.device }

// stall stops the job for a reason that a person can mend, and waits. It returns true when the job goes on.
func (r *run) stall(ctx context.Context, dir *folder, e *entry, stage Stage, err error) bool {
	if r.req.OnError == OnErrorStop {
		return false
	}
	r.job.stalled(r, &ItemError{stage, dir.srcPath(e.name), dir.dstPath(e.target()), err})
	if r.moves {
		r.removal.hurry()
	}
	return r.gate.pass(ctx) == nil
}

// stop ends the job as failed.
func (r *run) stop(err error) { r.cancel(err) }

// rule is what the job does by itself where something exists.
func (r *run) rule() (Action, bool) {
	if a := r.desk.rest.Load(); a != nil {
		return *a, true
	}
	switch r.req.Rule {
	case RuleSkip:
		return ActionSkip, true
	case RuleReplace:
		return ActionReplace, true
	case RuleNewer:
		return ActionNewer, true
	case RuleKeepBoth:
		return ActionKeepBoth, true
	case RuleRenameOld:
		return ActionRenameOld, true
	}
	return 0, false
}

// warn notes something about an item that was copied, once per kind with a count.
func (r *run) warn(kind WarnKind, dir *folder, e *entry, err error) {
	r.warnOf(kind, func() string { return dir.srcPath(e.name) }, err)
}

// warnOf does, with the path of what the warning is about, which is only put together for the first of its kind.
func (r *run) warnOf(kind WarnKind, path func() string, err error) {
	r.warnMu.Lock()
	defer r.warnMu.Unlock()
	for i := range r.warnings {
		if r.warnings[i].Kind == kind {
			r.warnings[i].N++
			return
		}
	}
	r.warnings = append(r.warnings, Warning{Src: path(), Kind: kind, N: 1, Err: err})
	r.ring()
}

func (r *run) ring() { r.job.rings() }

// errRunOver is the cause with which the context of a run ends that came to its end by itself.
var errRunOver = errors.New("the run is over")
