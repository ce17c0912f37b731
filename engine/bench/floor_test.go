package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runFloor copies with a process of its own, as the benchmark does.
func runFloor(args ...string) error {
	out, err := exec.Command(self(), append([]string{floorFlag}, args...)...).CombinedOutput()
	if err != nil {
		return errors.New(string(out))
	}
	return nil
}

// Everything that the sets have, and more files than one run holds.
func TestFloorCopiesEverything(t *testing.T) {
	work := t.TempDir()
	src, dst := work+"/src", work+"/dst"
	old := time.Date(2001, 2, 3, 4, 5, 6, 789, time.UTC)
	err := errors.Join(
		os.Mkdir(dst, 0o755), os.Mkdir(src, 0o755),
		makeTree(src, 2, 2, 70), makeBig(src, 3, 40<<20), // several pieces
		os.Symlink("nowhere", src+"/link"),
		os.Link(src+"/d00/e00/f000.txt", src+"/d01/twin"),
		os.WriteFile(src+"/empty", nil, 0o4750), os.Chmod(src+"/empty", 0o666),
		os.Truncate(src+"/b0002.bin", 200<<20), // a hole at its end
		os.Chtimes(src+"/d01/e01/f000.txt", old, old), os.Chtimes(src+"/d01/e00", old, old),
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := runFloor(src, dst); err != nil {
		t.Fatal(err)
	}
	if err := sameTree(src, dst+"/src", everything); err != nil {
		t.Error(err)
	}
}

func TestFloorCopiesManyFiles(t *testing.T) {
	work := t.TempDir()
	for _, sub := range []string{"/a", "/b"} {
		if err := errors.Join(os.Mkdir(work+sub, 0o755), makeFlat(work+sub, 40, 100)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(work + "/a/*")
	if err := errors.Join(err, os.Rename(work+"/b/f00001.dat", work+"/b/last")); err != nil {
		t.Fatal(err)
	}
	files = append(files, work+"/b/last")
	dst := work + "/dst"
	if err := os.Mkdir(dst, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := runFloor(append(files, dst)...); err != nil {
		t.Fatal(err)
	}
	if n, _ := count(t, dst); n != 41 {
		t.Errorf("%d files", n)
	}
}

func TestFloorEndsAtErrors(t *testing.T) {
	for name, prepare := range map[string]func(src, dst string) error{
		"dst/src": func(_, dst string) error { return os.Mkdir(dst+"/src", 0o755) },
		"src":     func(src, _ string) error { return os.RemoveAll(src) },
		"dst":     func(_, dst string) error { return os.Remove(dst) },
		"fifo":    func(src, _ string) error { return syscall.Mkfifo(src+"/fifo", 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			work := t.TempDir()
			src, dst := work+"/src", work+"/dst"
			err := errors.Join(os.Mkdir(src, 0o755), os.Mkdir(dst, 0o755), makeFlat(src, 10, 10), prepare(src, dst))
			if err != nil {
				t.Fatal(err)
			}
			if err := runFloor(src, dst); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
				t.Errorf("got %v, want an error that names %s", err, name)
			}
		})
	}
}
