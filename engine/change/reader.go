package change

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"drover/engine/internal/sys"
)

// reader puts the kernel's reports about one folder into an inbox. It is the only part of a watch that touches the disk, and does
// so in its own goroutine only: a mount that hangs holds the reader and nobody else.
//
// It is in one of four states: on the folder; resting (too much happens, the watch is taken off for a moment); away (there is no folder: it
// watches the nearest folder above for its return); deaf (the folder is there, but the kernel gives no watch: err).
type reader struct {
	// set once
	dir    string
	in     *inbox
	tell   func(error)   // publishes err
	every  time.Duration // between rechecks
	mounts chan struct{}

	kernel *fsnotify.Watcher // nil until the kernel gave one
	state  state
	on     string // the path that has a watch; "" for none
	err    error
	known  identity // of the folder, when state is not away
	heard  bool     // a report came since the last recheck
	rest   *time.Timer
}

type state uint8

const (
	fresh state = iota // not looked yet
	onFolder
	resting
	away
	deaf
)

// identity is what makes a folder the same folder, and when a name in it last changed.
type identity struct {
	dev, ino uint64
	changed  time.Time
}

func (a identity) same(b identity) bool { return a.dev == b.dev && a.ino == b.ino }

func newReader(dir string, in *inbox, every time.Duration, tell func(error)) *reader {
	rest := time.NewTimer(time.Hour)
	rest.Stop()
	return &reader{dir: dir, in: in, tell: tell, every: every, mounts: make(chan struct{}, 1), rest: rest}
}

// run reads until ctx ends. It calls ready when nothing is missed any more, or when it is known that there is nothing to read.
func (r *reader) run(ctx context.Context, ready func()) {
	ctx, cancel := context.WithCancel(ctx)
	mountsEnded := make(chan struct{})
	defer func() {
		cancel()
		r.rest.Stop()
		r.drop()
		<-mountsEnded
	}()
	go func() {
		defer close(mountsEnded)
		// Where the table cannot be watched the recheck has to do.
		_ = sys.WatchMountTable(ctx, func() {
			select {
			case r.mounts <- struct{}{}:
			default:
			}
		})
	}()

	r.attach()
	ready()
	tick := time.NewTicker(r.every)
	defer tick.Stop()
	for {
		var events chan fsnotify.Event
		var errs chan error
		if r.kernel != nil {
			events, errs = r.kernel.Events, r.kernel.Errors
		}
		select {
		case <-ctx.Done():
			return
		case ev, ok := <-events:
			r.event(ev, ok)
		case err, ok := <-errs:
			r.trouble(err, ok)
		case <-r.in.flood:
			if r.state == onFolder {
				r.takeRest()
			}
		case <-r.rest.C:
			r.attach()
		case <-r.mounts:
			r.recheck(false)
		case <-tick.C:
			r.recheck(true)
		}
	}
}

// attach finds out where the folder stands and watches it, or what is left of the way to it.
func (r *reader) attach() {
	for range attachTries {
		r.release()
		before, err := identify(r.dir)
		if err != nil {
			if r.lookout() {
				return
			}
			continue
		}
		failed := r.watch(r.dir)
		after, err := identify(r.dir)
		if err != nil || !before.same(after) {
			continue // replaced while we looked
		}
		if r.state == deaf && !after.changed.Equal(r.known.changed) {
			r.in.lookAgain()
		}
		r.known = after
		if failed != nil {
			r.enter(deaf, failed)
		} else {
			r.enter(onFolder, nil)
		}
		return
	}
	// It changes faster than we look; the next recheck tries again.
	r.enter(away, nil)
}

// lookout watches the nearest folder above that exists. It returns false if the way to the folder changed meanwhile.
func (r *reader) lookout() bool {
	below := r.dir
	for below != "/" {
		up := filepath.Dir(below)
		err := r.watch(up)
		if err == nil {
			if _, err := os.Lstat(below); err == nil {
				if _, err := identify(r.dir); err == nil || below != r.dir {
					return false // made between our looks
				}
				// Something else has its name, or a link to nowhere. That it goes is reported here.
			}
			break
		}
		if !missing(err) {
			r.enter(away, err) // no watch to be had: recheck finds the folder when it is back
			return true
		}
		below = up
	}
	r.enter(away, nil)
	return true
}

