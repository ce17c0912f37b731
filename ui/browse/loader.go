package browse

import (
	"context"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"drover/engine/change"
	"drover/ui/present"
)

// Watch is what a view needs of a change.Watch.
type Watch interface {
	Batches() <-chan change.Batch
	Close()
}

const (
	// rest is how many times as long as a refresh took the loader rests before the next one. A copy into a folder of 100 000 entries
	// shares the processors with the view that shows it: so that it gets at least four fifths.
	rest = 4
	// leastRest is the least time between two refreshes.
	leastRest = 150 * time.Millisecond
	// restBusy and leastRestBusy hold while jobs of this window run. They have the processors, and what they have done is shown whole when they end.
	restBusy      = 19
	leastRestBusy = 300 * time.Millisecond
	// mostNames is how many names are looked at singly. Where more have changed, as behind a reading that hangs, the folder is listed anew.
	mostNames = 1000
)

// want is what a view is to show.
type want struct {
	dir    string
	order  present.Order
	filter string
	hidden bool
	visit  int // counts up with each folder that is opened, also the same one again
}

// shown is what the loader found, for the main goroutine.
type shown struct {
	want    want
	listing *present.Listing // nil with err
	err     error
	gone    bool // the folder was there and is not any more
	space   Space
	spaceOK bool
}

// found is what a reading goroutine brings back.
type found struct {
	reading int                       // which one
	all     []present.Entry           // of a whole reading
	some    map[string]*present.Entry // of single names
	err     error
	space   Space
	spaceOK bool
	took    time.Duration
}

// loader keeps one folder listed. It lives on its own goroutine; what can hang on the disk is done on further ones, so that the person
// can always go somewhere else.
type loader struct {
	wants   chan want // capacity 1, the newest wins
	open    func(dir string) (Watch, error)
	publish func(shown)
	busy    atomic.Bool   // jobs run
	turned  chan struct{} // capacity 1: busy is another now

	// of run
	cur     want
	all     []present.Entry
	have    bool // all is a whole reading of cur.dir
	err     error
	space   Space
	spaceOK bool
	watch   Watch
	results chan found
	cancel  context.CancelFunc // ends the reading that goes on; nil: none does
	reading int                // counts the readings
	again   bool               // read again after this
	names   []string           // to look at singly
	next    time.Time
	took    time.Duration
}

func newLoader(open func(dir string) (Watch, error), publish func(shown)) *loader {
	return &loader{wants: make(chan want, 1), open: open, publish: publish, turned: make(chan struct{}, 1), results: make(chan found)}
}

// set asks for something else to be shown. It never blocks; only the main goroutine calls it.
func (l *loader) set(w want) {
	select {
	case <-l.wants:
	default:
	}
	l.wants <- w
}

// jobs is told whether jobs of this window run. Any goroutine may call it, and it never blocks.
func (l *loader) jobs(run bool) {
	if l.busy.Swap(run) == run {
		return
	}
	select {
	case l.turned <- struct{}{}:
	default:
	}
}

func (l *loader) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	defer l.leave()
	for {
		var batches <-chan change.Batch
		if l.watch != nil {
			batches = l.watch.Batches()
		}
		select {
		case <-ctx.Done():
			return
		case w := <-l.wants:
			l.take(ctx, w)
		case b, ok := <-batches:
			if !ok {
				l.watch = nil
				continue
			}
			l.changed(b)
		case f := <-l.results:
			l.got(f)
		case <-l.turned:
			l.next = time.Time{}
			if l.busy.Load() && l.have { // many jobs are over before a large folder has been read once more
				l.restFrom(time.Now())
			}
		case <-timer.C:
		}
		l.refresh(ctx)
		if l.pending() && l.cancel == nil {
			timer.Reset(max(time.Until(l.next), time.Millisecond))
		}
	}
}

// leave ends what belongs to the folder that was shown.
func (l *loader) leave() {
	if l.watch != nil {
		go l.watch.Close() // may wait a moment for a dead mount
		l.watch = nil
	}
	l.abandon()
	l.all, l.have, l.err = nil, false, nil
	l.again, l.names = false, nil
	l.next, l.took = time.Time{}, 0
}

