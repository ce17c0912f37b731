package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"drover/engine/internal/sys"
)

// Writer appends to one journal and holds its lock. Its methods may be called from any goroutine; what each of them appends stays together.
type Writer struct {
	// set once
	id   string
	path string
	file *os.File // which may have been opened by another name

	mu sync.Mutex
	// guarded by mu
	enc    encoder // its buffer is kept from one Append to the next
	size   int64   // of the file, up to the last whole frame
	torn   bool    // behind size there may be a part of a frame that could not be cut off
	closed bool
	named  bool // the folder has been synced since the file got its name
}

// ID returns the ID of the job.
func (w *Writer) ID() string { return w.id }

// Size returns the length of the journal in bytes.
func (w *Writer) Size() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.size
}

// Append writes records, all of them or none, with one system call. Without records it does nothing. After an error nothing of
// them is in the journal, and a later Append may succeed. The error is ErrRecord, ErrClosed, or of the file: no space, I/O.
func (w *Writer) Append(records ...Record) error {
	if len(records) == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	if err := w.mend(); err != nil {
		return err
	}
	w.enc.b = w.enc.b[:0]
	return w.write(records)
}

// write adds a frame to what is in the buffer, and writes the buffer.
func (w *Writer) write(records []Record) error {
	e := &w.enc
	start := len(e.b)
	e.bad = false
	e.b = openFrame(e.b)
	e.records(records)
	defer w.shrink()
	switch n := len(e.b) - start - frameFront; {
	case e.bad:
		return ErrRecord
	case n > maxFrame:
		return fmt.Errorf("%w: %d bytes at once", ErrRecord, n)
	}
	e.b = closeFrame(e.b, start)
	if _, err := w.file.Write(e.b); err != nil {
		w.torn = true
		_ = w.mend() // else the next Append does
		return w.told(err)
	}
	w.size += int64(len(e.b))
	return nil
}

// mend cuts off what an Append left that did not succeed.
func (w *Writer) mend() error {
	if !w.torn {
		return nil
	}
	err := w.file.Truncate(w.size)
	w.torn = err != nil
	return w.told(err)
}

// told gives an error the path that the file has now.
func (w *Writer) told(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		p.Path = w.path
	}
	return err
}

func (w *Writer) shrink() {
	if cap(w.enc.b) > keptBuffer {
		w.enc.b = nil
	}
}

// Sync returns when all that was appended before would survive a power cut. Others can append meanwhile.
func (w *Writer) Sync() error {
	w.mu.Lock()
	named, closed := w.named, w.closed
	w.mu.Unlock()
	if closed {
		return ErrClosed
	}
	c, err := w.file.SyscallConn()
	if err != nil {
		return err
	}
	var synced error
	err = c.Control(func(fd uintptr) { synced = sys.Datasync(int(fd)) })
	switch {
	case err != nil: // it has no other
		return ErrClosed
	case synced != nil:
		return &os.PathError{Op: "fdatasync", Path: w.path, Err: synced}
	case named:
		return nil
	}
	if err := syncFolder(filepath.Dir(w.path)); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.named = true
	return nil
}

// syncFolder lets the names in a folder survive a power cut.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Close ends the writing and gives up the lock. Closing again does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	w.enc.b = nil
	return w.told(w.file.Close())
}
