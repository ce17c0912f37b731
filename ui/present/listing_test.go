package present

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"drover/engine/place"
)

func entries(names ...string) []Entry {
	out := make([]Entry, len(names))
	for i, n := range names {
		mode := fs.FileMode(0o644)
		if d, ok := strings.CutSuffix(n, "/"); ok {
			n, mode = d, fs.ModeDir|0o755
		}
		out[i] = newEntry(n, mode, int64(i*10), time.Unix(int64(i), 0))
	}
	return out
}

func newEntry(name string, mode fs.FileMode, size int64, modified time.Time) Entry {
	return NewEntry(place.Entry{Name: name, Mode: mode, Size: size, Modified: modified, Folder: mode.IsDir()})
}

func names(l *Listing) []string {
	out := make([]string, l.Len())
	for i := range out {
		out[i] = l.Name(i)
	}
	return out
}

func TestOrderByName(t *testing.T) {
	want := []string{
		"alpha", "Beta 2", "Beta 10", // folders first
		"1.txt", "02.txt", "10.txt", "a", "Ärger", "arm", "photo 9", "Photo 10", "photo 10b", "z\xff", "日本", "本",
	}
	all := entries("alpha/", "Beta 10/", "Beta 2/", "photo 10b", "Photo 10", "photo 9", "10.txt", "1.txt", "02.txt", "本", "日本", "arm", "Ärger", "a", "z\xff")
	got := NewListing("/d", all, Order{}, "", false)
	if !slices.Equal(names(got), want) {
		t.Errorf("got  %q\nwant %q", names(got), want)
	}
	if got.Folders != 3 || got.Total != len(all) {
		t.Errorf("%d folders of %d", got.Folders, got.Total)
	}
}

// TestOrderIsTotal: sorting needs an order that never contradicts itself, whatever the names are.
func TestOrderIsTotal(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "B", "0", "7", "10", "ä", "Z", " ", "-", "\xff", "日", "", "."}
	var all []Entry
	for range 60 {
		n := ""
		for range 1 + rnd.IntN(5) {
			n += alphabet[rnd.IntN(len(alphabet))]
		}
		e := newEntry(n, 0, int64(rnd.IntN(3)), time.Unix(int64(rnd.IntN(3)), 0))
		e.Folder = rnd.IntN(3) == 0
		all = append(all, e)
	}
	for _, o := range []Order{{}, {ByName, true}, {BySize, false}, {BySize, true}, {ByModified, false}, {ByModified, true}} {
		for i := range all {
			for j := range all {
				ij := o.Compare(&all[i], &all[j])
				if ij != -o.Compare(&all[j], &all[i]) {
					t.Fatalf("%+v: %q and %q contradict", o, all[i].Name, all[j].Name)
				}
				for k := range all {
					if ij < 0 && o.Compare(&all[j], &all[k]) < 0 && o.Compare(&all[i], &all[k]) >= 0 {
						t.Fatalf("%+v: %q < %q < %q but not the first before the last", o, all[i].Name, all[j].Name, all[k].Name)
					}
				}
			}
		}
	}
}

func TestOtherOrders(t *testing.T) {
	all := entries("a", "b", "folder/", "c") // sizes 0 10 - 30, times 0 1 2 3
	for _, c := range []struct {
		o    Order
		want []string
	}{
		{Order{By: BySize}, []string{"folder", "c", "b", "a"}},
		{Order{By: BySize, Reverse: true}, []string{"folder", "a", "b", "c"}},
		{Order{By: ByModified}, []string{"c", "folder", "b", "a"}},
		{Order{By: ByModified, Reverse: true}, []string{"a", "b", "folder", "c"}},
		{Order{Reverse: true}, []string{"folder", "c", "b", "a"}},
	} {
		if got := names(NewListing("/", all, c.o, "", true)); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		filter, name string
		want         bool
	}{
		{"", "x", true},
		{"pho", "My Photo.jpg", true},
		{"photo my", "My Photo.jpg", true},
		{"uber", "Über.txt", true},
		{"*.jpg", "a.JPG", true},
		{"*.jpg", "a.jpg.txt", false},
		{"?.txt", "日.txt", true},
		{"?.txt", "ab.txt", false},
		{"[x", "a[x]", true},
		{"**a*", "bab", true},
		{"x", "abc", false},
	} {
		m := Matcher(c.filter)
		if got := m == nil || m(c.name); got != c.want {
			t.Errorf("filter %q, name %q: %v", c.filter, c.name, got)
		}
	}
}

func TestHiddenAreCounted(t *testing.T) {
	l := NewListing("/", entries(".a", "b", ".c"), Order{}, "", false)
	if l.Len() != 1 || l.Hidden != 2 || l.Total != 3 {
		t.Errorf("%d shown, %d hidden of %d", l.Len(), l.Hidden, l.Total)
	}
}

func TestIndex(t *testing.T) {
	old := NewListing("/", entries("a", "b", "d", "e"), Order{}, "", false)
	next := NewListing("/", entries("b", "c", "e", "f"), Order{}, "", false)
	for i, want := range []struct {
		row int
		ok  bool
	}{{0, false}, {0, true}, {2, false}, {2, true}} {
		if row, ok := next.Index(&old.Entries[i]); row != want.row || ok != want.ok {
			t.Errorf("%s: row %d %v, want %d %v", old.Name(i), row, ok, want.row, want.ok)
		}
	}
	bySize := Order{By: BySize}
	grown := entries("a", "b", "c")
	l := NewListing("/", grown, bySize, "", false)
	was := l.Entries[2] // a, the smallest
	grown[0].Size = 1000
	if row, ok := NewListing("/", grown, bySize, "", false).Index(&was); !ok || row != 0 {
		t.Errorf("a file that grew is found in row %d %v", row, ok)
	}
}

func TestTypeAhead(t *testing.T) {
	l := NewListing("/", entries("apple", "Äpfel", "banana", "Bär"), Order{}, "", false)
	for _, c := range []struct {
		typed string
		start int
		want  string
	}{
		{"b", 0, "banana"}, {"b", 3, "Bär"}, {"ap", 1, "apple"}, {"Ä", 0, "Äpfel"}, {"x", 0, ""},
	} {
		got := ""
		if i := l.TypeAhead(c.typed, c.start); i >= 0 {
			got = l.Name(i)
		}
		if got != c.want {
			t.Errorf("typed %q from %d: %q, want %q", c.typed, c.start, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name string
		mode fs.FileMode
		want Kind
	}{
		{"a.JPG", 0, KindImage},
		{"a.tar.gz", 0, KindArchive},
		{"Makefile", 0, KindFile},
		{".txt", 0, KindFile},
		{"a.mp3", fs.ModeNamedPipe, KindSpecial},
		{"a", fs.ModeDir, KindFolder},
	} {
		e := newEntry(c.name, c.mode, 0, time.Time{})
		if got := e.Kind(); got != c.want {
			t.Errorf("%s %v: %v, want %v", c.name, c.mode, got, c.want)
		}
	}
}

func BenchmarkNewListing(b *testing.B) {
	all := make([]Entry, 100_000)
	for i := range all {
		all[i] = newEntry(fmt.Sprintf("IMG_%d some longer name.jpg", (i*7919)%len(all)), 0o644, int64(i), time.Unix(int64(i), 0))
	}
	for b.Loop() {
		NewListing("/", all, Order{}, "", false)
	}
}
