package main

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"drover/engine/internal/sys"
)

func TestSameTreeSeesDifferences(t *testing.T) {
	const file = "/mod00/src/f000.c"
	changed := time.Date(2020, 1, 1, 0, 0, 0, 5000, time.UTC)
	tests := []struct {
		name    string
		promise func(*keeps) // takes back the promise that is broken; nil: no copy may look like that
		change  func(dir string) error
	}{
		{"missing", nil, func(d string) error { return os.Remove(d + "/mod00/src/f001.c") }},
		{"additional", nil, func(d string) error { return os.WriteFile(d+"/mod00/x", nil, 0o644) }},
		{"shorter", nil, func(d string) error { return os.Truncate(d+file, 1) }},
		{"another kind", nil, func(d string) error {
			return errors.Join(os.Remove(d+"/mod00/src/f001.c"), os.Mkdir(d+"/mod00/src/f001.c", 0o755))
		}},
		{"link to something else", nil, func(d string) error {
			return errors.Join(os.Remove(d+"/mod00/broken"), os.Symlink("there", d+"/mod00/broken"))
		}},
		{"last byte", nil, func(d string) error { return flip(d+file, -1) }},
		{"data in a hole", nil, func(d string) error { return flip(d+"/disk.img", 1<<20) }},
		{"mode", func(k *keeps) { k.modes = false }, func(d string) error { return os.Chmod(d+file, 0o600) }},
		{"mode of a folder", func(k *keeps) { k.modes = false }, func(d string) error { return os.Chmod(d+"/deep", 0o700) }},
		{"time", func(k *keeps) { k.times = 0 }, func(d string) error { return os.Chtimes(d+file, changed, changed) }},
		{"time of a folder", func(k *keeps) { k.folders = 0 }, func(d string) error { return os.Chtimes(d+"/deep", changed, changed) }},
		{"fraction of a second", func(k *keeps) { k.times = time.Second }, func(d string) error {
			i, err := os.Stat(d + file)
			if err != nil {
				return err
			}
			whole := i.ModTime().Truncate(time.Second)
			return os.Chtimes(d+file, whole, whole)
		}},
		{"two files of one", func(k *keeps) { k.twins, k.folders = false, 0 }, func(d string) error {
			return errors.Join(copyWith("-p", d+file, d+"/new"), os.Rename(d+"/new", d+file))
		}},
		{"filled holes", func(k *keeps) { k.holes, k.folders = false, 0 }, func(d string) error {
			return errors.Join(copyWith("-p", "--sparse=never", d+"/disk.img", d+"/new"), os.Rename(d+"/new", d+"/disk.img"))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := t.TempDir(), t.TempDir()
			err := errors.Join(makeSource(a, 1), makeSparse(a, 8<<20, 2, 4096), copyWith("-a", a+"/.", b))
			if err != nil {
				t.Fatal(err)
			}
			if err := sameTree(a, b, everything); err != nil {
				t.Fatal("a true copy:", err)
			}
			if err := tt.change(b); err != nil {
				t.Fatal(err)
			}
			if sameTree(a, b, everything) == nil {
				t.Error("not seen")
			}
			k := keeps{}
			if tt.promise != nil {
				k = everything
				tt.promise(&k)
			}
			if err := sameTree(a, b, k); (err == nil) != (tt.promise != nil) {
				t.Errorf("with %+v: %v", k, err)
			}
		})
	}
}

func copyWith(args ...string) error { return exec.Command("cp", args...).Run() }

// flip changes one byte; -1 is the last one.
func flip(name string, at int) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if at < 0 {
		at += len(b)
	}
	b[at]++
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b[at:at+1], int64(at))
	return errors.Join(err, f.Close())
}

// Names of one file must be names of one copy, even where each has as many names as it should.
func TestTwinsGoTogether(t *testing.T) {
	file := func(ino uint64) *sys.Stat { return &sys.Stat{ID: sys.ID{Ino: ino}, Nlink: 2} }
	c := newComparison(everything)
	if err := errors.Join(c.sameTwin(file(1), file(10)), c.sameTwin(file(2), file(20)), c.sameTwin(file(1), file(10))); err != nil {
		t.Error(err)
	}
	if c.sameTwin(file(2), file(10)) == nil {
		t.Error("a name went over to another file")
	}
}
