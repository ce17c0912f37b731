package sys

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// record makes one as the kernel does.
func record(ino uint64, kind byte, name string) []byte {
	l := (19 + len(name) + 1 + 7) &^ 7
	r := make([]byte, l)
	binary.NativeEndian.PutUint64(r, ino)
	binary.NativeEndian.PutUint16(r[16:], uint16(l))
	r[18] = kind
	copy(r[19:], name)
	return r
}

func TestParseDirents(t *testing.T) {
	var rec []byte
	var want []string
	add := func(ino uint64, kind byte, name string, wanted bool) {
		rec = append(rec, record(ino, kind, name)...)
		if wanted {
			want = append(want, fmt.Sprint(name, kind))
		}
	}
	add(1, 4, ".", false)
	add(1, 4, "..", false)
	add(2, 8, "...", true)
	add(2, 8, ".a", true)
	add(3, 10, "\xff\n", true)
	add(0, 8, "removed while it was listed", false)
	add(4, 0, strings.Repeat("x", 255), true)
	for i := range 600 { // more than share one piece of memory
		add(5, 8, fmt.Sprint("f", i), true)
	}
	out := parseDirents(rec, []Dirent{{Name: "before\x00"}})
	if out[0].Name != "before\x00" || len(out) != len(want)+1 {
		t.Fatalf("%d entries", len(out))
	}
	for i, d := range out[1:] {
		if got := fmt.Sprint(d.Name.String(), byte(d.Kind>>12)); got != want[i] {
			t.Errorf("entry %d is %q, want %q", i, got, want[i])
		}
		if d.Name[len(d.Name)-1] != 0 {
			t.Errorf("%q has no NUL", d.Name)
		}
	}
}

// Whatever a broken file system answers: no panic, and only names that can be passed on.
func FuzzParseDirents(f *testing.F) {
	f.Add(record(1, 8, "a"))
	f.Add(append(record(1, 4, ".."), record(2, 10, "b\xff")...))
	f.Add(record(1, 8, strings.Repeat("x", 255))[:40])
	f.Add(append(record(7, 8, "a"), 1, 2, 3))
	f.Fuzz(func(t *testing.T, rec []byte) {
		for _, d := range parseDirents(rec, nil) {
			s := d.Name.String()
			if s == "" || s == "." || s == ".." || strings.IndexByte(s, 0) >= 0 || !strings.HasSuffix(string(d.Name), "\x00") {
				t.Errorf("name %q", d.Name)
			}
		}
	})
}

func FuzzXattrNames(f *testing.F) {
	f.Add([]byte("user.a\x00user.b\x00"))
	f.Add([]byte("no end"))
	f.Add([]byte("\x00\x00"))
	f.Fuzz(func(t *testing.T, list []byte) {
		var got []string
		for name := range XattrNames(list) {
			got = append(got, name)
		}
		want := strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 })
		if strings.Join(got, "\x00") != strings.Join(want, "\x00") {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
