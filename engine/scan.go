package engine

import (
	"context"
	"errors"
	"syscall"

	"drover/engine/internal/sys"
)

// scanner walks the sources folder by folder, makes the folders of the destination, and sends what it finds as batches.
// It works with descriptors and single names, never with joined paths. Its memory is bounded by the queue, but for the
// names of folders that are still to be walked and for files with several names.
type scanner struct {
	*run
	batcher batcher
	todo    []step // folders to enter, last first
	blind   bool   // there are entries whose size it does not know
	mixed   bool   // there are several sources, and one of them stands for what is in it
	named   []step // of these, those that the user named, until all have been looked at
	dirents []sys.Dirent
	buf     []byte
}

// step is a folder that was found and not entered yet.
type step struct {
	parent *folder
	e      entry
}

func (r *run) newScanner() *scanner {
	s := &scanner{run: r, buf: make([]byte, direntBuffer)}
	s.batcher.send = s.send
	return s
}

// send counts a batch and queues it.
func (s *scanner) send(b *batch) bool {
	var bytes int64
	for i := range b.entries {
		bytes += b.entries[i].size
	}
	s.meter.Found(int64(len(b.entries)), bytes)
	s.tree.hold(b.dir)
	s.begin()
	if s.queue.put(b) {
		return true
	}
	s.tree.drop(b.dir, nil)
	s.finish()
	return false
}

// walk enters the folders that are to do, and those found in them, until none is left or the run is over.
func (s *scanner) walk(ctx context.Context) {
	for len(s.todo) > 0 {
		st := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if ctx.Err() == nil && s.gate.pass(ctx) == nil {
			s.enter(ctx, st.parent, &st.e)
		}
		s.tree.drop(st.parent, s.seal)
	}
}

// later notes a folder to enter.
func (s *scanner) later(parent *folder, e entry) {
	s.tree.hold(parent)
	s.todo = append(s.todo, step{parent, e})
}

// enter makes or finds the destination of a folder and reads the folder.
func (s *scanner) enter(ctx context.Context, parent *folder, e *entry) {
	if e.into { // it could not be read before
		s.content(ctx, parent.srcPath(e.name), destination{path: parent.dstPath(""), id: parent.dstID}, e.twin)
		return
	}
	f, err := s.descend(ctx, parent, e)
	if err != nil {
		s.hand(parent, e, err)
		return
	}
	if f == nil {
		return
	}
	defer s.tree.release(f)
	s.tree.hold(f)
	defer s.tree.drop(f, s.seal)
	s.read(ctx, f, parent, e)
}

// hand gives a folder that could not be entered to the recorder: as a question or a failure.
func (s *scanner) hand(dir *folder, e *entry, err error) {
	dir.kept.Store(true)
	var clash *clashError
	switch {
	case errors.As(err, &clash):
		e.fate, e.why = fateClash, clash.why
	case errors.Is(err, context.Canceled):
		return
	default:
		e.fate, e.stage, e.err = fateFailed, StageScan, err
	}
	s.begin()
	s.outcomes <- &batch{dir: dir, entries: []entry{*e}}
}

// lost hands on an entry that could not even be looked at.
func (s *scanner) lost(dir *folder, name sys.Name, err error) {
	s.hand(dir, &entry{name: name}, err)
}

// read sends the entries of a folder and notes its sub-folders. The names stream through: a folder of a million needs no more memory than one of a thousand.
// The folder itself is e in at, if it cannot be read.
func (s *scanner) read(ctx context.Context, f, at *folder, e *entry) {
	src, _, err := s.tree.acquire(f)
	if err != nil {
		s.hand(at, e, err)
		return
	}
	defer s.tree.release(f)
	defer s.batcher.flush()
	for {
		if s.gate.pass(ctx) != nil {
			return
		}
		var more bool
		var err error
		s.dirents, more, err = sys.ReadDir(src, s.buf, s.dirents[:0])
		if err != nil {
			if errors.Is(err, syscall.EBADF) { // it could be opened only to search it
				err = syscall.EACCES
			}
			s.hand(at, e, err)
			return
		}
		if !more {
			return
		}
		for _, d := range s.dirents {
			if !s.found(f, src, d) {
				return
			}
		}
	}
}

// found takes one name of a folder. It returns false when the run is over.
func (s *scanner) found(f *folder, src int, d sys.Dirent) bool {
	if s.excluded(f, d.Name, d.Kind == sys.Dir) {
		f.kept.Store(true)
		return true
	}
	if d.Kind == sys.Dir {
		s.later(f, entry{name: d.Name, mode: uint32(sys.Dir)})
		return true
	}
	if d.Kind == sys.Regular && !s.req.DryRun {
		// The worker that opens it will know the rest a moment later, for nothing: looking it up here by name costs 4 % of
		// the work on small files. Who needs totals before that is served by the count ahead.
		s.blind = true
		return s.batcher.add(f, entry{name: d.Name, mode: uint32(sys.Regular), blind: true})
	}
	var st sys.Stat
	if err := lookSource(src, d.Name, f.follow, &st); err != nil {
		s.lost(f, d.Name, err)
		return true
	}
	if st.Kind() == sys.Dir { // behind a link, or on a file system that does not tell kinds with names
		if !s.excluded(f, d.Name, true) {
			s.later(f, entry{name: d.Name, mode: uint32(sys.Dir)})
		} else {
			f.kept.Store(true)
		}
		return true
	}
	return s.batcher.add(f, s.entryOf(d.Name, &st))
}

// hasNames reports whether a file has further names, and these are to stay names of one file.
func (r *run) hasNames(st *sys.Stat) bool {
	return st.Nlink > 1 && st.Kind() != sys.Dir && r.keeps(PreserveHardlinks) && r.req.Links == LinksKeep
}

func (r *run) entryOf(name sys.Name, st *sys.Stat) entry {
	e := entry{name: name}
	e.size = r.identify(&e, st)
	return e
}

// identify notes what an entry is, and returns how many bytes of content count for it. Those of a file with several names it counts itself.
func (r *run) identify(e *entry, st *sys.Stat) (size int64) {
	e.mode, e.blind = st.Mode, false
	if st.Kind() == sys.Regular {
		size = st.Size
	}
	if r.hasNames(st) {
		e.links = r.links.of(st.ID, size)
		e.links.found(r.meter)
		return 0
	}
	return size
}
