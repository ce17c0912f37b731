package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"syscall"
	"time"

	"drover/engine/internal/meter"
	"drover/engine/internal/sys"
)

// removal takes away the sources of what a move had to copy. Its rules:
//
//   - A source goes only after its copy is complete, closed without an error, and on the medium.
//   - Then it is looked at once more. What has changed since its copy was begun stays, and so does that whose copy is not there any more.
//   - Of a folder nothing is removed but what this job has copied: it goes when it is empty, the deepest first. One that something
//     stayed in stays without a word, for the reason is known; only what came into it meanwhile is told.
//   - An item counts as moved when its source is gone.
//   - After a cancel no source is removed any more. A job that ended by an error, or was cancelled while it stood still because of
//     one, first takes away what is whole on the other side.
//
// Writing to the medium costs as much for one file as for thousands, so one goroutine does it for all that has gathered, on
// ext4, xfs and their like with one call for the file system. Elsewhere, where that call may not reach the medium, each file is
// written out by the worker that made it.
type removal struct {
	*run
	cell *meter.Cell
	emit func(*batch) // to the recorder
	soon chan struct{}
	now  chan struct{}
	stop chan struct{}
	done chan struct{} // closed when work has returned

	// used by work, and after it by last
	touched map[sys.ID]sys.Time // files with several names, by when one of them was removed
	lost    map[uint64]error    // devices on which something did not get to the medium, nobody says what: nothing is removed for copies there
	unnamed map[*folder]error   // the same for names in folders, where they are written out one folder at a time
	pause   time.Duration       // until the next round

	mu sync.Mutex
	// guarded by mu
	room    sync.Cond
	waiting []errand
	files   int // in waiting and in hand
	busy    bool
	over    bool
	devices map[uint64]int // of destinations: something open there
}

// errand is a batch whose sources are to go, or a folder, of which all that was to go comes before it.
type errand struct {
	b *batch
	f *folder
}

func newRemoval(r *run, cell *meter.Cell) *removal {
	m := &removal{
		run: r, cell: cell, soon: make(chan struct{}, 1), now: make(chan struct{}, 1), stop: make(chan struct{}),
		done: make(chan struct{}), touched: map[sys.ID]sys.Time{}, lost: map[uint64]error{}, unnamed: map[*folder]error{}, devices: map[uint64]int{}, pause: removeEvery,
	}
	m.room.L = &m.mu
	m.emit = func(b *batch) { m.begin(); m.outcomes <- b }
	return m
}

// sources takes a recorded batch if it has sources that are to go. The batch is the removal's then.
func (m *removal) sources(b *batch) bool {
	b.entries = slices.DeleteFunc(b.entries, func(e entry) bool { return e.fate != fateDone || e.took == nil })
	if len(b.entries) == 0 {
		return false
	}
	m.add(errand{b: b}, len(b.entries))
	return true
}

// folder takes a folder that is finished, as far as is known.
func (m *removal) folder(f *folder) { m.add(errand{f: f}, 0) }

func (m *removal) add(x errand, files int) {
	m.mu.Lock()
	first := len(m.waiting) == 0
	m.waiting = append(m.waiting, x)
	m.files += files
	many := m.files >= removeFiles
	m.mu.Unlock()
	switch {
	case many:
		nudge(m.now)
	case first:
		nudge(m.soon)
	}
}

func nudge(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// hurry begins a round now.
func (m *removal) hurry() { nudge(m.now) }

// wanted reports whether there is something to do, and sees to it that it is done now: nothing else is.
func (m *removal) wanted() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.waiting) > 0 {
		nudge(m.now)
	}
	return m.busy || len(m.waiting) > 0
}

// await keeps a worker from getting too far ahead.
func (m *removal) await() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.files >= removeBacklog && !m.over {
		m.room.Wait()
	}
}

// cancel lets all workers go.
func (m *removal) cancel() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.over = true
	m.room.Broadcast()
}

// work has a round now and then, until end or the end of ctx.
func (m *removal) work(ctx context.Context) {
	defer close(m.done)
	timer := time.NewTimer(m.pause)
	defer timer.Stop()
	for {
		select {
		case <-m.soon:
			timer.Reset(m.pause)
			continue
		case <-m.now:
		case <-timer.C:
		case <-m.stop:
			return
		case <-ctx.Done():
			return
		}
		m.round(func() error { return m.pass(ctx) })
		m.wake()
	}
}

// pass is the gate for a removal. While the job stands still for a reason that a person may or may not mend, what is whole on the other side
// goes all the same.
func (m *removal) pass(ctx context.Context) error {
	if m.gate.shut.Load() && m.job.stands() {
		return ctx.Err()
	}
	return m.gate.pass(ctx)
}

// end waits for the round that is on.
func (m *removal) end() {
	close(m.stop)
	<-m.done
}

