package place

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"drover/engine/internal/sys"
)

// ErrNotResponding says that the device did not answer in time.
var ErrNotResponding = errors.New("does not respond")

// Entry is one name in a folder.
type Entry struct {
	Name     string // bytes, as the file system has it
	Mode     fs.FileMode
	Size     int64
	Modified time.Time
	// Folder says that it opens like a folder: it is one, or a link to one.
	Folder bool
	// Target is what a symbolic link says.
	Target string
	// Err says why this entry could not be looked at. Then Mode has the kind at most, or, for a link, Folder is not known.
	Err error
}

// Hidden reports whether the name begins with a dot.
func (e *Entry) Hidden() bool { return e.Name != "" && e.Name[0] == '.' }

// List returns all entries of a folder, in the order of the file system. If ctx ends, it returns the cause of that at
// once, also when the file system does not answer.
func List(ctx context.Context, dir string) ([]Entry, error) {
	var parts [][]Entry
	err := ListFunc(ctx, dir, func(part []Entry) error {
		parts = append(parts, part)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(parts) == 1: // as most folders come
		return parts[0], nil
	}
	return slices.Concat(parts...), nil
}

// ListFunc calls f with the entries of a folder, part by part as they are read, on the caller's goroutine. f keeps what it is given. If
// f returns an error, ListFunc returns it and stops.
func ListFunc(ctx context.Context, dir string, f func([]Entry) error) error {
	ctx, cancel := context.WithCancel(ctx)
	r := &reading{parts: make(chan names, readAhead)}
	defer func() {
		cancel()
		go r.discard()
	}()
	go r.run(ctx, dir)
	var t temper
	for {
		select {
		case <-ctx.Done():
			return listError(dir, context.Cause(ctx))
		case part, ok := <-r.parts:
			if !ok {
				return listError(dir, r.err)
			}
			entries, err := lookAt(ctx, part, &t)
			if err != nil {
				return listError(dir, err)
			}
			if err := f(entries); err != nil {
				return err
			}
		}
	}
}

// Look returns the entries of single names of a folder, without those that are not there.
func Look(ctx context.Context, dir string, list ...string) ([]Entry, error) {
	part := names{list: make([]sys.Dirent, 0, len(list))}
	for _, s := range list {
		n, err := sys.MakeName(s)
		if err != nil {
			return nil, listError(dir, err)
		}
		part.list = append(part.list, sys.Dirent{Name: n})
	}
	opened := make(chan error, 1)
	go func() {
		var err error
		part.in, err = openFolder(dir)
		opened <- err
	}()
	select {
	case <-ctx.Done():
		go func() {
			if <-opened == nil {
				part.in.release()
			}
		}()
		return nil, listError(dir, context.Cause(ctx))
	case err := <-opened:
		if err != nil {
			return nil, listError(dir, err)
		}
	}
	entries, err := lookAt(ctx, part, &temper{})
	if err != nil {
		return nil, listError(dir, err)
	}
	return entries, nil
}

func listError(dir string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: "list", Path: dir, Err: err}
}

// folder is an open folder that several goroutines use. One that hangs keeps it open: its descriptor must not mean something
// else when the kernel lets it go.
type folder struct {
	fd    int
	users atomic.Int32
}

func openFolder(dir string) (*folder, error) {
	n, err := sys.MakeName(dir)
	if err != nil {
		return nil, err
	}
	fd, err := sys.OpenDir(sys.CWD, n, true)
	if err != nil {
		return nil, err
	}
	f := &folder{fd: fd}
	f.users.Store(1)
	return f, nil
}

func (f *folder) use() *folder {
	f.users.Add(1)
	return f
}

func (f *folder) release() {
	if f.users.Add(-1) == 0 {
		_ = sys.Close(f.fd)
	}
}

// names are a portion of the names in a folder, with one use of it.
type names struct {
	in   *folder
	list []sys.Dirent
}

// reading reads the names of a folder ahead of those who look at them.
type reading struct {
	parts chan names // closed at the end
	err   error      // valid when parts is closed
}

func (r *reading) run(ctx context.Context, dir string) {
	defer close(r.parts)
	f, err := openFolder(dir)
	if err != nil {
		r.err = err
		return
	}
	defer f.release()
	buf := make([]byte, readBuffer)
	for {
		list, more, err := sys.ReadDir(f.fd, buf, nil)
		if err != nil {
			r.err = err
			return
		}
		if !more {
			return
		}
		select {
		case r.parts <- names{f.use(), list}:
		case <-ctx.Done():
			f.release()
			r.err = context.Cause(ctx)
			return
		}
	}
}

// discard releases what was read and is not wanted any more.
func (r *reading) discard() {
	for part := range r.parts {
		part.in.release()
	}
}

