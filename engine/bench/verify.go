package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"drover/engine/internal/sys"
)

// keeps is what a program promises about a copy beside names, kinds, contents and the text of links.
type keeps struct {
	modes   bool
	times   time.Duration // how exact the times of files are; 0: they are not kept
	folders time.Duration // and of folders
	twins   bool          // several names of one file stay that
	holes   bool
}

// A comparison is of two trees.
type comparison struct {
	keeps
	twins map[sys.ID]sys.ID // files with several names, and their copies
	a, b  []byte            // contents of the file that is compared
}

func newComparison(k keeps) *comparison {
	const buffer = 256 << 10
	return &comparison{k, map[sys.ID]sys.ID{}, make([]byte, buffer), make([]byte, buffer)}
}

// sameTree compares two trees of files, folders and links.
func sameTree(a, b string, k keeps) error {
	c := newComparison(k)
	inA := 0
	err := filepath.WalkDir(a, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inA++
		copied := b + path[len(a):]
		if err := c.entry(path, copied); err != nil {
			return fmt.Errorf("%s: %w", copied, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	inB := 0
	err = filepath.WalkDir(b, func(_ string, _ fs.DirEntry, err error) error { inB++; return err })
	if err == nil && inA != inB {
		err = fmt.Errorf("%s: %d entries became %d", b, inA, inB)
	}
	return err
}

func (c *comparison) entry(a, b string) error {
	x, err := lstat(a)
	if err != nil {
		return err
	}
	y, err := lstat(b)
	if err != nil {
		return err
	}
	if x.Kind() != y.Kind() || c.modes && x.Mode != y.Mode {
		return fmt.Errorf("%v became %v", x.FileMode(), y.FileMode())
	}
	switch x.Kind() {
	case sys.Symlink:
		return sameText(a, b)
	case sys.Dir:
		return sameTime(c.folders, x, y)
	}
	if x.Size != y.Size {
		return fmt.Errorf("%d bytes became %d", x.Size, y.Size)
	}
	const waste = 1 << 20 // bytes that a file system may add, to make a file less scattered
	if c.holes && y.Blocks*512 > x.Blocks*512*2+waste {
		return fmt.Errorf("%d KiB on the disk became %d", x.Blocks/2, y.Blocks/2)
	}
	return errors.Join(sameTime(c.times, x, y), c.sameTwin(x, y), c.content(a, b, x.Size))
}

func lstat(path string) (*sys.Stat, error) {
	n, err := sys.MakeName(path)
	if err != nil {
		return nil, err
	}
	st := new(sys.Stat)
	return st, sys.Lookup(sys.CWD, n, false, st)
}

func sameText(a, b string) error {
	x, err := os.Readlink(a)
	if err != nil {
		return err
	}
	y, err := os.Readlink(b)
	if err == nil && x != y {
		err = fmt.Errorf("a link to %q became one to %q", x, y)
	}
	return err
}

// sameTime looks at the time of the last change, as exactly as it is promised.
func sameTime(exact time.Duration, x, y *sys.Stat) error {
	if exact == 0 {
		return nil
	}
	if s, t := x.Mtime.Std(), y.Mtime.Std(); !s.Truncate(exact).Equal(t.Truncate(exact)) {
		return fmt.Errorf("time %v became %v", s, t)
	}
	return nil
}

// sameTwin asks of names of one file that they are names of one copy, and that nothing else is.
func (c *comparison) sameTwin(x, y *sys.Stat) error {
	if !c.keeps.twins {
		return nil
	}
	if x.Nlink != y.Nlink {
		return fmt.Errorf("one of %d names became one of %d", x.Nlink, y.Nlink)
	}
	if x.Nlink == 1 {
		return nil
	}
	if made, ok := c.twins[x.ID]; ok && made != y.ID {
		return errors.New("another name of it became another file")
	}
	c.twins[x.ID] = y.ID
	return nil
}

// content compares all that is not a hole in either of two files of this size. It calls the kernel directly: there may be
// a million files.
func (c *comparison) content(a, b string, size int64) error {
	f, err := open(a)
	if err != nil {
		return err
	}
	defer func() { _ = sys.Close(f) }()
	g, err := open(b)
	if err != nil {
		return err
	}
	defer func() { _ = sys.Close(g) }()
	for off := int64(0); off < size; {
		if size > int64(len(c.a)) {
			if off, err = nextData(off, size, f, g); err != nil || off == size {
				return err
			}
		}
		n := int(min(size-off, int64(len(c.a))))
		if err := errors.Join(readFull(f, c.a[:n], off), readFull(g, c.b[:n], off)); err != nil {
			return err
		}
		if !bytes.Equal(c.a[:n], c.b[:n]) {
			return errors.New("other content")
		}
		off += int64(n)
	}
	return nil
}

func open(path string) (int, error) {
	n, err := sys.MakeName(path)
	if err != nil {
		return -1, err
	}
	return sys.OpenRead(sys.CWD, n, false)
}

func readFull(fd int, buf []byte, off int64) error {
	for len(buf) > 0 {
		n, err := sys.ReadAt(fd, buf, off)
		if err == nil && n == 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		buf, off = buf[n:], off+int64(n)
	}
	return nil
}

// nextData is where the first of some files has data again; size if none has.
func nextData(off, size int64, of ...int) (int64, error) {
	next := size
	for _, fd := range of {
		from, _, ok, err := sys.NextData(fd, off, size)
		if err != nil {
			return 0, err
		}
		if ok {
			next = min(next, from)
		}
	}
	return next, nil
}
