package floor

import (
	"io"
	"sync"
	"sync/atomic"

	"drover/engine/internal/sys"
)

// A big is a large file that is open on both sides.
type big struct {
	place
	src, dst int
	st       sys.Stat
	begin    sync.Once
	sparse   bool         // its stretches of data are copied one after the other
	whole    bool         // cloned
	next     atomic.Int64 // first byte that nobody has taken
	hands    atomic.Int32 // workers that have not finished with it
}

// offer hands a big file to the workers that are free: a very large one to all, in pieces. It takes part itself where
// there is no room to queue.
func (w *worker) offer(dir *folder, o *opened) error {
	b := &big{place: place{dir, o.n}, src: o.src, dst: o.dst, st: o.st, sparse: o.st.Sparse()}
	hands := 1
	if o.st.Size >= shareFile && !b.sparse {
		hands = w.workers
	}
	b.hands.Store(int32(hands))
	dir.users.Add(1)
	for range hands {
		select {
		case w.bigs <- b:
		default:
			if err := b.copy(w.crew); err != nil {
				return err
			}
		}
	}
	return nil
}

// copy is one worker's part.
func (b *big) copy(c *crew) error {
	b.begin.Do(func() { b.whole = c.clone(b.dst, b.src) })
	var err error
	switch {
	case b.whole:
	case b.sparse:
		err = b.stretches()
	default:
		err = b.pieces()
	}
	if err != nil {
		return b.failed("copy", err)
	}
	if b.hands.Add(-1) > 0 {
		return nil
	}
	if err := c.finish(b.place, b.dst, b.src, &b.st); err != nil {
		return err
	}
	return b.dir.leave()
}

// pieces takes one piece after the other until there are none left.
func (b *big) pieces() error {
	for {
		off := b.next.Add(piece) - piece
		if off >= b.st.Size {
			return nil
		}
		if err := b.move(off, min(off+piece, b.st.Size)); err != nil {
			return err
		}
	}
}

// stretches copies what is not a hole.
func (b *big) stretches() error {
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
		n, ok, err := sys.CopyRange(b.dst, b.src, off, end-off)
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
