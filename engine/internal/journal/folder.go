package journal

import "drover/engine/internal/sys"

// Folder gives a folder pair a number, by which later records name it. It stands before all of them, and after its parent.
type Folder struct {
	Num    uint64
	Parent uint64   // 0: a root
	Src    sys.Name // name in the source of Parent, or path of a root; "": there is none
	Dst    sys.Name // name in the destination of Parent, or path of a root; "": there is none
	SrcID  sys.ID   // the source folder itself, for moving back into it
	DstID  sys.ID   // the destination folder itself: what has its path later may be another one
	Made   bool     // the job has made the destination folder
}

func (*Folder) kind() number { return kindFolder }

func (r *Folder) encode(e *encoder) {
	e.bad = e.bad || r.Num == 0
	e.uint(1, r.Num)
	e.uint(2, r.Parent)
	for n, v := range [...]sys.Name{r.Src, r.Dst} {
		if r.Parent != 0 && v != "" {
			e.name(3+number(n), v)
		} else {
			e.path(3+number(n), v)
		}
	}
	e.uint(5, r.SrcID.Dev)
	e.uint(6, r.SrcID.Ino)
	e.uint(7, r.DstID.Dev)
	e.uint(8, r.DstID.Ino)
	e.bool(9, r.Made)
}

func (r *Folder) decode(d *decoder) {
	for d.next() {
		switch d.num {
		case 1:
			r.Num = d.uint()
		case 2:
			r.Parent = d.uint()
		case 3:
			r.Src = d.path()
		case 4:
			r.Dst = d.path()
		case 5:
			r.SrcID.Dev = d.uint()
		case 6:
			r.SrcID.Ino = d.uint()
		case 7:
			r.DstID.Dev = d.uint()
		case 8:
			r.DstID.Ino = d.uint()
		case 9:
			r.Made = d.bool()
		}
	}
	d.bad = d.bad || r.Num == 0
	for _, v := range [...]sys.Name{r.Src, r.Dst} { // a path where a name has to be would lead out of the folder
		d.bad = d.bad || r.Parent != 0 && v != "" && !isName(v.String())
	}
}
