package engine

import (
	"sync"

	"drover/engine/internal/meter"
	"drover/engine/internal/sys"
)

// linkGroup stands for one file with several names in the sources. The name that is copied first leads; the others wait
// for it and then become further names of the copy. If the leader does not make it, the next one leads.
//
// The content is in the total once, and belongs to no name but the one that leads: any name may be left out or wait for an answer
// while another becomes the copy. With the last name of which something may still come it leaves the total.
type linkGroup struct {
	size int64 // bytes of content when it was found; set once

	mu sync.Mutex
	// guarded by mu
	counted bool  // the content was found
	open    int   // names that are not done, left out or given up
	share   int64 // bytes of content that are in the total and that no name has
	busy    bool
	target  linkTarget // the first copy; dir is nil while there is none
	waiting []parked
}

// parked is an entry outside a batch.
type parked struct {
	dir *folder
	e   entry
}

// turn is what a name of a group has to do.
type turn uint8

const (
	turnLead turn = iota // copy; call settle afterwards
	turnLink             // make a link to dir/name
	turnWait             // was put on the list
)

// found takes note of a name of which something may come. m counts the content if it is not in the total.
func (g *linkGroup) found(m *meter.Meter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open++
	switch {
	case !g.counted:
		m.Found(0, g.size)
		g.counted = true
	case g.busy || g.target.dir != nil || g.share > 0:
		return
	default:
		m.Restore(0, g.size)
	}
	g.share = g.size
}

// over takes note that nothing more will come of a name. Nobody will copy the content after the last of them.
func (g *linkGroup) over(m *meter.Meter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open--; g.open == 0 {
		m.Drop(0, g.share)
		g.share = 0
	}
}

// take gives the content to the name that leads.
func (g *linkGroup) take(m *meter.Meter, e *entry) {
	if g.share == 0 { // it was copied before, and that copy is gone
		m.Restore(0, g.size)
		g.share = g.size
	}
	e.size, g.share, e.leads = g.share, 0, true
}

// giveBack takes the content from a name that leads and was not copied. What it has moved stays in the progress and the total.
func (g *linkGroup) giveBack(m *meter.Meter, e *entry) {
	if !e.leads {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	m.Restore(0, e.moved)
	g.share = e.size
	e.size, e.moved, e.leads = 0, 0, false
}

// restart forgets the account of a job that has ended, for another one that tries its failed names again.
func (g *linkGroup) restart() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open, g.share = 0, 0
}

// uncopied is how many bytes of content the next name would copy.
func (g *linkGroup) uncopied() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy || g.target.dir != nil {
		return 0
	}
	return g.size
}

// enter asks for the turn of an entry.
func (g *linkGroup) enter(m *meter.Meter, dir *folder, e *entry) (turn, linkTarget) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.target.dir != nil {
		return turnLink, g.target
	}
	if g.busy {
		g.waiting = append(g.waiting, parked{dir, *e})
		return turnWait, linkTarget{}
	}
	g.busy = true
	g.take(m, e)
	return turnLead, linkTarget{}
}

// first reports, for a dry run, whether no name of the group would have been copied before. Then this one has the content.
func (g *linkGroup) first(m *meter.Meter, e *entry) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	first := !g.busy
	if first {
		g.busy = true
		g.take(m, e)
	}
	return first
}

// copied notes, for a dry run, that there is a copy, which all further names would be names of.
func (g *linkGroup) copied(m *meter.Meter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy = true
	m.Drop(0, g.share)
	g.share = 0
}

// linkTarget is the copy that further names are made for.
type linkTarget struct {
	dir   *folder
	name  sys.Name
	id    sys.ID
	mtime sys.Time // of one that was there before
	took  *taken   // a move: what the copy was made of
}

// settle ends the lead, with the copy or (dir nil) without one, and returns who waited.
func (g *linkGroup) settle(m *meter.Meter, t linkTarget) []parked {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy = false
	if g.target = t; t.dir != nil { // nobody will copy the content any more
		m.Drop(0, g.share)
		g.share = 0
	}
	w := g.waiting
	g.waiting = nil
	return w
}

// lost forgets a copy that is no longer where it was.
func (g *linkGroup) lost(t linkTarget) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.target == t {
		g.target.dir = nil
	}
}

// linkTable finds the group of a file. The zero value is ready.
type linkTable struct {
	mu sync.Mutex
	// guarded by mu
	groups map[sys.ID]*linkGroup
}

// of returns the group of a file with size bytes of content.
func (t *linkTable) of(id sys.ID, size int64) *linkGroup {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.groups[id]
	if g == nil {
		if t.groups == nil {
			t.groups = map[sys.ID]*linkGroup{}
		}
		g = &linkGroup{size: size}
		t.groups[id] = g
	}
	return g
}
