package floor

import (
	"io"

	"drover/engine/internal/sys"
)

// A big is a large file that is open on both sides.
type big struct {
	place
	src, dst int
	st       sys.Stat
}

// offer hands a big file to a worker that is free, and copies it itself where there is no room to queue. One worker does a
// file: the kernel lets only one write to it at a time.
func (w *worker) offer(dir *folder, o *opened) error {
	b := &big{place: place{dir, o.n}, src: o.src, dst: o.dst, st: o.st}
	dir.users.Add(1)
	select {
	case w.bigs <- b:
		return nil
	default:
		return b.copy(w.crew)
	}
}

func (b *big) copy(c *crew) error {
	if !c.clone(b.dst, b.src) {
		if err := b.content(); err != nil {
			return b.failed("copy", err)
		}
	}
	if err := c.finish(b.place, b.dst, b.src, &b.st); err != nil {
		return err
	}
	return b.dir.leave()
}

// content copies what is not a hole.
func (b *big) content() error {
	if !b.st.Sparse() {
		return b.move(0, b.st.Size)
	}
	for off := int64(0); ; {
		from, to, more, err := sys.NextData(b.src, off, b.st.Size)
		if err != nil {
			return err
		}
		if !more {
			return sys.Truncate(b.dst, b.st.Size)
		}
		if err := b.move(from, to); err != nil {
			return err
		}
		off = to
	}
}

// move copies the bytes from off to end in the kernel.
func (b *big) move(off, end int64) error {
	for off < end {
		n, ok, err := sys.CopyRange(b.dst, b.src, off, min(piece, end-off))
		switch {
		case err != nil:
			return err
		case !ok:
			return sys.ErrUnsupported
		case n == 0:
			return io.ErrUnexpectedEOF
		}
		off += n
	}
	return nil
}
