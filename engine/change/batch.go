package change

import "github.com/fsnotify/fsnotify"

// Batch is what happened in one folder since the last one. Either it has Events, or LookAgain is set, or Gone.
type Batch struct {
	// Events name what changed, with full paths and with fsnotify's operations, in the order in which things happened to each
	// name. They say where to look, not what is there: a name that was removed may be back by now, and the kernel reports
	// two names that swapped places as renamed away. An event whose Name is the folder itself is about its own permissions or times.
	Events []fsnotify.Event
	// LookAgain says that events were lost or were too many to tell: only a new listing shows what is there now.
	LookAgain bool
	// Gone says that no folder can be reached at this path, because it was removed, renamed or unmounted. A batch with
	// LookAgain follows when there is one again.
	Gone bool
}

// gonePart and herePart split the operations by what they mean for a name.
const (
	gonePart = fsnotify.Remove | fsnotify.Rename
	herePart = fsnotify.Create | fsnotify.Write | fsnotify.Chmod
)

// news is what happened to one name. What took it away comes before what it has now: if it was the other way round, here is empty.
type news struct {
	name       string // one name; empty for the folder itself
	gone, here fsnotify.Op
}

// pending collects news until it is told. Its zero value is empty; it never holds more than maxNames names.
type pending struct {
	names     []news
	index     map[string]int // position in names
	lookAgain bool
	gone      bool
}

func (p *pending) empty() bool { return len(p.names) == 0 && !p.lookAgain && !p.gone }

// told reports whether names are not collected any more, because the folder is looked at as a whole anyway.
func (p *pending) told() bool { return p.lookAgain || p.gone }

func (p *pending) add(name string, op fsnotify.Op) {
	if p.told() || op&(gonePart|herePart) == 0 {
		return
	}
	i, ok := p.index[name]
	if !ok {
		if len(p.names) == maxNames {
			p.setLookAgain()
			return
		}
		if p.index == nil {
			p.index = make(map[string]int, maxNames)
		}
		i = len(p.names)
		p.index[name] = i
		p.names = append(p.names, news{name: name})
	}
	n := &p.names[i]
	if g := op & gonePart; g != 0 {
		n.gone, n.here = g, 0 // whatever it had before went with it
	}
	n.here |= op & herePart
}

// setLookAgain takes back an untold Gone: a folder is there.
func (p *pending) setLookAgain() {
	p.reset()
	p.lookAgain = true
}

func (p *pending) setGone() {
	p.reset()
	p.gone = true
}

func (p *pending) reset() {
	clear(p.names) // the strings must not keep the engine's memory alive
	p.names = p.names[:0]
	clear(p.index)
	p.lookAgain, p.gone = false, false
}

// moveTo puts what p has after what q has, and empties p.
func (p *pending) moveTo(q *pending) {
	switch {
	case p.gone:
		q.setGone()
	case p.lookAgain:
		q.setLookAgain()
	default:
		for _, n := range p.names {
			q.add(n.name, n.gone)
			q.add(n.name, n.here)
		}
	}
	p.reset()
}

func (p *pending) batch(dir string) Batch {
	if p.told() {
		return Batch{LookAgain: p.lookAgain, Gone: p.gone}
	}
	b := Batch{Events: make([]fsnotify.Event, 0, len(p.names))}
	for _, n := range p.names {
		path := join(dir, n.name)
		if n.gone != 0 {
			b.Events = append(b.Events, fsnotify.Event{Name: path, Op: n.gone})
		}
		if n.here != 0 {
			b.Events = append(b.Events, fsnotify.Event{Name: path, Op: n.here})
		}
	}
	return b
}

// join is no filepath.Join: dir is clean, and name is one name of any bytes.
func join(dir, name string) string {
	switch {
	case name == "":
		return dir
	case dir == "/":
		return dir + name
	}
	return dir + "/" + name
}
