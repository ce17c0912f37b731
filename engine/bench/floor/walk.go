package floor

import (
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"

	"drover/engine/internal/sys"
)

// A folder is open on both sides until all that is in it has been copied.
type folder struct {
	parent   *folder // nil for the folder that holds the sources
	name     string
	src, dst int
	st       sys.Stat
	creating sync.Mutex   // makes room in the kernel, see the package
	users    atomic.Int32 // the walk and runs in it
}

func (f *folder) path() string {
	if f.parent == nil {
		return f.name
	}
	return filepath.Join(f.parent.path(), f.name)
}

// leave ends one use of a folder. After the last one it gets its times.
func (f *folder) leave() error {
	if f.users.Add(-1) > 0 {
		return nil
	}
	if f.parent != nil {
		if err := setTimes(f.dst, &f.st); err != nil {
			return place{f, ""}.failed("set times", err)
		}
	}
	_ = sys.Close(f.src)
	return sys.Close(f.dst)
}

// walk goes through the sources and hands out what is to be copied.
func (c *crew) walk(sources []string, dst string) error {
	defer close(c.runs)
	for len(sources) > 0 {
		parent := filepath.Dir(sources[0])
		top := &folder{name: parent}
		top.users.Store(1)
		var err error
		if top.src, err = open(parent); err != nil {
			return err
		}
		if top.dst, err = open(dst); err != nil {
			return err
		}
		w := walker{crew: c, dir: top}
		for len(sources) > 0 && filepath.Dir(sources[0]) == parent {
			n, err := sys.MakeName(filepath.Base(sources[0]))
			if err == nil {
				err = w.entry(place{top, n}, 0)
			}
			if err != nil {
				return err
			}
			sources = sources[1:]
		}
		if err := w.end(); err != nil {
			return err
		}
	}
	return nil
}

func open(path string) (int, error) {
	n, err := sys.MakeName(path)
	if err != nil {
		return -1, err
	}
	fd, err := sys.OpenDir(sys.CWD, n, true)
	if err != nil {
		return -1, place{&folder{name: path}, ""}.failed("open", err)
	}
	return fd, nil
}

// A walker is in one folder.
type walker struct {
	*crew
	dir *folder
	run *run // being filled
	buf []byte
}

// all hands out everything that is in the folder.
func (w *walker) all() error {
	w.buf = make([]byte, direntLen)
	var list []sys.Dirent
	for {
		var more bool
		var err error
		list, more, err = sys.ReadDir(w.dir.src, w.buf, list[:0])
		if err != nil {
			return place{w.dir, ""}.failed("read folder", err)
		}
		if !more {
			return w.end()
		}
		for _, d := range list {
			if err := w.entry(place{w.dir, d.Name}, d.Kind); err != nil {
				return err
			}
		}
	}
}

// entry copies a folder or link at once and adds a file to the run. kind is 0 where it is not known.
func (w *walker) entry(p place, kind sys.Kind) error {
	if kind == 0 {
		var st sys.Stat
		if err := sys.Lookup(p.dir.src, p.n, false, &st); err != nil {
			return p.failed("stat", err)
		}
		kind = st.Kind()
	}
	switch kind {
	case sys.Regular:
		w.add(p.n)
		return nil
	case sys.Dir:
		return w.descend(p)
	case sys.Symlink:
		return copyLink(p)
	}
	return p.failed("copy", syscall.ENOTSUP)
}

func (w *walker) add(n sys.Name) {
	if w.run == nil {
		select {
		case w.run = <-w.free:
		default:
			w.run = new(run)
		}
		w.run.dir, w.run.n = w.dir, 0
	}
	w.run.names[w.run.n] = n
	if w.run.n++; w.run.n == runFiles {
		w.send()
	}
}

func (w *walker) send() {
	w.dir.users.Add(1)
	w.runs <- w.run
	w.run = nil
}

func (w *walker) end() error {
	if w.run != nil {
		w.send()
	}
	return w.dir.leave()
}

func (w *walker) descend(p place) error {
	f := &folder{parent: w.dir, name: p.n.String()}
	f.users.Store(1)
	var err error
	if f.src, err = sys.OpenDir(p.dir.src, p.n, false); err != nil {
		return p.failed("open", err)
	}
	if err := sys.Fstat(f.src, &f.st); err != nil {
		return p.failed("stat", err)
	}
	if err := sys.Mkdir(p.dir.dst, p.n, f.st.Perm()); err != nil {
		return p.failed("make", err)
	}
	if f.dst, err = sys.OpenDir(p.dir.dst, p.n, false); err != nil {
		return p.failed("open copy of", err)
	}
	return (&walker{crew: w.crew, dir: f}).all()
}

func copyLink(p place) error {
	var st sys.Stat
	if err := sys.Lookup(p.dir.src, p.n, false, &st); err != nil {
		return p.failed("stat", err)
	}
	text, err := sys.Readlink(p.dir.src, p.n)
	if err != nil {
		return p.failed("read link", err)
	}
	if err := sys.MakeSymlink(text, p.dir.dst, p.n); err != nil {
		return p.failed("make link", err)
	}
	if err := sys.LSetTimes(p.dir.dst, p.n, st.Atime, st.Mtime); err != nil {
		return p.failed("set times", err)
	}
	return nil
}
