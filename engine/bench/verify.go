package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// sameTree compares names, kinds, permissions and contents of two trees of files and folders.
func sameTree(a, b string) error {
	inA := 0
	err := filepath.WalkDir(a, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inA++
		rel, err := filepath.Rel(a, path)
		if err != nil {
			return err
		}
		return sameEntry(path, filepath.Join(b, rel))
	})
	if err != nil {
		return err
	}
	inB := 0
	err = filepath.WalkDir(b, func(_ string, _ fs.DirEntry, err error) error { inB++; return err })
	if err == nil && inA != inB {
		err = fmt.Errorf("%d entries became %d", inA, inB)
	}
	return err
}

func sameEntry(a, b string) error {
	x, err := os.Lstat(a)
	if err != nil {
		return err
	}
	y, err := os.Lstat(b)
	if err != nil {
		return err
	}
	if x.Mode() != y.Mode() {
		return fmt.Errorf("%s: %v became %v", b, x.Mode(), y.Mode())
	}
	if !x.Mode().IsRegular() {
		return nil
	}
	if x.Size() != y.Size() {
		return fmt.Errorf("%s: %d bytes became %d", b, x.Size(), y.Size())
	}
	return sameContent(a, b)
}

func sameContent(a, b string) error {
	f, err := os.Open(a)
	if err != nil {
		return err
	}
	defer f.Close()
	g, err := os.Open(b)
	if err != nil {
		return err
	}
	defer g.Close()
	x, y := make([]byte, 256<<10), make([]byte, 256<<10)
	for {
		n, errX := io.ReadFull(f, x)
		m, errY := io.ReadFull(g, y)
		if !bytes.Equal(x[:n], y[:m]) {
			return fmt.Errorf("%s: other content", b)
		}
		switch {
		case errors.Is(errX, io.EOF), errors.Is(errX, io.ErrUnexpectedEOF):
			return nil
		case errX != nil:
			return errX
		case errY != nil:
			return errY
		}
	}
}
