package journal

import "drover/engine/internal/sys"

// Intent says which names are about to be created in a folder of the destination. It is written before the first of them.
type Intent struct {
	Num     uint64
	Folder  uint64
	Entries []Planned
}

// Planned is a name that is about to be created.
type Planned struct {
	Name sys.Name
	Temp bool // not the final name. What has it may be the old file, after an exchange
}

func (*Intent) kind() number { return kindIntent }

// The names are one field and the indices of the temporary ones, which are few, another.
func (r *Intent) encode(e *encoder) {
	e.bad = e.bad || r.Num == 0
	e.uint(1, r.Num)
	e.uint(2, r.Folder)
	temps := 0
	for i := range r.Entries {
		e.name(3, r.Entries[i].Name)
		if r.Entries[i].Temp {
			temps++
		}
	}
	if temps == 0 {
		return
	}
	at := e.begin(4)
	last := 0
	for i := range r.Entries {
		if r.Entries[i].Temp {
			e.difference(uint64(i), uint64(last))
			last = i
		}
	}
	e.end(at)
}

func (r *Intent) decode(d *decoder) {
	var temps []uint64
	for d.next() {
		switch d.num {
		case 1:
			r.Num = d.uint()
		case 2:
			r.Folder = d.uint()
		case 3:
			r.Entries = append(r.Entries, Planned{Name: d.name()})
		case 4:
			temps = d.numbers(temps)
		}
	}
	for _, i := range temps {
		if i >= uint64(len(r.Entries)) {
			d.bad = true
			return
		}
		r.Entries[i].Temp = true
	}
	d.bad = d.bad || r.Num == 0
}

// Made says what an Intent has led to: these inodes are the job's own. It is written before they get any content, so that what
// a crash leaves half-written can be told from what was there before. An Intent may be made in several parts.
type Made struct {
	Intent uint64
	First  uint64   // the index among the entries of the Intent that Inos begins with
	Inos   []uint64 // on the device of the folder; 0: was not created
}

func (*Made) kind() number { return kindMade }

func (r *Made) encode(e *encoder) {
	e.bad = e.bad || r.Intent == 0
	e.uint(1, r.Intent)
	e.uint(2, r.First)
	e.numbers(3, r.Inos)
}

func (r *Made) decode(d *decoder) {
	for d.next() {
		switch d.num {
		case 1:
			r.Intent = d.uint()
		case 2:
			r.First = d.uint()
		case 3:
			r.Inos = d.numbers(r.Inos)
		}
	}
	d.bad = d.bad || r.Intent == 0
}
