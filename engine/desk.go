package engine

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"drover/engine/internal/sys"
)

// desk keeps what waits for a person: questions and failures. An item costs about 200 bytes; paths, sizes and dates are
// looked up when somebody asks.
type desk struct {
	mu sync.Mutex
	// guarded by mu
	next      QuestionID
	questions shelf
	failures  shelf

	rest atomic.Pointer[Action] // the rule for whatever comes up, once given
}

// shelf keeps items in the order in which they came.
type shelf struct {
	items map[QuestionID]parked
	order []QuestionID // also of items that are gone
}

func (s *shelf) put(id QuestionID, p parked) {
	if s.items == nil {
		s.items = map[QuestionID]parked{}
	}
	s.items[id] = p
	s.order = append(s.order, id)
}

func (s *shelf) take(id QuestionID) (parked, bool) {
	p, ok := s.items[id]
	delete(s.items, id)
	return p, ok
}

// page returns up to n ids after the first from.
func (s *shelf) page(from, n int) []QuestionID {
	if len(s.order) > len(s.items) {
		s.order = slices.DeleteFunc(s.order, func(id QuestionID) bool { _, there := s.items[id]; return !there })
	}
	from = min(from, len(s.order))
	return slices.Clone(s.order[from:min(from+n, len(s.order))])
}

// park takes an entry that clashed or failed. If there is an answer for the rest of the job that fits it returns that
// instead: the worker may have met the clash just before.
func (d *desk) park(dir *folder, e entry) (Action, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if rest := d.rest.Load(); rest != nil && e.fate == fateClash && fits(e.why, *rest) {
		return *rest, true
	}
	d.next++
	if e.fate == fateClash {
		d.questions.put(d.next, parked{dir, e})
	} else {
		d.failures.put(d.next, parked{dir, e})
	}
	return 0, false
}

func (d *desk) counts() (questions, failures int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.questions.items), len(d.failures.items)
}

// answer takes the items that a decision is about off the desk.
func (d *desk) answer(dec Decision) ([]parked, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dec.Rest {
		d.rest.Store(&dec.Action)
	}
	var ids []QuestionID
	switch {
	case !dec.All && !dec.Rest:
		for _, id := range dec.IDs {
			if err := d.answerable(id, dec.Action); err != nil {
				return nil, err
			}
		}
		ids = slices.Compact(slices.Sorted(slices.Values(dec.IDs)))
	case dec.Action == ActionRetry:
		ids = d.failures.page(0, len(d.failures.items))
	default:
		for _, id := range d.questions.page(0, len(d.questions.items)) {
			if d.answerable(id, dec.Action) == nil {
				ids = append(ids, id)
			}
		}
	}
	out := make([]parked, 0, len(ids))
	for _, id := range ids {
		p, ok := d.questions.take(id)
		if !ok {
			p, _ = d.failures.take(id)
		}
		out = append(out, p)
	}
	return out, nil
}

func (d *desk) answerable(id QuestionID, act Action) error {
	if p, ok := d.questions.items[id]; ok {
		if !fits(p.e.why, act) {
			return fmt.Errorf("%w: %d", ErrNotAnswerable, id)
		}
		return nil
	}
	if _, ok := d.failures.items[id]; ok {
		if act != ActionRetry && act != ActionSkip {
			return fmt.Errorf("%w: %d", ErrNotAnswerable, id)
		}
		return nil
	}
	return fmt.Errorf("%w: %d", ErrNoQuestion, id)
}

// actionsFor lists the answers that a question takes, the harmless first.
func actionsFor(why Why) []Action {
	var out []Action
	for _, a := range []Action{ActionSkip, ActionKeepBoth, ActionNewer, ActionReplace, ActionRename, ActionRenameOld} {
		if fits(why, a) {
			out = append(out, a)
		}
	}
	return out
}

// look reads both sides of a question from the disk.
func (r *run) look(id QuestionID, p parked) Question {
	q := Question{ID: id, Why: p.e.why, Actions: actionsFor(p.e.why)}
	q.Src.Path, q.Dst.Path = p.dir.srcPath(p.e.name), p.dir.dstPath(p.e.target())
	src, dst, err := r.tree.acquire(p.dir)
	if err != nil {
		return q
	}
	defer r.tree.release(p.dir)
	lookSide(&q.Src, src, p.e.name)
	if dst >= 0 {
		lookSide(&q.Dst, dst, p.e.target())
	}
	return q
}

func lookSide(s *Side, dir int, n sys.Name) {
	var st sys.Stat
	if sys.Lookup(dir, n, false, &st) != nil {
		return
	}
	s.Exists, s.Mode, s.Size, s.Modified = true, st.FileMode(), st.Size, st.Mtime.Std()
	if st.Kind() == sys.Symlink {
		s.Target, _ = sys.Readlink(dir, n)
	}
}
