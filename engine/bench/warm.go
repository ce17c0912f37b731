package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"drover/engine/internal/sys"
)

// warm reads every file of a tree, so that it is in memory. It was, when the tree had been written; but rclone tells the
// kernel to forget what it has read, and the next program would pay for that.
func warm(tree string) error {
	buf := make([]byte, 1<<20)
	return filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return readThrough(path, buf)
	})
}

// readThrough reads all that is not a hole.
func readThrough(path string, buf []byte) error {
	st, err := lstat(path)
	if err != nil {
		return err
	}
	fd, err := open(path)
	if err != nil {
		return err
	}
	defer func() { _ = sys.Close(fd) }()
	for off := int64(0); off < st.Size; {
		if st.Sparse() {
			if off, err = nextData(off, st.Size, fd); err != nil || off == st.Size {
				return err
			}
		}
		n, err := sys.ReadAt(fd, buf, off)
		if err != nil || n == 0 {
			return err
		}
		off += int64(n)
	}
	return nil
}

// slim gives memory back and lets the kernel forget how much it was at most: the kernel counts the program that starts
// another one in the other's peak.
func slim() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // without it a peak is just less exact
}