// last does what is left when everything else has ended, if it is to be done.
func (m *removal) last() {
	if cause := context.Cause(m.ctx); cause != nil && (m.job.stands() || !isCancel(cause)) {
		m.emit = m.note
		m.round(func() error { return nil })
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, fd := range m.devices {
		_ = sys.Close(fd)
	}
	clear(m.devices)
}

// round writes out and removes what has gathered, in the order in which it came. What allowed stops is kept for later.
func (m *removal) round(allowed func() error) {
	m.mu.Lock()
	list := m.waiting
	m.waiting, m.busy = nil, len(list) > 0
	m.mu.Unlock()
	if len(list) == 0 || allowed() != nil {
		m.back(list)
		return
	}
	s := m.sync(list)
	for i, x := range list {
		if allowed() != nil {
			m.back(list[i:])
			return
		}
		if x.f != nil {
			m.leave(x.f, s)
			continue
		}
		n := len(x.b.entries)
		if rest := m.take(x.b, s, allowed); rest != nil {
			n -= len(rest.entries)
			list[i].b = rest
			m.less(n)
			m.back(list[i:])
			return
		}
		m.less(n)
	}
	m.back(nil)
}

// less says that n files are done with.
func (m *removal) less(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files -= n
	m.room.Broadcast()
}

// back ends a round; rest was not done.
func (m *removal) back(rest []errand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting = append(rest, m.waiting...)
	m.busy = false
}

// take removes the sources of one batch and passes on what became of them. It returns what is left when it was stopped.
func (m *removal) take(b *batch, s *synced, allowed func() error) (rest *batch) {
	src, dst, err := m.tree.acquire(b.dir)
	if err == nil {
		defer m.tree.release(b.dir)
	}
	lost := err == nil && s.of(b.dir) != nil
	if lost {
		err = s.of(b.dir)
	}
	native := err == nil && sys.Native(src)
	m.intend(intentRemove, b.dir, b.entries)
	for i := range b.entries {
		if allowed() != nil {
			rest = &batch{dir: b.dir, entries: slices.Clone(b.entries[i:])}
			b.entries = b.entries[:i]
			break
		}
		e := &b.entries[i]
		why := err
		if why == nil {
			why = m.file(src, dst, e, native)
		}
		if m.came(b.dir, e, why); lost {
			e.took = nil // it has to be copied again
		}
	}
	b.removed = true
	m.emit(b)
	return rest
}

// came notes what has become of a source.
func (m *removal) came(dir *folder, e *entry, err error) {
	if err != nil {
		dir.kept.Store(true)
		e.fate, e.stage, e.err = fateFailed, StageRemove, fromSource(err)
		m.meter.Drop(1, e.size-e.moved)
		e.size = e.moved
		return
	}
	m.cell.Whole.Add(e.whole)
	if e.link {
		m.cell.Links.Add(1)
	}
	m.cell.Files.Add(1)
}

// file removes one source, unless it or its copy is not what it was.
func (m *removal) file(src, dst int, e *entry, native bool) error {
	var now, made sys.Stat
	switch err := sys.Lookup(src, e.name, false, &now); {
	case errors.Is(err, syscall.ENOENT): // somebody has taken it away
		return nil
	case err != nil:
		return err
	case now.Kind() != e.kind() || !e.took.still(&now, native, m.touched[now.ID]):
		return ErrChanged
	}
	if err := sys.Lookup(dst, e.target(), false, &made); err != nil || made.Kind() != now.Kind() || made.Kind() == sys.Regular && made.Size != now.Size {
		return ErrCopyGone
	}
	h := -1
	if e.took.several { // the next of its names will have another time
		var err error
		if h, err = sys.Handle(src, e.name); err == nil {
			defer func() { _ = sys.Close(h) }()
		}
	}
	if err := sys.Unlink(src, e.name); err != nil && !errors.Is(err, syscall.ENOENT) {
		return err
	}
	if h >= 0 && sys.Fstat(h, &now) == nil {
		m.touched[now.ID] = now.Ctime
	}
	return nil
}

// leave removes a source folder, if nothing is in it.
func (m *removal) leave(f *folder, s *synced) {
	m.tree.mu.Lock()
	late := f.holds > 0
	m.tree.mu.Unlock()
	if late { // it comes again
		return
	}
	e := entry{name: f.name, as: f.as, mode: uint32(sys.Dir), fate: fateDone}
	err := s.of(f)
	if err == nil {
		err = m.rmdir(f)
	}
	if err != nil {
		f.parent.kept.Store(true)
		if (f.kept.Load() || m.ctx.Err() != nil) && !m.isEmpty(f) {
			return
		}
		e.fate, e.stage, e.err = fateFailed, StageRemove, fromSource(err)
	}
	m.emit(&batch{dir: f.parent, entries: []entry{e}, removed: true})
}

// isEmpty reports whether a source folder is known to have nothing in it.
func (m *removal) isEmpty(f *folder) bool {
	src, _, err := m.tree.acquire(f)
	if err != nil {
		return false
	}
	defer m.tree.release(f)
	fd, err := sys.OpenDir(src, ".\x00", false)
	if err != nil {
		return false
	}
	defer func() { _ = sys.Close(fd) }()
	names, _, err := sys.ReadDir(fd, make([]byte, direntBuffer), nil)
	return err == nil && len(names) == 0
}

func (m *removal) rmdir(f *folder) error {
	psrc, _, err := m.tree.acquire(f.parent)
	if err != nil {
		return err
	}
	defer m.tree.release(f.parent)
	var now sys.Stat
	switch err := sys.Lookup(psrc, f.name, false, &now); {
	case errors.Is(err, syscall.ENOENT):
		return nil
	case err != nil:
		return err
	case now.Kind() != sys.Dir || now.ID != f.meta.ID && sys.Native(psrc):
		return ErrChanged
	}
	m.intend(intentRemove, f.parent, []entry{{name: f.name, as: f.as, mode: uint32(sys.Dir)}})
	err = sys.Rmdir(psrc, f.name)
	if errors.Is(err, syscall.ENOENT) {
		return nil
	}
	return err
}