// enter says what changed by a new state.
func (r *reader) enter(s state, err error) {
	old := r.state
	r.state, r.heard = s, false
	if !errors.Is(err, r.err) || !errors.Is(r.err, err) {
		r.err = err
		r.tell(err)
	}
	switch {
	case s == away:
		if old != away {
			r.in.gone()
		}
	case old != fresh && !(old == deaf && s == deaf):
		r.in.lookAgain()
	}
}

func (r *reader) event(ev fsnotify.Event, ok bool) {
	if !ok { // the watcher closed itself: the kernel's descriptor is broken
		r.drop()
		r.attach()
		return
	}
	self := ev.Name == r.on && ev.Op&gonePart != 0
	switch r.state {
	case onFolder:
		if self {
			r.attach()
			return
		}
		r.heard = true
		name := ""
		if ev.Name != r.dir {
			name = ev.Name[strings.LastIndexByte(ev.Name, '/')+1:]
		}
		if !r.in.report(name, ev.Op) {
			r.takeRest()
		}
	case away:
		// Only the next step of the way counts; a lookout on a busy folder has many others.
		if self || (ev.Op.Has(fsnotify.Create) || ev.Op&gonePart != 0) && r.onTheWay(ev.Name) {
			r.attach()
		}
	}
}

// takeRest takes the watch off the folder for a moment. What is missed is in the listing that follows.
func (r *reader) takeRest() {
	r.release()
	r.state = resting
	r.rest.Reset(floodRest)
}

// onTheWay reports whether path, in the folder that is watched, is the next step towards the folder.
func (r *reader) onTheWay(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	step := join(r.on, name)
	return r.dir == step || strings.HasPrefix(r.dir, step+"/")
}

func (r *reader) trouble(err error, ok bool) {
	switch {
	case !ok:
		r.drop()
		r.attach()
	case errors.Is(err, fsnotify.ErrEventOverflow):
		switch r.state {
		case onFolder:
			r.in.lookAgain()
		case away:
			r.attach() // its return may be among what was lost
		}
	default:
		r.drop()
		r.attach()
	}
}

// recheck compares the folder with what is known, for what the kernel does not report; with content also when names in it changed.
func (r *reader) recheck(content bool) {
	if r.state == resting {
		return // attach comes soon
	}
	now, err := identify(r.dir)
	if r.state == away {
		if err == nil || r.on == "" {
			r.attach()
		}
		return
	}
	// fsnotify is silent when a watch ends because its file system was unmounted.
	lost := r.state == onFolder && len(r.kernel.WatchList()) == 0
	if err != nil || !now.same(r.known) || lost || r.state == deaf {
		r.attach()
		return
	}
	if !content {
		return // a report of what changed may be on its way
	}
	if !now.changed.Equal(r.known.changed) && !r.heard {
		r.in.lookAgain() // another machine did it: the kernel reports only what happens here
	}
	r.known, r.heard = now, false
}

func (r *reader) watch(path string) error {
	if r.kernel == nil {
		k, err := fsnotify.NewWatcher()
		if err != nil {
			return err
		}
		r.kernel = k
	}
	if err := r.kernel.Add(path); err != nil {
		return &os.PathError{Op: "watch", Path: path, Err: err}
	}
	r.on = path
	return nil
}

func (r *reader) release() {
	if r.on != "" && r.kernel != nil {
		_ = r.kernel.Remove(r.on) // fails only if the kernel has removed it already
	}
	r.on = ""
}

func (r *reader) drop() {
	if r.kernel != nil {
		_ = r.kernel.Close()
	}
	r.kernel, r.on = nil, ""
}

// identify looks at a folder, through links.
func identify(dir string) (identity, error) {
	fi, err := os.Stat(dir)
	if err != nil {
		return identity{}, err
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok || !fi.IsDir() {
		return identity{}, &os.PathError{Op: "watch", Path: dir, Err: syscall.ENOTDIR}
	}
	return identity{uint64(st.Dev), st.Ino, fi.ModTime()}, nil
}

func missing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}
