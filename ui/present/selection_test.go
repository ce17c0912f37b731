package present

import (
	"slices"
	"testing"
)

func TestSelection(t *testing.T) {
	l := NewListing("/", entries("a", "b", "c", "d", "e"), Order{}, "", false)
	var s Selection
	check := func(what string, want ...string) {
		t.Helper()
		if got := s.Names(l); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	s.Only("b")
	s.Extend(l, 1, 3, false)
	check("a range", "b", "c", "d")
	s.Extend(l, 1, 0, false)
	check("the range turned round", "a", "b")
	if c, _ := s.Cursor(); c != "a" {
		t.Errorf("the keyboard stands on %q", c)
	}
	if a, _ := s.Anchor(); a != "b" {
		t.Errorf("the range begins at %q", a)
	}
	s.Toggle("e")
	check("one more", "a", "b", "e")
	s.Extend(l, 4, 3, true)
	check("a range on top", "a", "b", "d", "e")
	s.Toggle("b")
	check("one less", "a", "d", "e")
	if s.Retain(func(n string) bool { return n != "d" }) != 2 {
		t.Error("what is gone is still selected")
	}
	s.All(l)
	check("all", "a", "b", "c", "d", "e")
	s.Clear()
	check("none")
	s.Reset()
	if _, ok := s.Cursor(); ok {
		t.Error("a cursor after Reset")
	}
	s.Extend(NewListing("/", nil, Order{}, "", false), 0, 0, false)
	check("in an empty folder")
}
