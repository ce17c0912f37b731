package journal

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"drover/engine/internal/sys"
)

// FuzzPayload decodes anything. What is taken for records can be written, and comes back the same.
func FuzzPayload(f *testing.F) {
	for _, r := range samples() {
		var e encoder
		e.records([]Record{r})
		f.Add(e.b)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		var first, second []Record
		if err := decodePayload(payload, func(r Record) bool { first = append(first, r); return true }); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		var e encoder
		e.records(first)
		if e.bad {
			t.Fatalf("%#v was read and cannot be written", first)
		}
		must(t, decodePayload(e.b, func(r Record) bool { second = append(second, r); return true }))
		equal(t, second, first)
	})
}

// FuzzFile reads anything as a file: no more comes out than what is whole, and the walk ends.
func FuzzFile(f *testing.F) {
	frame := func(r ...Record) []byte {
		e := encoder{b: openFrame(nil)}
		e.records(r)
		return closeFrame(e.b, 0)
	}
	head := appendHeader(nil, version)
	f.Add([]byte{})
	f.Add(head)
	f.Add(append(bytes.Clone(head), frame(&Begin{ID: "a"})...))
	f.Add(append(append(bytes.Clone(head), frame(&Begin{ID: "a"})...), frame(&State{State: 1}, &Synced{})...))
	f.Add(append(bytes.Clone(head), make([]byte, 100)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := scanner{file: bytes.NewReader(b), size: int64(len(b))}
		if s.header() != nil {
			return
		}
		whole := bytes.Clone(b[:headerSize])
		for {
			payload, ok := s.next()
			if !ok {
				break
			}
			whole = closeFrame(append(openFrame(whole), payload...), len(whole))
			_ = decodePayload(payload, func(Record) bool { return true })
			if int64(len(whole)) != s.off || !bytes.HasPrefix(b, whole) {
				t.Fatalf("%x is not the start of %x", whole, b)
			}
		}
		if s.err != nil || s.off > s.size || cap(s.buf) > readChunk+len(b) {
			t.Fatalf("%v, %d of %d, %d bytes of memory", s.err, s.off, s.size, cap(s.buf))
		}
	})
}

// FuzzRoundTrip writes records of any content. A name comes back as it was, or is refused for what it is.
func FuzzRoundTrip(f *testing.F) {
	for i, n := range oddNames {
		f.Add(n, []byte(n), uint64(i), int64(-i), uint8(i))
	}
	f.Add("a/b", []byte{}, uint64(1<<63), int64(1)<<62, uint8(255))
	f.Add("a\x00b", []byte{0}, uint64(0), int64(0), uint8(0))
	f.Fuzz(func(t *testing.T, text string, data []byte, u uint64, i int64, small uint8) {
		n := sys.Name(text + "\x00")
		num := max(u, 1)
		stamp := time.Unix(0, i)
		mtime := sys.Time{Sec: i, Nsec: int64(u % 1e9)}
		if len(data) == 0 {
			data = nil
		}
		all := []Record{
			&Begin{ID: text, Time: stamp, Boot: text, PID: int(i), Version: text, Request: data},
			&State{State: small, Ended: small&1 != 0, Time: stamp, Message: data},
			&Made{Intent: num, First: u, Inos: []uint64{u, num, uint64(i), 0}},
			&Folder{Num: num, Parent: num, SrcID: sys.ID{Dev: u, Ino: num}, Made: small&1 != 0},
			&Folder{Num: num, Src: n, Dst: n},
			&Folder{Num: num, Parent: 1, Src: n},
			&Intent{Num: num, Folder: u, Entries: []Planned{{Name: n}, {n, small&1 != 0}}},
			&Outcome{Folder: u, Settles: []uint64{num, u}, Items: []Item{
				{n, n, Fate(small), Kind(small), i, mtime, u, data, small&1 != 0, small&2 != 0},
			}},
			&Rename{Folder: u, Old: n, New: n, Ino: num},
			&Removed{Folder: u, Names: []sys.Name{n, n}},
			&Undone{Folder: u, Names: []sys.Name{n}},
			&Partial{u, n, n, num, sys.ID{Dev: u, Ino: num}, i, mtime, i, data},
		}
		single := text != "" && text != "." && text != ".." && !strings.ContainsAny(text, "/\x00")
		path := text != "" && !strings.Contains(text, "\x00")
		for at, r := range all {
			var e encoder
			e.records([]Record{r})
			ok := at < 4 || path && at == 4 || single
			if e.bad == ok {
				t.Fatalf("%#v: bad is %v", r, e.bad)
			}
			if e.bad {
				continue
			}
			var got []Record
			must(t, decodePayload(e.b, func(r Record) bool { got = append(got, r); return true }))
			equal(t, got, []Record{r})
		}
	})
}
