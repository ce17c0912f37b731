package journal

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"drover/engine/enginetest"
	"drover/engine/internal/sys"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func name(s string) sys.Name { return sys.Name(s + "\x00") }

// oddNames are bytes that a file may be called by.
var oddNames = []string{
	"a", "two\nlines", "\xff\xfe\x80", strings.Repeat("n", 255), strings.Repeat("\xc3", 255), " ", "...", "-rf", "\x01\x7f", "é\u202e写真", `\`,
}

var someTime = time.Unix(1765100000, 123456789)

// samples has every kind of record, empty where that is allowed and full of odd things.
func samples() []Record { return samplesOf(oddNames) }

func samplesOf(names []string) []Record {
	out := []Record{
		&Begin{}, &State{}, &Synced{}, &Made{Intent: 1}, &Intent{Num: 1}, &Folder{Num: 1}, &Outcome{}, &Removed{}, &Undone{},
		&Begin{ID: "mb1-1", Time: someTime, Boot: "b-o-o-t", PID: 4711, Version: "0.1.0-dev", Request: []byte("\x00\xff\n")},
		&Begin{PID: -1, Time: time.Unix(0, 0), Request: make([]byte, 300)},
		&State{State: 255, Ended: true, Time: time.Unix(-1, 5), Message: []byte("no space\x00")},
		&Folder{Num: 1, Src: name("/home/\xff/x"), Dst: name("/"), SrcID: sys.ID{Dev: 1<<64 - 1, Ino: 2}, DstID: sys.ID{Dev: 3, Ino: 1<<64 - 1}},
		&Folder{Num: 1 << 40, Parent: 1<<40 - 1, Src: name("s"), Dst: name("d"), Made: true},
		&Made{Intent: 1<<64 - 1, First: 31, Inos: []uint64{0, 1, 1<<64 - 1, 0, 1 << 63, 5, 5}},
		&Made{Intent: 2, Inos: make([]uint64, 200)},
	}
	for i, s := range names {
		n := name(s)
		all := make([]sys.Name, i)
		for k := range all {
			all[k] = n
		}
		out = append(
			out,
			&Folder{Num: 3, Parent: 2, Src: n, Dst: n},
			&Intent{Num: 7, Folder: 1, Entries: []Planned{{Name: n}, {n, true}, {Name: n}, {n, true}}},
			&Outcome{Folder: 1, Settles: []uint64{7, 6, 1 << 50}, Items: []Item{
				{Name: n, Fate: FateDone, Kind: KindFile, Size: 1<<63 - 1, Mtime: sys.Time{Sec: -5, Nsec: 999999999}, Ino: 1<<64 - 1},
				{Name: n, From: name("other"), Fate: FateDone, Kind: KindFolder, Replaced: []byte(s), Moved: true, Gone: true, Mtime: sys.Time{Sec: 1 << 60}},
				{Name: n, Fate: FateParked, Kind: KindSymlink},
				{Name: n, Fate: 200, Kind: 200},
				{Name: n},
			}},
			&Rename{Folder: 1, Old: n, New: name(fmt.Sprint("free ", i)), Ino: 5},
			&Removed{Folder: 2, Names: nilIfEmpty(all)},
			&Undone{Folder: 2, Names: nilIfEmpty(all)},
			&Partial{
				Folder: 9, Name: n, As: n, Ino: 11, Source: sys.ID{Dev: 1, Ino: 2}, Size: 1 << 42, Mtime: sys.Time{Sec: 1, Nsec: 1},
				Done: 1 << 41, Hash: []byte{0, 1, 2},
			},
		)
	}
	return out
}

func nilIfEmpty[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return s
}

// read returns all records of a journal.
func read(t testing.TB, s *Store, id string) []Record {
	t.Helper()
	var out []Record
	for r, err := range s.Read(id) {
		must(t, err)
		out = append(out, r)
	}
	return out
}

// store returns an empty store.
func store(t testing.TB) *Store {
	t.Helper()
	return Open(enginetest.WorkDir(t) + "/state/jobs")
}

func create(t testing.TB, s *Store, id string) *Writer {
	t.Helper()
	w, err := s.Create(id, Begin{Version: "test"})
	must(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

// file returns what is in a journal.
func file(t testing.TB, s *Store, id string) []byte {
	t.Helper()
	b, err := os.ReadFile(s.dir + "/" + id + suffix)
	must(t, err)
	return b
}

// put makes a journal of bytes.
func put(t testing.TB, s *Store, id string, b []byte) {
	t.Helper()
	must(t, os.MkdirAll(s.dir, 0o700))
	must(t, os.WriteFile(s.dir+"/"+id+suffix, b, 0o600))
}
