package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestSetsAreReproducible(t *testing.T) {
	tests := []struct {
		name  string
		write func(string) error
		files int   // and links
		bytes int64 // 0: only > 0
	}{
		{"flat", func(d string) error { return makeFlat(d, 30, 4096) }, 30, 30 * 4096},
		{"tree", func(d string) error { return makeTree(d, 2, 3, 5) }, 30, 0},
		{"big", func(d string) error { return makeBig(d, 3, 5<<20) }, 3, 15 << 20},
		{"sparse", func(d string) error { return makeSparse(d, 64<<20, 4, 4096) }, 1, 64 << 20},
		{"many", func(d string) error { return makeMany(d, 2500) }, 2500, 0},
		{"source", func(d string) error { return makeSource(d, 2) }, 2*(300+20+1) + 1 + 60, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := t.TempDir(), t.TempDir()
			if err := errors.Join(tt.write(a), tt.write(b)); err != nil {
				t.Fatal(err)
			}
			if err := sameTree(a, b, keeps{modes: true, twins: true, holes: true}); err != nil {
				t.Error("made twice, it differs:", err)
			}
			files, bytes := count(t, a)
			if files != tt.files || bytes == 0 || (tt.bytes > 0 && bytes != tt.bytes) {
				t.Errorf("%d files with %d bytes, want %d with %d", files, bytes, tt.files, tt.bytes)
			}
		})
	}
}

func count(t *testing.T, dir string) (files int, bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		i, err := d.Info()
		files++
		bytes += i.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, bytes
}

// What the source tree is for: of each kind there is something in it, with a time of its own.
func TestSourceTreeHasEveryKind(t *testing.T) {
	dir := t.TempDir()
	if err := makeSource(dir, 2); err != nil {
		t.Fatal(err)
	}
	kinds, depth := map[string]int{}, 0
	times := map[time.Time]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		depth = max(depth, strings.Count(rel, "/"))
		if i.Mode().Type() == fs.ModeSymlink {
			kinds["link"]++
			return nil
		}
		times[i.ModTime()] = true
		switch {
		case d.IsDir():
			kinds["folder"]++
		case i.Size() == 0:
			kinds["empty"]++
		case i.Sys().(*syscall.Stat_t).Nlink > 1:
			kinds["twin"]++
		case i.Mode().Perm() == 0o755:
			kinds["program"]++
		case i.Mode().Perm() == 0o444:
			kinds["read-only"]++
		default:
			kinds["plain"]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"link", "folder", "empty", "twin", "program", "read-only", "plain"} {
		if kinds[k] == 0 {
			t.Errorf("none is %s: %v", k, kinds)
		}
	}
	if depth < 60 || len(times) < 500 {
		t.Errorf("%d deep, %d times", depth, len(times))
	}
}

func TestHolesStayInTheSparseSet(t *testing.T) {
	dir := t.TempDir()
	if err := makeSparse(dir, 1<<30, 16, 64<<10); err != nil {
		t.Fatal(err)
	}
	i, err := os.Stat(dir + "/disk.img")
	if err != nil {
		t.Fatal(err)
	}
	if blocks := i.Sys().(*syscall.Stat_t).Blocks; i.Size() != 1<<30 || blocks*512 > 16<<20 {
		t.Errorf("%d bytes, of which %d take room", i.Size(), blocks*512)
	}
}

// There must be room for a set and the copies that are there at the same time, and inodes for their files.
func TestRoom(t *testing.T) {
	for _, s := range sets {
		copies := int64(2)
		if s.fresh == perRound {
			copies = 10
		}
		if got := s.room(9); got < copies*(s.bytes+int64(s.files)*4096) {
			t.Errorf("%s: %d bytes", s.name, got)
		}
		if got := s.inodes(9); int64(got) < copies*int64(s.files) {
			t.Errorf("%s: %d inodes", s.name, got)
		}
	}
}

func TestLack(t *testing.T) {
	dir := t.TempDir()
	for _, fs := range []string{"tmpfs", asIs} {
		if why := (room{bytes: 1 << 20}).lack(fs, dir); why != "" {
			t.Errorf("a megabyte on %s: %s", fs, why)
		}
		if (room{bytes: 1 << 60}).lack(fs, dir) == "" {
			t.Errorf("room for an exabyte on %s", fs)
		}
	}
}
