package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// A set is a folder of files to copy, the same bytes every time it is made.
type set struct {
	name   string
	bytes  int64 // that have to be stored, about; decides how large the file systems are made
	files  int
	flat   bool                   // nothing but files in it
	single bool                   // its files are given one by one
	sparse bool                   // most of it is a hole, and there is no room for programs that fill it
	fresh  freshness              // when the file system is made anew
	most   int                    // rounds, at most; 0: as many as asked for
	write  func(dir string) error // dir exists and is empty
}

// freshness tells how long a file system is used.
type freshness int

const (
	perMatch freshness = iota // copies are deleted at once: their memory is what costs
	perRound                  // small files: deleting a copy would slow the next program down
	perRun                    // so many files that there is only room for one copy
)

func (s set) String() string { return s.name }

// copies is how many copies are there at a time.
func (s set) copies(programs int) int {
	if s.fresh == perRound {
		return programs
	}
	return 1
}

// room is the size of a file system that holds the set and its copies.
func (s set) room(programs int) int64 {
	const perFile = 5 << 10 // an inode, a name, and the rest of the last block
	one := s.bytes + int64(s.files)*perFile
	const spare = 1 << 30 // for the file system itself, and what it does not give back at once
	return one*int64(s.copies(programs)+1) + spare
}

// inodes is how many files and folders there can be at a time, amply counted.
func (s set) inodes(programs int) int { return (s.files + s.files/10) * (s.copies(programs) + 1) }

// sources are the arguments that name the set whose folder is dir.
func (s set) sources(dir string) ([]string, error) {
	if !s.single {
		return []string{dir}, nil
	}
	entries, err := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		out = append(out, filepath.Join(dir, e.Name()))
	}
	return out, err
}

// copyOf is where a copy of the set is found that was made into the folder dst.
func (s set) copyOf(dst string) string {
	if s.single {
		return dst
	}
	return filepath.Join(dst, s.name)
}

// usual are the sets that are measured unless others are asked for.
const usual = "flat5k,tree20k,big200,one2g,sparse10g,single10k,source"

var sets = []set{
	{
		name: "flat5k", bytes: 5000 * 4096, files: 5000, flat: true, fresh: perRound, // one folder of small files: creating in it is serial
		write: func(dir string) error { return makeFlat(dir, 5000, 4096) },
	},
	{
		name: "tree20k", bytes: 200 << 20, files: 20000, fresh: perRound, // sizes around 3 KiB with a long tail
		write: func(dir string) error { return makeTree(dir, 20, 20, 50) },
	},
	{
		name: "big200", bytes: 200 * 5 << 20, files: 200, flat: true, // like photos
		write: func(dir string) error { return makeBig(dir, 200, 5<<20) },
	},
	{
		name: "big1000", bytes: 1000 * 5 << 20, files: 1000, flat: true, // more photos than many a machine has memory for
		write: func(dir string) error { return makeBig(dir, 1000, 5<<20) },
	},
	{
		name: "one2g", bytes: 2 << 30, files: 1, flat: true, // like a film
		write: func(dir string) error { return makeBig(dir, 1, 2<<30) },
	},
	{
		name: "sparse10g", bytes: 16 << 20, files: 1, flat: true, sparse: true, // like the disk of a virtual machine
		write: func(dir string) error { return makeSparse(dir, 10<<30, 256, 64<<10) },
	},
	{
		name: "single10k", bytes: 10000 * 4096, files: 10000, flat: true, single: true, fresh: perRound, // like a selection in a window
		write: func(dir string) error { return makeFlat(dir, 10000, 4096) },
	},
	{
		name: "source", bytes: 60 << 20, files: 7700, fresh: perRound, // source code: links, programs, empty files, deep folders
		write: func(dir string) error { return makeSource(dir, 24) },
	},
	many("million", 1_000_000),
}

// many is a set of n tiny files.
func many(name string, n int) set {
	return set{
		name: name, files: n, fresh: perRun, most: 3,
		write: func(dir string) error { return makeMany(dir, n) },
	}
}

// makeMany writes n files of 0 to 1 KiB into folders of a thousand. They are made on all processors at once.
func makeMany(dir string, n int) error {
	const perFolder = 1000
	return parallel((n+perFolder-1)/perFolder, func(i int) error {
		sub := filepath.Join(dir, fmt.Sprintf("d%05d", i))
		if err := os.Mkdir(sub, 0o755); err != nil {
			return err
		}
		src := contents(i)
		for j := range min(perFolder, n-i*perFolder) {
			if err := writeFile(filepath.Join(sub, fmt.Sprintf("f%03d", j)), src, int64((i*perFolder+j)*389%1025)); err != nil {
				return err
			}
		}
		return nil
	})
}
