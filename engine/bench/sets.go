package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A set is a folder of files to copy, the same bytes every time it is made.
type set struct {
	name  string
	bytes int64 // about; decides how large the file systems are made
	files int
	flat  bool                   // no folders in it
	small bool                   // small files: deleting a copy would slow the next program down
	write func(dir string) error // dir exists and is empty
}

func (s set) String() string { return s.name }

// room is the size of a file system that holds the set and as many copies as there are at a time.
func (s set) room(programs int) int64 {
	const perFile = 8 << 10 // an inode, a name, and the rest of the last block
	copies := 1
	if s.small {
		copies = programs
	}
	one := s.bytes + int64(s.files)*perFile
	return max(one*int64(copies+2)*5/4, 1<<30)
}

var sets = []set{
	{
		name: "flat5k", bytes: 5000 * 4096, files: 5000, flat: true, small: true, // one folder of small files: creating in it is serial
		write: func(dir string) error { return makeFlat(dir, 5000, 4096) },
	},
	{
		name: "tree20k", bytes: 200 << 20, files: 20000, small: true, // like a source tree: sizes around 3 KiB with a long tail
		write: func(dir string) error { return makeTree(dir, 20, 20, 50) },
	},
	{
		name: "big200", bytes: 200 * 5 << 20, files: 200, flat: true, // like photos
		write: func(dir string) error { return makeBig(dir, 200, 5<<20) },
	},
	{
		name: "one2g", bytes: 2 << 30, files: 1, flat: true, // like a film
		write: func(dir string) error { return makeBig(dir, 1, 2<<30) },
	},
}

func source() *rand.ChaCha8 { return rand.NewChaCha8([32]byte{'d', 'r', 'o', 'v', 'e', 'r'}) }

// makeFlat writes n files of size bytes into dir.
func makeFlat(dir string, n, size int) error {
	src := source()
	for i := range n {
		if err := writeFile(filepath.Join(dir, fmt.Sprintf("f%05d.dat", i)), src, int64(size)); err != nil {
			return err
		}
	}
	return nil
}

// makeTree writes outer × inner folders of n files whose sizes are log-normal with a median of 3 KiB, at most 200 000 bytes.
func makeTree(dir string, outer, inner, n int) error {
	src := source()
	sizes := rand.New(source())
	for x := range outer {
		for y := range inner {
			sub := filepath.Join(dir, fmt.Sprintf("d%02d", x), fmt.Sprintf("e%02d", y))
			if err := os.MkdirAll(sub, 0o755); err != nil {
				return err
			}
			for z := range n {
				size := min(math.Exp(8+1.4*sizes.NormFloat64()), 200_000)
				if err := writeFile(filepath.Join(sub, fmt.Sprintf("f%03d.txt", z)), src, int64(size)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// makeBig writes n files of size bytes. They repeat one random block, numbered, so that no two blocks are the same.
func makeBig(dir string, n int, size int64) error {
	block := make([]byte, min(size, 4<<20))
	if _, err := io.ReadFull(source(), block); err != nil {
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
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func writeFile(name string, src io.Reader, size int64) error {
	b := make([]byte, size)
	if _, err := io.ReadFull(src, b); err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o644)
}