// temper is how much patience one listing has left.
type temper struct{ givenUp int }

func (t *temper) patience() time.Duration {
	if t.givenUp == 0 {
		return patience
	}
	return patienceAgain
}

// lookAt looks at all names, and gives up those that do not answer. It releases the folder.
func lookAt(ctx context.Context, part names, t *temper) ([]Entry, error) {
	defer part.in.release()
	var before []Entry // by looks that were given up
	for list := part.list; ; {
		l := newLook(part.in.use(), list, t.givenUp < maxGivenUp)
		go l.run()
		at, err := l.wait(ctx, t.patience())
		if err != nil {
			return nil, err
		}
		if before == nil && at == len(list) {
			return l.found, nil
		}
		before = append(before, l.found...)
		if at == len(list) {
			return before, nil
		}
		t.givenUp++
		list = list[at+1:]
	}
}

// look looks at names one after another, until somebody loses patience with it.
type look struct {
	// set once
	in     *folder
	list   []sys.Dirent
	follow bool // whether links are followed
	ended  chan struct{}

	mu      sync.Mutex
	found   []Entry
	at      int  // the name that is looked at
	half    bool // its entry is in found, with ErrNotResponding until it is known what the link leads to
	givenUp bool // found belongs to somebody else
}

func newLook(in *folder, list []sys.Dirent, follow bool) *look {
	return &look{in: in, list: list, follow: follow, ended: make(chan struct{}), found: make([]Entry, 0, len(list))}
}

func (l *look) run() {
	defer close(l.ended)
	defer l.in.release()
	var st sys.Stat
	for i := range l.list {
		d := &l.list[i]
		e := Entry{Name: d.Name.String()}
		err := sys.Lookup(l.in.fd, d.Name, false, &st)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if !l.next(nil) { // vanished meanwhile
				return
			}
			continue
		case err != nil:
			st = sys.Stat{Mode: uint32(d.Kind)}
			e.Mode, e.Folder, e.Err = st.FileMode()&fs.ModeType, d.Kind == sys.Dir, err
			if !l.next(&e) {
				return
			}
			continue
		}
		e.Mode, e.Size, e.Modified = st.FileMode(), st.Size, st.Mtime.Std()
		if e.Mode&fs.ModeSymlink == 0 {
			e.Folder = e.Mode.IsDir()
		} else if !l.readLink(&e, d.Name) {
			return
		}
		if !l.next(&e) {
			return
		}
	}
}

// readLink finds out what a link says and leads to. That may be another device, which may not answer while this one does.
func (l *look) readLink(e *Entry, n sys.Name) bool {
	if e.Target, e.Err = sys.Readlink(l.in.fd, n); e.Err != nil {
		return true
	}
	e.Err = ErrNotResponding
	if !l.follow {
		return true
	}
	if !l.halfway(*e) {
		return false
	}
	var to sys.Stat
	err := sys.Lookup(l.in.fd, n, true, &to)
	e.Err = nil // a link that leads nowhere is a good link
	e.Folder = err == nil && to.Kind() == sys.Dir
	return true
}

// halfway takes what is known of a link before it is followed.
func (l *look) halfway(e Entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.givenUp {
		return false
	}
	l.found, l.half = append(l.found, e), true
	return true
}

// next takes the entry of one name and goes on to the next; it returns false if nobody waits any more.
func (l *look) next(e *Entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.givenUp {
		return false
	}
	if l.half {
		l.found = l.found[:len(l.found)-1]
	}
	if e != nil {
		l.found = append(l.found, *e)
	}
	l.half = false
	l.at++
	return true
}

// wait returns the number of names that were looked at. If it is not all of them, the next one has not answered for so long: found
// has an entry that says so, and belongs to the caller.
func (l *look) wait(ctx context.Context, patience time.Duration) (int, error) {
	tick := time.NewTicker(patience)
	defer tick.Stop()
	for seen := -1; ; {
		select {
		case <-ctx.Done():
			l.mu.Lock()
			l.givenUp = true
			l.mu.Unlock()
			return 0, context.Cause(ctx)
		case <-l.ended:
			return len(l.list), nil
		case <-tick.C:
			at, ok := l.giveUp(seen)
			if ok {
				return at, nil
			}
			seen = at
		}
	}
}

// giveUp takes the entries over if the look is still at the name at which it was seen.
func (l *look) giveUp(seen int) (at int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at != seen || seen == len(l.list) {
		return l.at, false
	}
	l.givenUp = true
	if !l.half {
		d := &l.list[seen]
		st := sys.Stat{Mode: uint32(d.Kind)}
		l.found = append(l.found, Entry{Name: d.Name.String(), Mode: st.FileMode() & fs.ModeType, Folder: d.Kind == sys.Dir, Err: ErrNotResponding})
	}
	return seen, true
}
