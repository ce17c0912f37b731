package lane

import (
	"time"

	"drover/engine/internal/sys"
)

// Clone lets dst share the blocks of all of src, if the pair can. dst must be empty.
func (p *Pair) Clone(dst, src int) (handled bool, err error) {
	if p.NoClone.Load() {
		return false, nil
	}
	handled, never, err := sys.Clone(dst, src)
	switch {
	case handled && err == nil:
		if !p.Clones.Load() {
			p.Clones.Store(true)
		}
	case never && !p.Clones.Load():
		p.NoClone.Store(true)
	}
	return handled, err
}

// Whole copies a small file from its start to its end by plain reads and writes, at the descriptors' own places.
// One read and one write do when size, which the caller has just asked for, is true and fits into buf with a byte to spare;
// that byte shows whether the file has grown. It returns how many bytes were copied, at most size.
// more says that there was more to read than size. With size 0 it reads to the end all the same: files of /proc say 0.
func Whole(dst, src int, size int64, buf []byte, between func() error) (n int64, more bool, err error) {
	limit := size
	if size == 0 {
		limit = unsized
	}
	for {
		k, err := sys.Read(src, buf)
		if err != nil {
			return n, false, err
		}
		if k == 0 {
			return n, false, nil
		}
		part := buf[:min(int64(k), limit-n)]
		more = len(part) < k
		if err := sys.Write(dst, part); err != nil {
			return n, more, &WriteError{err}
		}
		n += int64(len(part))
		if n == limit || (k < len(buf) && n == size) {
			return n, more, nil
		}
		if err := between(); err != nil {
			return n, more, err
		}
	}
}

// unsized is how much is read of a file that says it is empty, in bytes: the files of /proc are shorter, and a file that
// somebody writes to without end must come to one.
const unsized = 64 << 20

// WriteError marks an error of the destination, where reading went well.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// Chunks adapts the length of a chunk to the device, so that each takes a few milliseconds: short enough to pause and
// cancel at once, long enough that the call costs nothing. The zero value is ready; one worker owns it.
type Chunks struct{ size int64 }

const (
	chunkMin    = 128 << 10
	chunkStart  = 1 << 20
	chunkMax    = 16 << 20
	chunkQuick  = 4 * time.Millisecond
	chunkSlow   = 20 * time.Millisecond
	bufferBytes = 1 << 20 // per worker, for read and write: larger no longer helps
)

// Size is how many bytes the next chunk should have.
func (c *Chunks) Size() int64 {
	if c.size == 0 {
		c.size = chunkStart
	}
	return c.size
}

func (c *Chunks) took(d time.Duration) {
	switch {
	case d < chunkQuick:
		c.size = min(c.size*2, chunkMax)
	case d > chunkSlow:
		c.size = max(c.size/2, chunkMin)
	}
}

// Mover copies ranges of big files for one worker.
type Mover struct {
	Chunks
	buf []byte
}

// Range copies n bytes at off to the same place of dst. It may copy fewer: 0 is the end of the source.
func (m *Mover) Range(p *Pair, dst, src int, off, n int64) (int64, error) {
	start := time.Now()
	done, err := m.move(p, dst, src, off, n)
	if n >= m.Size() {
		m.took(time.Since(start))
	}
	return done, err
}

func (m *Mover) move(p *Pair, dst, src int, off, n int64) (int64, error) {
	if !p.NoRange.Load() {
		k, handled, err := sys.CopyRange(dst, src, off, n)
		if handled && (err != nil || k > 0) {
			return k, err
		}
		if !handled {
			p.NoRange.Store(true)
		}
		// 0 bytes: the end, or a file whose content the call does not see. Reading tells.
	}
	if m.buf == nil {
		m.buf = make([]byte, bufferBytes)
	}
	var sum int64
	for sum < n {
		k, err := sys.ReadAt(src, m.buf[:min(n-sum, bufferBytes)], off+sum)
		if err != nil {
			return sum, err
		}
		if k == 0 {
			return sum, nil
		}
		if err := sys.WriteAt(dst, m.buf[:k], off+sum); err != nil {
			return sum, &WriteError{err}
		}
		sum += int64(k)
	}
	return sum, nil
}