// abandon ends the reading that goes on: nobody wants what it finds any more.
func (l *loader) abandon() {
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
	l.reading++
}

// take follows a new wish.
func (l *loader) take(ctx context.Context, w want) {
	if w.visit == l.cur.visit && w.dir == l.cur.dir {
		l.cur = w
		if l.have {
			l.show()
		}
		return
	}
	l.leave()
	l.cur = w
	if l.open != nil {
		if watch, err := l.open(w.dir); err == nil {
			l.watch = watch
		}
	}
	l.again = true
}

// changed takes note of what to look at. An operation says where, and never what is there now: a name that was removed may be back.
func (l *loader) changed(b change.Batch) {
	switch {
	case b.Gone:
		l.abandon() // it may have begun while there was a folder
		l.again, l.names = false, nil
		l.all, l.have = nil, false
		l.publish(shown{want: l.cur, gone: true})
	case b.LookAgain:
		l.again, l.names = true, nil
	case !l.again:
		for _, e := range b.Events {
			if e.Name == l.cur.dir {
				continue // its own times and permissions
			}
			if name := filepath.Base(e.Name); !slices.Contains(l.names, name) {
				l.names = append(l.names, name)
			}
		}
		if len(l.names) > mostNames {
			l.again, l.names = true, nil
		}
	}
}

func (l *loader) pending() bool { return l.again || len(l.names) > 0 }

// refresh begins a reading if one is due. It has no other end than that the person goes elsewhere: of a mount that hangs the folder is
// shown as soon as it answers.
func (l *loader) refresh(ctx context.Context) {
	if l.cancel != nil || !l.pending() || time.Now().Before(l.next) {
		return
	}
	ctx, l.cancel = context.WithCancel(ctx)
	l.reading++
	f := found{reading: l.reading}
	dir, names := l.cur.dir, l.names
	whole := l.again || !l.have
	l.again, l.names = false, nil
	go func() {
		began := time.Now()
		if whole {
			f.all, f.err = read(ctx, dir)
		} else {
			f.some, f.err = lookAt(ctx, dir, names)
		}
		if ctx.Err() == nil {
			f.space, f.spaceOK = space(dir)
		}
		f.took = time.Since(began)
		select {
		case l.results <- f:
		case <-ctx.Done():
		}
	}()
}

// got takes over what a reading found.
func (l *loader) got(f found) {
	if f.reading != l.reading {
		return
	}
	l.cancel()
	l.cancel = nil
	began := time.Now()
	l.space, l.spaceOK = f.space, f.spaceOK
	switch {
	case f.err != nil && f.all == nil:
		l.all, l.have, l.err = nil, false, f.err
		l.publish(shown{want: l.cur, err: f.err})
	case f.some != nil:
		l.patch(f.some)
		l.show()
	default:
		l.all, l.have, l.err = f.all, true, f.err
		l.show()
	}
	l.took = f.took + time.Since(began)
	l.restFrom(time.Now())
}

// restFrom has the loader rest after what it took.
func (l *loader) restFrom(now time.Time) {
	if l.busy.Load() {
		l.next = now.Add(max(leastRestBusy, restBusy*l.took))
	} else {
		l.next = now.Add(max(leastRest, rest*l.took))
	}
}

// patch puts single names into the list. The old list may be shown: it is not changed.
func (l *loader) patch(some map[string]*present.Entry) {
	next := make([]present.Entry, 0, len(l.all)+len(some))
	seen := make(map[string]bool, len(some))
	for i := range l.all {
		e, ok := some[l.all[i].Name]
		if !ok {
			next = append(next, l.all[i])
			continue
		}
		seen[l.all[i].Name] = true
		if e != nil {
			next = append(next, *e)
		}
	}
	for name, e := range some {
		if e != nil && !seen[name] {
			next = append(next, *e)
		}
	}
	l.all = next
}

func (l *loader) show() {
	l.publish(shown{
		want:    l.cur,
		listing: present.NewListing(l.cur.dir, l.all, l.cur.order, l.cur.filter, l.cur.hidden),
		err:     l.err, // of a reading that broke off: what was read is shown
		space:   l.space, spaceOK: l.spaceOK,
	})
}
