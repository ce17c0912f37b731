package engine

import (
	"bytes"
	"context"

	"drover/engine/internal/lane"
	"drover/engine/internal/sys"
)

// zeros is what a block looks like that becomes a hole.
var zeros [holeGrain]byte

// written is no pair of devices: content that has to be written out moves by read and write, whatever the devices could do.
var written = func() *lane.Pair {
	p := new(lane.Pair)
	p.NoRange.Store(true)
	return p
}()

// inChunks reports whether a file is copied in chunks: for its size, its holes, or those that it is to get.
func (r *run) inChunks(st *sys.Stat) bool {
	return isBig(st) || r.req.Sparse == SparseAlways && st.Size > holeGrain
}

// content moves the content of a file that is copied in chunks, with holes where Request.Sparse wants them, and returns where the
// source turned out to end.
func (c *copier) content(ctx context.Context, p pair, e *entry, dst, src int, st *sys.Stat) (int64, error) {
	if st.Sparse() && c.req.Sparse != SparseNever {
		return c.fillSparse(ctx, p, e, dst, src, st)
	}
	n, err := c.fillChunks(ctx, p, e, dst, src, st)
	if err == nil && n == st.Size && c.req.Sparse == SparseAlways { // what ends in zeros has no end yet
		err = lengthen(dst, n)
	}
	return n, err
}

// move copies up to n bytes at off of src to the same place of dst, which is nothing but hole there; 0 is the end of src.
// copy_file_range is no way to write something a second time: btrfs, xfs and some servers clone when they are asked to copy.
func (c *copier) move(p *lane.Pair, dst, src int, off, n int64) (int64, error) {
	switch {
	case c.req.Sparse == SparseAlways:
		return c.moveData(dst, src, off, n)
	case c.req.Reflink == ReflinkNever: // as Sparse never implies
		return c.mover.Range(written, dst, src, off, n)
	}
	return c.mover.Range(p, dst, src, off, n)
}

// moveData reads n bytes and writes them but for whole blocks of zeros.
func (c *copier) moveData(dst, src int, off, n int64) (int64, error) {
	var sum int64
	for sum < n {
		k, err := sys.ReadAt(src, c.buf[:min(n-sum, int64(len(c.buf)))], off+sum)
		if err != nil || k == 0 {
			return sum, err
		}
		data := c.buf[:k]
		for at := 0; at < k; {
			from, to := nextData(data, at, off+sum)
			if from < to {
				if err := sys.WriteAt(dst, data[from:to], off+sum+int64(from)); err != nil {
					return sum + int64(from), &lane.WriteError{Err: err}
				}
			}
			at = to
		}
		sum += int64(k)
	}
	return sum, nil
}

// nextData finds the next run of blocks in data that are not all zeros, at or after at. Blocks begin at multiples of holeGrain in the
// file, in which data lies at place. from is len(data) if only zeros are left.
func nextData(data []byte, at int, place int64) (from, to int) {
	end := func(i int) int { return min(i+holeGrain-int((place+int64(i))%holeGrain), len(data)) }
	hole := func(i int) bool { return bytes.Equal(data[i:end(i)], zeros[:end(i)-i]) }
	for from = at; from < len(data) && hole(from); {
		from = end(from)
	}
	for to = from; to < len(data) && !hole(to); {
		to = end(to)
	}
	return from, to
}
