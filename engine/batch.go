package engine

import (
	"sync"

	"drover/engine/internal/sys"
)

// fate is what became of an entry.
type fate uint8

const (
	fatePending  fate = iota // not tried, or given up by a cancel
	fateDone                 // it is there, whole
	fateSkipped              // left out by a rule or an answer
	fateClash                // something is in the way: for the desk
	fateFailed               // err says why
	fateDeferred             // goes on elsewhere: it waits for the first name of the same file, or has a batch of its own
)

// entry is one thing that is not a folder, or a folder that waits at the desk. The first block is set by the scan, the
// second by the desk, the third by the worker.
type entry struct {
	name  sys.Name   // in the source folder
	as    sys.Name   // in the destination folder, if it differs
	links *linkGroup // all names of one file, if it has several
	size  int64      // bytes of content; 0 of a file with several names until this one leads
	mode  uint32     // kind and permissions when it was scanned
	blind bool       // the scan knows its name and kind only: size, permissions and links are still to be looked up

	took *taken // a move: what the copy was made of, while that is to be removed

	leads bool   // it has the content of links, see linkGroup
	twin  bool   // another source of the job has the same name
	slash bool   // the user named it with a slash at its end: it has to be a folder, or a link to one
	into  bool   // a folder that the user named for what is in it, which goes into the destination itself
	stays bool   // a folder that is not to be moved itself, but what is in it
	act   Action // what to do, if has
	has   bool   // act is an answer or rule

	fate  fate
	why   Why
	stage Stage
	whole int64 // bytes of content that were copied
	link  bool  // it became a link, of either kind
	moved int64 // bytes that went into the progress
	err   error
}

func (e *entry) target() sys.Name {
	if e.as != "" {
		return e.as
	}
	return e.name
}

func (e *entry) kind() sys.Kind { return sys.KindOf(e.mode) }

// isBig reports whether the entry is as much work as a batch.
func (e *entry) isBig() bool {
	return e.size >= bigFile || e.links != nil && e.links.uncopied() >= bigFile
}

// batch is the unit of work and of record: a run of entries of one folder pair. Whoever has it owns it.
type batch struct {
	dir     *folder
	entries []entry
	held    bool // the recorder ends the hold on dir
	removed bool // it has been recorded as copied: now it is about the sources
}

// batcher gathers what the scan finds in one folder after the other.
type batcher struct {
	send  func(*batch) bool // false: the run is over
	open  *batch
	bytes int64
}

// add takes an entry; a big file travels alone. It returns false when the run is over.
func (p *batcher) add(dir *folder, e entry) bool {
	if e.isBig() {
		return p.send(&batch{dir: dir, entries: []entry{e}})
	}
	if p.open != nil && p.open.dir != dir && !p.flush() {
		return false
	}
	if p.open == nil {
		p.open = newBatch(dir)
	}
	p.open.entries = append(p.open.entries, e)
	p.bytes += e.size
	if len(p.open.entries) == batchFiles || p.bytes >= batchBytes {
		return p.flush()
	}
	return true
}

// flush sends what was gathered. Every folder ends with it.
func (p *batcher) flush() bool {
	b := p.open
	p.open, p.bytes = nil, 0
	return b == nil || p.send(b)
}

// spare are batches that have been recorded. They are filled again, because touching new memory costs more than what else
// the scan does for a file.
var spare = sync.Pool{New: func() any { return &batch{entries: make([]entry, 0, batchFiles)} }}

func newBatch(dir *folder) *batch {
	b := spare.Get().(*batch)
	b.dir = dir
	return b
}

// free gives b up: nobody may have it, or an entry of it, any more.
func (b *batch) free() {
	if cap(b.entries) != batchFiles {
		return // one that travelled alone
	}
	clear(b.entries)
	*b = batch{entries: b.entries[:0]}
	spare.Put(b)
}
