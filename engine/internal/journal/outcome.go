package journal

import "drover/engine/internal/sys"

// Outcome says what became of items of one folder pair.
type Outcome struct {
	Folder  uint64
	Settles []uint64 // intents that are over with: nothing of them is unfinished or has a temporary name any more
	Items   []Item
}

// Item is what became of one thing in the sources.
type Item struct {
	Name     sys.Name // in the destination: the final one
	From     sys.Name // in the source, if it differs
	Fate     Fate
	Kind     Kind
	Size     int64    // of what is in the destination, in bytes
	Mtime    sys.Time // of what is in the destination. With Size and Ino it tells undo whether somebody has changed it since
	Ino      uint64   // in the destination, on the device of the folder
	Replaced []byte   // where the one went that had the name before, in a form that the engine knows
	Moved    bool     // renamed, not copied
	Gone     bool     // the source was removed
}

// Fate is what became of an item.
type Fate uint8

// The fates. Only FateDone has changed anything.
const (
	FateDone    Fate = 1 // it is there, whole
	FateSkipped Fate = 2 // left out by a rule or an answer
	FateFailed  Fate = 3
	FateParked  Fate = 4 // it waits for an answer
)

// Kind is what sort of thing an item is in the destination.
type Kind uint8

// The kinds.
const (
	KindFile    Kind = 1
	KindLink    Kind = 2 // a further name of a file that was made before
	KindSymlink Kind = 3
	KindSpecial Kind = 4 // FIFO, device
	KindFolder  Kind = 5 // moved as a whole
)

func (*Outcome) kind() number { return kindOutcome }

func (r *Outcome) encode(e *encoder) {
	e.uint(1, r.Folder)
	e.numbers(2, r.Settles)
	for i := range r.Items {
		at := e.begin(3)
		r.Items[i].encode(e)
		e.end(at)
	}
}

func (r *Outcome) decode(d *decoder) {
	for d.next() {
		switch d.num {
		case 1:
			r.Folder = d.uint()
		case 2:
			r.Settles = d.numbers(r.Settles)
		case 3:
			m := d.message()
			var it Item
			it.decode(&m)
			d.bad = d.bad || m.bad
			r.Items = append(r.Items, it)
		}
	}
}

func (it *Item) encode(e *encoder) {
	e.name(1, it.Name)
	if it.From != "" {
		e.name(2, it.From)
	}
	e.uint(3, uint64(it.Fate))
	e.uint(4, uint64(it.Kind))
	e.uint(5, uint64(it.Size))
	e.sint(6, it.Mtime.Sec)
	e.nanos(7, it.Mtime.Nsec)
	e.uint(8, it.Ino)
	e.bytes(9, it.Replaced)
	e.bool(10, it.Moved)
	e.bool(11, it.Gone)
}

func (it *Item) decode(d *decoder) {
	for d.next() {
		switch d.num {
		case 1:
			it.Name = d.name()
		case 2:
			it.From = d.name()
		case 3:
			it.Fate = Fate(d.small())
		case 4:
			it.Kind = Kind(d.small())
		case 5:
			it.Size = int64(d.uint())
		case 6:
			it.Mtime.Sec = d.sint()
		case 7:
			it.Mtime.Nsec = d.nanos()
		case 8:
			it.Ino = d.uint()
		case 9:
			it.Replaced = d.bytes()
		case 10:
			it.Moved = d.bool()
		case 11:
			it.Gone = d.bool()
		}
	}
	d.bad = d.bad || it.Name == ""
}
