package present

import (
	"slices"
	"testing"

	"drover/engine"
	"drover/engine/place"
)

func TestCopied(t *testing.T) {
	l := &Listing{Dir: "/d"}
	for _, n := range []string{"a", "b (copy).tar.gz", "b.tar.gz", "c (copy 2).txt", "c (copy).txt", "c.txt", "d.e", "d.e (copy)", "f"} {
		l.Entries = append(l.Entries, NewEntry(place.Entry{Name: n}))
	}
	for _, c := range []struct {
		sources []string
		want    []string
	}{
		{[]string{"/s/a", "/s/gone", "/s/f/"}, []string{"a", "f"}},
		{[]string{"/s/."}, nil},
		{[]string{"/d/b.tar.gz", "/d/c.txt", "/d/d.e", "/d/f"}, []string{"b (copy).tar.gz", "c (copy 2).txt", "d.e (copy)"}},
	} {
		if got := Copied(engine.Request{Sources: c.sources, Dest: "/d/", Duplicate: true}, l); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q", c.sources, got)
		}
	}
}
