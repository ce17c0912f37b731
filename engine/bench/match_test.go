package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var tiny = set{name: "tiny", bytes: 30 * 4096, files: 30, fresh: perRound, write: func(d string) error { return makeTree(d, 2, 3, 5) }}

// program writes a script that stands for a copier. It is called as "NAME SRC… DST".
func program(t *testing.T, name, script string) rival {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return rival{name: name, program: file, command: plain(file)}
}

func newTestMatch(t *testing.T, s set, rivals ...rival) *match {
	return newMatch(s, asIs, t.TempDir(), options{rivals: rivals, rounds: 3})
}

// logged is a program that copies and appends the folder that it copied to a log.
func logged(t *testing.T, name, log string) rival {
	return program(t, name, `echo "`+name+` $1" >>`+log+`; exec cp -a "$@"`)
}

// Which runs there are, in which order, and which of them share a file system.
func TestMatchTakesTurnsOnFreshFileSystems(t *testing.T) {
	for _, tt := range []struct {
		fresh   freshness
		order   string
		grounds int
	}{
		{perMatch, "abbaabba", 1}, // the first round is not counted
		{perRound, "abbaabba", 4},
		{perRun, "baabba", 6}, // every run has the same start
	} {
		t.Run(tt.order, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			cannot := program(t, "c", "exit 1")
			cannot.can = func(s set) bool { return s.flat }
			s := tiny
			s.fresh = tt.fresh
			m := newTestMatch(t, s, logged(t, "a", log), logged(t, "b", log), cannot)
			series, err := m.play(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(series["a"]) != 3 || len(series["b"]) != 3 || len(series) != 2 {
				t.Errorf("series %v, want 3 for each program that can copy folders", series)
			}
			for name, runs := range series {
				for _, r := range runs {
					if r.Wall <= 0 || r.MaxRSS <= 0 {
						t.Errorf("%s: %+v", name, r)
					}
				}
			}
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			order, places := "", []string{}
			for line := range strings.Lines(string(text)) {
				order += line[:1]
				places = append(places, line[2:])
			}
			slices.Sort(places)
			if n := len(slices.Compact(places)); order != tt.order || n != tt.grounds {
				t.Errorf("%s on %d file systems, want %s on %d", order, n, tt.order, tt.grounds)
			}
			onlyState(t, m)
		})
	}
}

// onlyState asserts that a match left nothing behind but the home of the programs.
func onlyState(t *testing.T, m *match) {
	t.Helper()
	entries, err := os.ReadDir(m.work)
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(m.state()) {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestMatchRefusesBadCopies(t *testing.T) {
	for name, script := range map[string]string{
		"fails":   `cp -r "$1" "$2"; echo no luck >&2; exit 3`,
		"forgets": `cp -r "$1" "$2"; rm "$2"/*/d00/e00/f000.txt`,
	} {
		for _, fresh := range []freshness{perMatch, perRound, perRun} {
			t.Run(name, func(t *testing.T) {
				s := tiny
				s.fresh = fresh
				m := newTestMatch(t, s, program(t, name, script))
				_, err := m.play(t.Context())
				if err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("got %v, want an error that names the program", err)
				}
				onlyState(t, m)
			})
		}
	}
}

// The files of a selection are given one by one, and lie in the destination itself.
func TestMatchOfSingleFiles(t *testing.T) {
	s := set{name: "some", files: 20, flat: true, single: true, write: func(d string) error { return makeFlat(d, 20, 100) }}
	m := newTestMatch(t, s, program(t, "counts", `test $# = 21 && exec cp "$@"`))
	if _, err := m.play(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMatchHasAtMostSoManyRounds(t *testing.T) {
	s := tiny
	s.most = 2
	if m := newTestMatch(t, s); m.rounds != 2 {
		t.Errorf("%d rounds", m.rounds)
	}
}
