package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// contents is an endless stream of bytes that no one can compress, the same for the same number.
func contents(number int) *rand.ChaCha8 {
	seed := [32]byte{'d', 'r', 'o', 'v', 'e', 'r'}
	binary.LittleEndian.PutUint64(seed[8:], uint64(number))
	return rand.NewChaCha8(seed)
}

// makeFlat writes n files of size bytes into dir.
func makeFlat(dir string, n, size int) error {
	src := contents(0)
	for i := range n {
		if err := writeFile(filepath.Join(dir, fmt.Sprintf("f%05d.dat", i)), src, int64(size)); err != nil {
			return err
		}
	}
	return nil
}

// makeTree writes outer × inner folders of n files.
func makeTree(dir string, outer, inner, n int) error {
	src := contents(0)
	sizes := rand.New(contents(0))
	for x := range outer {
		for y := range inner {
			sub := filepath.Join(dir, fmt.Sprintf("d%02d", x), fmt.Sprintf("e%02d", y))
			if err := os.MkdirAll(sub, 0o755); err != nil {
				return err
			}
			for z := range n {
				if err := writeFile(filepath.Join(sub, fmt.Sprintf("f%03d.txt", z)), src, usualSize(sizes)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// usualSize is log-normal with a median of 3 KiB, at most 200 000 bytes.
func usualSize(r *rand.Rand) int64 { return int64(min(math.Exp(8+1.4*r.NormFloat64()), 200_000)) }

// makeBig writes n files of size bytes. They repeat one random block, numbered, so that no two blocks are the same.
func makeBig(dir string, n int, size int64) error {
	block := make([]byte, min(size, 4<<20))
	if _, err := io.ReadFull(contents(0), block); err != nil {
		return err
	}
	count := uint64(0)
	for i := range n {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("b%04d.bin", i)))
		if err != nil {
			return err
		}
		for left := size; left > 0 && err == nil; left -= int64(len(block)) {
			binary.LittleEndian.PutUint64(block, count)
			count++
			_, err = f.Write(block[:min(left, int64(len(block)))])
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// makeSparse writes one file of size bytes with pieces of data in it, each of so many bytes, evenly spread.
func makeSparse(dir string, size int64, pieces int, bytes int) error {
	f, err := os.Create(filepath.Join(dir, "disk.img"))
	if err != nil {
		return err
	}
	src, b := contents(0), make([]byte, bytes)
	for i := range pieces {
		_, _ = src.Read(b) // never fails
		if _, err = f.WriteAt(b, size/int64(pieces)*int64(i)); err != nil {
			break
		}
	}
	return errors.Join(err, f.Truncate(size), f.Close())
}

func writeFile(name string, src io.Reader, size int64) error {
	b := make([]byte, size)
	if _, err := io.ReadFull(src, b); err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o644)
}

// parallel does n things, several at a time, and returns what went wrong.
func parallel(n int, do func(i int) error) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	errs := make([]error, runtime.GOMAXPROCS(0))
	for k := range errs {
		workers.Go(func() {
			for errs[k] == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[k] = do(i)
			}
		})
	}
	workers.Wait()
	return errors.Join(errs...)
}
