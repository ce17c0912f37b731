package engine

import (
	"sync"

	"drover/engine/internal/sys"
)

// linkGroup stands for one file with several names in the sources. The name that is copied first leads; the others wait
// for it and then become further names of the copy. If the leader does not make it, the next one leads.
type linkGroup struct {
	mu sync.Mutex
	// guarded by mu
	busy    bool
	dir     *folder  // where the first copy is; nil while there is none
	name    sys.Name // of the first copy
	id      sys.ID   // of the first copy
	took    *taken   // a move: what the first copy was made of
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

// enter asks for the turn of an entry.
func (g *linkGroup) enter(dir *folder, e *entry) (turn, linkTarget) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dir != nil {
		return turnLink, linkTarget{g.dir, g.name, g.id, g.took}
	}
	if g.busy {
		g.waiting = append(g.waiting, parked{dir, *e})
		return turnWait, linkTarget{}
	}
	g.busy = true
	return turnLead, linkTarget{}
}

// first reports, for a dry run, whether no name of the group would have been copied before.
func (g *linkGroup) first() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	first := !g.busy
	g.busy = true
	return first
}

// linkTarget is the copy that further names are made for.
type linkTarget struct {
	dir  *folder
	name sys.Name
	id   sys.ID
	took *taken
}

// settle ends the lead, with the copy or (dir nil) without one, and returns who waited.
func (g *linkGroup) settle(t linkTarget) []parked {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy = false
	g.dir, g.name, g.id, g.took = t.dir, t.name, t.id, t.took
	w := g.waiting
	g.waiting = nil
	return w
}

// lost forgets a copy that is no longer where it was.
func (g *linkGroup) lost(t linkTarget) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dir == t.dir && g.name == t.name {
		g.dir = nil
	}
}

// linkTable finds the group of a file. The zero value is ready.
type linkTable struct {
	mu sync.Mutex
	// guarded by mu
	groups map[sys.ID]*linkGroup
}

// of returns the group of a file, and whether a name of it was found before.
func (t *linkTable) of(id sys.ID) (g *linkGroup, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g, known = t.groups[id]; !known {
		if t.groups == nil {
			t.groups = map[sys.ID]*linkGroup{}
		}
		g = new(linkGroup)
		t.groups[id] = g
	}
	return g, known
}
