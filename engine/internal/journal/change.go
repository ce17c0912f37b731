package journal

import "drover/engine/internal/sys"

// Rename says that something which existed in the destination is given a free name. It is written before that happens, and
// Ino tells a reader under which of the two names it is.
type Rename struct {
	Folder   uint64
	Old, New sys.Name
	Ino      uint64
}

func (*Rename) kind() number { return kindRename }

func (r *Rename) encode(e *encoder) {
	e.uint(1, r.Folder)
	e.name(2, r.Old)
	e.name(3, r.New)
	e.uint(4, r.Ino)
}

func (r *Rename) decode(d *decoder) {
	for d.next() {
		switch d.num {
		case 1:
			r.Folder = d.uint()
		case 2:
			r.Old = d.name()
		case 3:
			r.New = d.name()
		case 4:
			r.Ino = d.uint()
		}
	}
	d.bad = d.bad || r.Old == "" || r.New == ""
}

// Removed says which names of the source folder of a pair a move has removed, folders among them.
type Removed struct {
	Folder uint64
	Names  []sys.Name
}

func (*Removed) kind() number { return kindRemoved }

func (r *Removed) encode(e *encoder) { e.names(r.Folder, r.Names) }

func (r *Removed) decode(d *decoder) { r.Folder, r.Names = d.names() }

// Undone says which names of the destination folder of a pair an undo has taken back: what was made is gone, what was replaced is
// there again, what was moved is where it came from. An undo that is cut off goes on with the rest.
type Undone struct {
	Folder uint64
	Names  []sys.Name
}

func (*Undone) kind() number { return kindUndone }

func (r *Undone) encode(e *encoder) { e.names(r.Folder, r.Names) }

func (r *Undone) decode(d *decoder) { r.Folder, r.Names = d.names() }

func (e *encoder) names(folder uint64, names []sys.Name) {
	e.uint(1, folder)
	for _, n := range names {
		e.name(2, n)
	}
}

func (d *decoder) names() (folder uint64, names []sys.Name) {
	for d.next() {
		switch d.num {
		case 1:
			folder = d.uint()
		case 2:
			names = append(names, d.name())
		}
	}
	return folder, names
}
