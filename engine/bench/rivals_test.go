package main

import (
	"os/exec"
	"testing"
)

// Each program keeps what is said of it, in small sets of all shapes.
func TestRivalsCopyWhole(t *testing.T) {
	shapes := []set{
		{name: "folder", files: 20, flat: true, write: func(d string) error { return makeFlat(d, 20, 100) }},
		{name: "selection", files: 20, flat: true, single: true, write: func(d string) error { return makeFlat(d, 20, 100) }},
		{name: "source", files: 400, write: func(d string) error { return makeSource(d, 1) }},
		{name: "big", flat: true, write: func(d string) error { return makeBig(d, 2, 3<<20) }},
		{name: "sparse", flat: true, sparse: true, write: func(d string) error { return makeSparse(d, 64<<20, 3, 4096) }},
	}
	for _, r := range rivals {
		t.Run(r.name, func(t *testing.T) {
			if _, err := exec.LookPath(r.program); err != nil {
				t.Skip(err)
			}
			for _, s := range shapes {
				m := newTestMatch(t, s, r)
				m.rounds = 0
				if _, err := m.play(t.Context()); err != nil {
					t.Errorf("%s: %v", s.name, err)
				}
			}
		})
	}
}

func TestProgramsAreLeftOutOfWhatTheyCannot(t *testing.T) {
	for _, tt := range []struct{ set, without string }{
		{"tree20k", "gio"},
		{"source", "gio"},
		{"single10k", "rclone"},
		{"sparse10g", "rsync"},
		{"sparse10g", "tar"},
		{"sparse10g", "gio"},
		{"sparse10g", "kio"},
		{"sparse10g", "rclone"},
	} {
		s, err := pick(sets, tt.set)
		if err != nil {
			t.Fatal(err)
		}
		r, err := pick(rivals, tt.without)
		if err != nil {
			t.Fatal(err)
		}
		if r[0].takes(s[0]) {
			t.Errorf("%s takes %s", tt.without, tt.set)
		}
	}
}
