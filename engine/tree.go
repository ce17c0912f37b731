package engine

import (
	"cmp"
	"container/list"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"drover/engine/internal/lane"
	"drover/engine/internal/sys"
)

// folder is one folder on both sides. It knows its parent and its names, not its descriptors: those come from the tree,
// which keeps a bounded number of them open, so that neither depth nor breadth meets a limit.
type folder struct {
	// set once
	parent   *folder  // nil: a root, whose names are full paths that the user chose
	name, as sys.Name // source and destination
	root     bool
	content  bool // a root that is itself a source: what is in it was named
	twin     bool // of a source of the same name in this job, or below one
	follow   bool // links are followed in the source
	absent   bool // dry run: there is no destination folder
	shifted  bool // moved as a whole, by one rename
	made     bool // by this job: it gets owner, mode and times of the source at the end
	leaves   bool // a move: the source is to be removed when nothing is left in it
	each     bool // a move: what comes here is written to the medium one by one
	meta     sys.Stat
	dstID    sys.ID
	pair     *lane.Pair
	birth    birth

	sealing  sync.Mutex             // orders seal and unseal of one folder; taken before tree.mu
	creating sync.Mutex             // one worker at a time creates files here
	place    atomic.Pointer[string] // see run.place; nil until somebody asks
	origin   atomic.Pointer[string] // see run.origin; nil until somebody asks
	apart    atomic.Bool            // a file cannot be renamed from one side to the other: it has to be copied
	kept     atomic.Bool            // a move: something stays in the source, for a reason that is known

	// guarded by tree.mu
	src, dst int // open descriptors, or -1
	users    int
	idle     *list.Element
	holds    int  // own batches in flight, and child folders with holds
	sealed   bool // final mode and times are set
}

// birth is what a new file in a destination folder gets without being asked.
type birth struct {
	uid, gid uint32
	acl      bool // the folder has a default ACL: new files inherit it, and the umask does not apply
}

// tree owns the descriptors and the life of a job's folders.
type tree struct {
	pairs lane.Pairs

	mu sync.Mutex
	// guarded by mu
	idle   list.List // of *folder that are open and unused, longest unused first
	limit  int       // of idle folders; 0: openFolders
	closed bool
}

// srcPath and dstPath are for people and for change events, never for system calls.
func (f *folder) srcPath(n sys.Name) string {
	return f.path(n, func(x *folder) sys.Name { return x.name })
}

func (f *folder) dstPath(n sys.Name) string {
	return f.path(n, func(x *folder) sys.Name { return x.as })
}

func (f *folder) path(n sys.Name, side func(*folder) sys.Name) string {
	parts := []string{}
	if n != "" {
		parts = append(parts, n.String())
	}
	for x := f; x != nil; x = x.parent {
		parts = append(parts, side(x).String())
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "/") {
			b.WriteByte('/')
		}
		b.WriteString(parts[i])
	}
	return b.String()
}

// acquire returns the descriptors of a folder (-1 for a destination that is absent). release must follow.
func (t *tree) acquire(f *folder) (src, dst int, err error) {
	t.mu.Lock()
	if f.src >= 0 {
		t.use(f)
		t.mu.Unlock()
		return f.src, f.dst, nil
	}
	t.mu.Unlock()

	// Opening happens outside the lock: a device that hangs must not stop the others.
	src, dst, err = t.open(f)
	if isShort(err) && t.shed() {
		src, dst, err = t.open(f)
	}
	if err != nil {
		return -1, -1, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.src >= 0 { // somebody was faster
		closeBoth(src, dst)
	} else {
		f.src, f.dst = src, dst
	}
	t.use(f)
	return f.src, f.dst, nil
}

// adopt gives the tree the freshly opened descriptors of a folder, in use by the caller.
func (t *tree) adopt(f *folder, src, dst int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f.src, f.dst = src, dst
	t.use(f)
}

// openAbove opens the parent of an open folder by going up one step, which in a deep tree is thousands of times cheaper than
// coming down from the root. Where the step does not lead to the parent nothing is opened.
func (t *tree) openAbove(f *folder, src, dst int) {
	up := f.parent
	t.mu.Lock()
	open := up.src >= 0
	t.mu.Unlock()
	if open || up.root {
		return
	}
	s, err := openSame(src, up.meta.ID)
	if err != nil {
		return
	}
	d, err := openSame(dst, up.dstID)
	if err != nil {
		_ = sys.Close(s)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if up.src >= 0 || t.closed {
		closeBoth(s, d)
		return
	}
	up.src, up.dst = s, d
	up.idle = t.idle.PushBack(up)
}

// openSame opens the folder above fd if it is the one wanted.
func openSame(fd int, want sys.ID) (int, error) {
	up, err := sys.OpenDir(fd, "..\x00", false)
	if err != nil {
		return -1, err
	}
	var st sys.Stat
	if err := sys.Fstat(up, &st); err != nil || st.ID != want {
		_ = sys.Close(up)
		return -1, ErrChanged
	}
	return up, nil
}

func (t *tree) use(f *folder) {
	f.users++
	if f.idle != nil {
		t.idle.Remove(f.idle)
		f.idle = nil
	}
}

// release ends the use that acquire or adopt began.
func (t *tree) release(f *folder) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.users--; f.users > 0 {
		return
	}
	f.idle = t.idle.PushBack(f)
	limit := cmp.Or(t.limit, openFolders)
	for t.idle.Len() > limit || t.closed && t.idle.Len() > 0 {
		t.evict()
	}
}

func (t *tree) evict() {
	x := t.idle.Remove(t.idle.Front()).(*folder)
	closeBoth(x.src, x.dst)
	x.src, x.dst, x.idle = -1, -1, nil
}

// shed closes all that nobody uses. It returns false if that was nothing.
func (t *tree) shed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	some := t.idle.Len() > 0
	for t.idle.Len() > 0 {
		t.evict()
	}
	return some
}

