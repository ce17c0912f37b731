package floor

import (
	"io"
	"syscall"

	"drover/engine/internal/sys"
)

// A worker copies runs, and pieces of big files.
type worker struct {
	*crew
	buf  []byte
	open [runFiles]opened
}

// opened is a file of a run whose source, and perhaps copy, is open.
type opened struct {
	n        sys.Name
	src, dst int
	st       sys.Stat
}

func newWorker(c *crew) *worker { return &worker{crew: c, buf: make([]byte, readSize)} }

func (w *worker) work() error {
	runs := w.runs
	for {
		select {
		case r, more := <-runs:
			if !more {
				if runs = nil; w.busy.Add(-1) == 0 {
					close(w.bigs) // nobody finds any more
				}
				continue
			}
			if err := w.run(r); err != nil {
				return err
			}
		case b, more := <-w.bigs:
			if !more {
				return nil
			}
			if err := b.copy(w.crew); err != nil {
				return err
			}
		}
	}
}

// run copies some files of a folder: opens all sources, creates all copies, fills each.
func (w *worker) run(r *run) error {
	k := 0
	for _, n := range r.names[:r.n] {
		o := &w.open[k]
		o.n = n
		p := place{r.dir, n}
		var err error
		if o.src, err = openat(r.dir.src, n, syscall.O_RDONLY, 0); err != nil {
			return p.failed("open", err)
		}
		if err := sys.Fstat(o.src, &o.st); err != nil {
			return p.failed("stat", err)
		}
		if o.st.Nlink > 1 && w.known(p, &o.st) {
			_ = shut(o.src)
			continue
		}
		k++
	}
	if err := w.create(r.dir, w.open[:k]); err != nil {
		return err
	}
	for i := range w.open[:k] {
		if err := w.fill(r.dir, &w.open[i]); err != nil {
			return err
		}
	}
	dir := r.dir
	select {
	case w.free <- r:
	default:
	}
	return dir.leave()
}

// known notes a file with several names. It reports whether its copy is made under another one.
func (w *worker) known(p place, st *sys.Stat) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.dir.users.Add(1) // until all links are made
	made, ok := w.first[st.ID]
	if ok {
		w.later = append(w.later, twin{made, p})
	} else {
		w.first[st.ID] = p
	}
	return ok
}

func (w *worker) create(dir *folder, files []opened) (err error) {
	dir.creating.Lock()
	defer dir.creating.Unlock()
	for i := range files {
		o := &files[i]
		if o.dst, err = openat(dir.dst, o.n, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL, o.st.Perm()); err != nil {
			return place{dir, o.n}.failed("create", err)
		}
	}
	return nil
}

// fill copies the content of one file and closes it. A big one is left to whoever is free.
func (w *worker) fill(dir *folder, o *opened) error {
	if o.st.Size >= bigFile {
		return w.offer(dir, o)
	}
	p := place{dir, o.n}
	if o.st.Size > 0 && !w.clone(o.dst, o.src) {
		if err := w.pass(o); err != nil {
			return p.failed("copy", err)
		}
	}
	return w.finish(p, o.dst, o.src, &o.st)
}

// clone tries once whether the file systems can.
func (c *crew) clone(dst, src int) bool {
	if c.noClone.Load() {
		return false
	}
	done := clone(dst, src)
	if !done {
		c.noClone.Store(true)
	}
	return done
}

// pass reads and writes a small file: once each, unless it is larger than the buffer.
func (w *worker) pass(o *opened) error {
	for left := o.st.Size; left > 0; {
		n, err := read(o.src, w.buf)
		if err == nil && n == 0 {
			err = io.ErrUnexpectedEOF
		}
		for part := w.buf[:n]; err == nil && len(part) > 0; {
			var k int
			k, err = write(o.dst, part)
			part = part[k:]
		}
		if err != nil {
			return err
		}
		left -= int64(n)
	}
	return nil
}

// finish asks for attributes, sets the times and closes both.
func (c *crew) finish(p place, dst, src int, st *sys.Stat) error {
	if err := askAttributes(src); err != nil {
		return p.failed("list attributes", err)
	}
	if err := setTimes(dst, st); err != nil {
		return p.failed("set times", err)
	}
	if err := shut(src); err != nil {
		return p.failed("close", err)
	}
	if err := shut(dst); err != nil {
		return p.failed("close copy of", err)
	}
	return nil
}
