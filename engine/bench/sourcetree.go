package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// makeSource writes a tree like that of a large program: so many modules with programs, empty files, files that may not
// be written, symbolic and hard links, and folders that are 60 deep. Every file and folder has a time of its own.
func makeSource(dir string, modules int) error {
	src, sizes := contents(0), rand.New(contents(1))
	for m := range modules {
		name := fmt.Sprintf("mod%02d", m)
		for _, sub := range []string{"src", "include", "test/data/golden"} {
			into := filepath.Join(dir, name, sub)
			if err := os.MkdirAll(into, 0o755); err != nil {
				return err
			}
			for i := range 100 {
				if err := sourceFile(into, i, src, sizes); err != nil {
					return err
				}
			}
		}
		if err := sourceLinks(filepath.Join(dir, name), m); err != nil {
			return err
		}
	}
	deep := filepath.Join(dir, "deep")
	for i := range 60 {
		deep = filepath.Join(deep, fmt.Sprintf("l%02d", i))
		if err := os.MkdirAll(deep, 0o755); err != nil {
			return err
		}
		if err := sourceFile(deep, i, src, sizes); err != nil {
			return err
		}
	}
	return age(dir)
}

// sourceFile writes the file with number i of a folder: mostly text, some of each other kind.
func sourceFile(dir string, i int, src *rand.ChaCha8, sizes *rand.Rand) error {
	name, size, mode := fmt.Sprintf("f%03d.c", i), usualSize(sizes), fs.FileMode(0o644)
	switch {
	case i%10 == 3:
		name, mode = fmt.Sprintf("run %d.sh", i), 0o755
	case i%17 == 4:
		name, size = fmt.Sprintf("%d.stamp", i), 0
	case i%25 == 7:
		name, mode = fmt.Sprintf("größe%d.txt", i), 0o444
	}
	path := filepath.Join(dir, name)
	if err := writeFile(path, src, size); err != nil {
		return err
	}
	return os.Chmod(path, mode)
}

// sourceLinks links within a module, to the one before, and to nothing.
func sourceLinks(dir string, m int) error {
	for i := range 10 {
		file := fmt.Sprintf("f%03d.c", 10*i)
		if err := os.Symlink("../src/"+file, filepath.Join(dir, "include", "to-"+file)); err != nil {
			return err
		}
		if err := os.Link(filepath.Join(dir, "src", file), filepath.Join(dir, "test", "same-"+file)); err != nil {
			return err
		}
	}
	if m > 0 {
		if err := os.Symlink(fmt.Sprintf("../mod%02d/include", m-1), filepath.Join(dir, "before")); err != nil {
			return err
		}
	}
	return os.Symlink("not/there", filepath.Join(dir, "broken"))
}

// age gives everything in a tree a time in the past. Folders come after what is in them, for that changes their time.
func age(dir string) error {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type() != fs.ModeSymlink {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	start := time.Date(2010, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := len(paths) - 1; i >= 0; i-- {
		at := start.Add(time.Duration(i) * (time.Hour + 123456789*time.Nanosecond))
		if err := os.Chtimes(paths[i], at, at); err != nil {
			return err
		}
	}
	return nil
}
