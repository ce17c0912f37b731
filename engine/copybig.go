package engine

import (
	"context"
	"errors"
	"syscall"

	"drover/engine/internal/sys"
)

// makeBig copies a file in chunks. It has no name, or a temporary one, until it is whole, so that nothing truncated is
// ever found under its final name.
func (c *copier) makeBig(ctx context.Context, p pair, e *entry, n sys.Name, src int, st *sys.Stat) (Stage, error) {
	// The name is taken for certain only at the end; looking now saves copying gigabytes for nothing.
	var there sys.Stat
	if err := sys.Lookup(p.dst, n, false, &there); err == nil {
		return StageCopy, syscall.EEXIST
	} else if !errors.Is(err, syscall.ENOENT) {
		return StageCopy, c.nameError(err, n)
	}
	mode, plain := c.newMode(p.dir, st)
	w, err := c.createUnfinished(p, n, mode)
	if err != nil {
		return StageCopy, err
	}
	if err := c.fillBig(ctx, p, e, w.fd, src, st); err != nil {
		w.discard()
		return StageCopy, err
	}
	c.dress(p.dir, e, w.fd, src, st, plain)
	if err := settled(p.dir, w.fd); err != nil {
		w.discard()
		return StageCommit, err
	}
	if err := w.publish(p, n, func() error { return c.gate.pass(ctx) }); err != nil {
		return StageCommit, c.nameError(err, n)
	}
	e.whole = e.moved
	c.take(e, st)
	return StageCommit, nil
}

// createUnfinished makes a file that nobody sees under n yet.
func (c *copier) createUnfinished(p pair, n sys.Name, mode uint32) (*partial, error) {
	if canBeNamed(p) {
		fd, handled, err := sys.CreateUnnamed(p.dst, mode)
		if err != nil {
			return nil, err
		}
		if handled {
			return &partial{dir: p.dst, fd: fd}, nil
		}
	}
	for {
		tmp := tempName()
		fd, err := sys.Create(p.dst, tmp, mode)
		if err == nil {
			return &partial{dir: p.dst, name: tmp, fd: fd}, nil
		}
		if !errors.Is(err, syscall.EEXIST) {
			return nil, err
		}
	}
}

// canBeNamed finds out, once per pair, whether a file without a name can be made and then named here: some file systems
// do the first and not the second, which must not show only when gigabytes have been copied.
func canBeNamed(p pair) bool {
	switch {
	case p.dir.pair.NoUnnamed.Load():
		return false
	case p.dir.pair.Unnamed.Load():
		return true
	}
	fd, handled, err := sys.CreateUnnamed(p.dst, 0o600)
	if err != nil || !handled {
		p.dir.pair.NoUnnamed.Store(!handled)
		return handled // an error will show again, where it can be told
	}
	defer func() { _ = sys.Close(fd) }()
	tmp := tempName()
	if sys.LinkUnnamed(fd, p.dst, tmp) != nil {
		p.dir.pair.NoUnnamed.Store(true)
		return false
	}
	_ = sys.Unlink(p.dst, tmp)
	p.dir.pair.Unnamed.Store(true)
	return true
}

// fillBig moves the content: by clone, by its stretches of data if it has holes, or from start to end.
func (c *copier) fillBig(ctx context.Context, p pair, e *entry, dst, src int, st *sys.Stat) error {
	if done, err := c.clone(p, e, dst, src, st); done || err != nil {
		return err
	}
	n, err := c.content(ctx, p, e, dst, src, st)
	if err != nil {
		return err
	}
	changed, err := changedSince(src, st)
	if err != nil {
		return fromSource(err)
	}
	if n < st.Size {
		c.resize(e, n)
		if err := sys.Truncate(dst, n); err != nil {
			return err
		}
	}
	if n < st.Size || changed {
		c.warn(WarnChanged, p.dir, e, nil)
	}
	var made sys.Stat
	if err := sys.Fstat(dst, &made); err != nil {
		return err
	}
	if made.Size != n { // the kernel has said that it copied what it has not
		return syscall.EIO
	}
	return nil
}

// fillSparse copies only what is data. Holes are made by not writing, the one at the end by setting the size.
func (c *copier) fillSparse(ctx context.Context, p pair, e *entry, dst, src int, st *sys.Stat) (int64, error) {
	off := int64(0)
	for {
		from, to, ok, err := sys.NextData(src, off, st.Size)
		if err != nil {
			return off, err
		}
		if !ok {
			break
		}
		c.progress(e, from-off)
		for off = from; off < to; {
			if err := c.gate.pass(ctx); err != nil {
				return off, err
			}
			k, err := c.move(p.dir.pair, dst, src, off, min(c.mover.Size(), to-off))
			c.progress(e, k)
			off += k
			if err != nil {
				return off, err
			}
			if k == 0 { // it became shorter
				return off, nil
			}
		}
	}
	size := st.Size
	var now sys.Stat
	if err := sys.Fstat(src, &now); err != nil {
		return off, fromSource(err)
	}
	if now.Size < size { // it became shorter: what is missing is no hole
		size = max(off, now.Size)
	}
	c.progress(e, size-off)
	return size, lengthen(dst, size)
}

// lengthen gives a file its full size, with a hole at its end. FAT over FUSE refuses to do that by truncating; there the
// last byte is written, if it does not belong to the data.
func lengthen(fd int, size int64) error {
	err := sys.Truncate(fd, size)
	var now sys.Stat
	if err != nil && sys.Fstat(fd, &now) == nil {
		if now.Size == size {
			return nil
		}
		err = sys.WriteAt(fd, []byte{0}, size-1)
	}
	return err
}

// fillChunks copies a file from start to end. One worker does: the kernel lets only one at a time write to a file, and two
// that take turns in that are slower than one (BENCHMARKING.md).
func (c *copier) fillChunks(ctx context.Context, p pair, e *entry, dst, src int, st *sys.Stat) (int64, error) {
	off := int64(0)
	for off < st.Size {
		if err := c.gate.pass(ctx); err != nil {
			return off, err
		}
		k, err := c.move(p.dir.pair, dst, src, off, min(c.mover.Size(), st.Size-off))
		c.progress(e, k)
		off += k
		if err != nil {
			return off, err
		}
		if k == 0 { // it became shorter
			break
		}
	}
	return off, nil
}
