package journal

import "drover/engine/internal/sys"

// Partial says how far the copy of a big file has come, so that a resume need not start it again. What it says holds as long as the
// source is the same file, with the size and time that it had, and the unfinished copy still has the inode.
type Partial struct {
	Folder uint64
	Name   sys.Name // in the source
	As     sys.Name // in the destination: of the unfinished file, which may be a temporary name
	Ino    uint64   // of the unfinished file
	Source sys.ID
	Size   int64    // of the source, in bytes
	Mtime  sys.Time // of the source
	Done   int64    // how many bytes from the start have been copied
	Hash   []byte   // of these bytes, by which a resume can prove them
}

func (*Partial) kind() number { return kindPartial }

func (r *Partial) encode(e *encoder) {
	e.uint(1, r.Folder)
	e.name(2, r.Name)
	e.name(3, r.As)
	e.uint(4, r.Ino)
	e.uint(5, r.Source.Dev)
	e.uint(6, r.Source.Ino)
	e.uint(7, uint64(r.Size))
	e.sint(8, r.Mtime.Sec)
	e.nanos(9, r.Mtime.Nsec)
	e.uint(10, uint64(r.Done))
	e.bytes(11, r.Hash)
}

func (r *Partial) decode(d *decoder) {
	for d.next() {
		switch d.num {
		case 1:
			r.Folder = d.uint()
		case 2:
			r.Name = d.name()
		case 3:
			r.As = d.name()
		case 4:
			r.Ino = d.uint()
		case 5:
			r.Source.Dev = d.uint()
		case 6:
			r.Source.Ino = d.uint()
		case 7:
			r.Size = int64(d.uint())
		case 8:
			r.Mtime.Sec = d.sint()
		case 9:
			r.Mtime.Nsec = d.nanos()
		case 10:
			r.Done = int64(d.uint())
		case 11:
			r.Hash = d.bytes()
		}
	}
	d.bad = d.bad || r.Name == "" || r.As == ""
}