// isShort reports whether an error means that the process or the system is out of descriptors.
func isShort(err error) bool { return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) }

// close closes what nobody uses now, and the rest as it is released.
func (t *tree) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for t.idle.Len() > 0 {
		t.evict()
	}
}

func closeBoth(src, dst int) {
	if src >= 0 {
		_ = sys.Close(src)
	}
	if dst >= 0 {
		_ = sys.Close(dst)
	}
}

// open finds the nearest ancestor that is open and walks down from there, then makes sure that it found the same folders as before.
func (t *tree) open(f *folder) (src, dst int, err error) {
	chain := []*folder{f} // up to below the open ancestor. f itself even if another worker opens it now: what open returns is the caller's
	var base *folder
	t.mu.Lock()
	for x := f.parent; x != nil; x = x.parent {
		if x.src >= 0 {
			base = x
			t.use(x)
			break
		}
		chain = append(chain, x)
	}
	t.mu.Unlock()
	srcBase, dstBase := sys.CWD, sys.CWD
	if base != nil {
		defer t.release(base)
		srcBase, dstBase = base.src, base.dst
	}
	src, err = openChain(srcBase, chain, f.follow, func(x *folder) sys.Name { return x.name }, f.meta.ID)
	if err != nil {
		return -1, -1, err
	}
	if f.absent {
		return src, -1, nil
	}
	dst, err = openChain(dstBase, chain, false, func(x *folder) sys.Name { return x.as }, f.dstID)
	if err != nil {
		_ = sys.Close(src)
		return -1, -1, err
	}
	return src, dst, nil
}

// openChain opens a folder below base by the names of chain, deepest first in it. Roots are opened as the user named them, links and all.
func openChain(base int, chain []*folder, follow bool, side func(*folder) sys.Name, want sys.ID) (int, error) {
	at, owned := base, false
	step := func(fd int, err error) error {
		if owned {
			_ = sys.Close(at)
		}
		if err != nil {
			return err
		}
		at, owned = fd, true
		return nil
	}
	for i := len(chain) - 1; i >= 0; {
		x := chain[i]
		if x.root || follow {
			if err := step(openPath(at, side(x).String())); err != nil {
				return -1, err
			}
			i--
			continue
		}
		rel := side(x).String()
		j := i - 1
		for j >= 0 && len(rel)+1+len(side(chain[j])) < pathStep {
			rel += "/" + side(chain[j]).String()
			j--
		}
		fd, err := sys.OpenBeneath(at, sys.Name(rel+"\x00"))
		if err == sys.ErrUnsupported { //nolint:errorlint // a bare sentinel of our own door to the kernel
			fd, err = sys.OpenDir(at, side(x), false)
			j = i - 1
		}
		if err := step(fd, err); err != nil {
			return -1, err
		}
		i = j
	}
	var st sys.Stat
	if err := sys.Fstat(at, &st); err != nil || st.ID != want && want != (sys.ID{}) {
		if owned {
			_ = sys.Close(at)
		}
		if err == nil {
			err = ErrChanged // another folder stands under this name now
		}
		return -1, err
	}
	return at, nil
}

// openPath opens a folder by a path that the user chose: through links, and step by step if it is longer than the kernel takes at once.
func openPath(base int, path string) (int, error) {
	at, owned := base, false
	for {
		part := path
		if len(part) > pathStep {
			i := strings.LastIndexByte(path[:pathStep], '/')
			if i <= 0 {
				return -1, syscall.ENAMETOOLONG
			}
			part = path[:i]
		}
		name, err := sys.MakeName(part)
		if err != nil {
			return -1, err
		}
		fd, err := sys.OpenDir(at, name, true)
		if errors.Is(err, syscall.EACCES) { // it may not be listed; to be searched is enough for what is in it
			fd, err = sys.Search(at, name)
		}
		if owned {
			_ = sys.Close(at)
		}
		if err != nil {
			return -1, err
		}
		if len(part) == len(path) {
			return fd, nil
		}
		at, owned = fd, true
		path = strings.TrimLeft(path[len(part):], "/")
		if path == "" {
			path = "."
		}
	}
}

// hold keeps a folder, and those above it, from being sealed while something in it is in flight.
func (t *tree) hold(f *folder) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for x := f; x != nil; x = x.parent {
		if x.holds++; x.holds > 1 {
			return
		}
	}
}

// drop ends a hold. The last one seals the folder, deepest first: seal sets what only then can be set.
func (t *tree) drop(f *folder, seal func(*folder)) {
	for x := f; x != nil; x = x.parent {
		t.mu.Lock()
		x.holds--
		last := x.holds == 0
		t.mu.Unlock()
		if !last {
			return
		}
		if (x.made || x.leaves) && seal != nil {
			x.sealing.Lock()
			t.mu.Lock()
			still := x.holds == 0
			x.sealed = x.sealed || still
			t.mu.Unlock()
			if still {
				seal(x)
			}
			x.sealing.Unlock()
		}
	}
}
