package engine

// intent is what is about to be done to names that existed before the job.
type intent uint8

const (
	intentRename  intent = iota // sources get their names at the destination
	intentReplace               // a source takes the place of what has its name there
	intentRemove                // sources are removed whose copies are on the medium
)

// intend is told before that is done. The journal's intents will be written here, and what is replaced can be put
// aside. What came of it is known to note, and for a folder that moves as a whole to shiftedFolder.
func (r *run) intend(intent, *folder, []entry) {}

// record takes finished batches, one goroutine for the whole job, so that what it writes has one order. It is the last
// to know of an outcome before anyone else does: the journal is written here, then parked items become visible at the
// desk, and only then folder views are told. Whatever a person sees is therefore on record.
func (r *run) record() {
	for b := range r.outcomes {
		r.note(b)
		r.finish()
	}
}

// note records one batch.
func (r *run) note(b *batch) {
	var answered []parked
	var answer Action
	for i := range b.entries {
		e := &b.entries[i]
		if e.fate == fateClash || e.fate == fateFailed {
			if act, has := r.desk.park(b.dir, *e); has {
				answer, answered = act, append(answered, parked{b.dir, *e})
				continue
			}
			r.ring()
			if e.fate == fateFailed && r.req.OnError == OnErrorStop {
				r.stop(&ItemError{e.stage, b.dir.srcPath(e.name), b.dir.dstPath(e.target()), e.err})
			}
		}
	}
	r.obey(answered, answer, "")
	r.announce(b)
	if r.moves && r.goesOn(b) {
		return
	}
	b.free()
}

// goesOn passes what a move has copied on to the removal. It returns true if the batch is not free.
func (r *run) goesOn(b *batch) bool {
	if b.removed {
		return false
	}
	for i := range b.entries {
		if f := b.entries[i].fate; f != fateDone && f != fateDeferred {
			b.dir.kept.Store(true)
		}
	}
	dir, held := b.dir, b.held
	b.held = false
	on := r.removal.sources(b)
	if held {
		r.tree.drop(dir, r.seal) // after its files have been passed on: the removal takes a folder when they are gone
	}
	return on
}
