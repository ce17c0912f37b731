package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
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
		name    string
		fresh   freshness
		first   int // round
		grounds int
	}{
		{"per match", perMatch, 0, 1}, // round 0 is not counted
		{"per round", perRound, 0, 4},
		{"per run", perRun, 1, 6}, // every run has the same start
	} {
		t.Run(tt.name, func(t *testing.T) {
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
			var want, order string
			for i := tt.first; i <= 3; i++ {
				for _, k := range turns(2, i) {
					want += "ab"[k : k+1]
				}
			}
			var places []string
			for line := range strings.Lines(string(text)) {
				order += line[:1]
				places = append(places, line[2:])
			}
			slices.Sort(places)
			if n := len(slices.Compact(places)); order != want || n != tt.grounds {
				t.Errorf("%s on %d file systems, want %s on %d", order, n, want, tt.grounds)
			}
			onlyState(t, m)
		})
	}
}

// Everyone comes early as often as late, and behind each of the others.
func TestTurns(t *testing.T) {
	const n, rounds = 5, 60
	var places [n]int
	behind := map[[2]int]bool{}
	for i := range rounds {
		order := turns(n, i)
		for at, k := range order {
			places[k] += at
			if at > 0 {
				behind[[2]int{order[at-1], k}] = true
			}
		}
	}
	for k, sum := range places {
		if sum != rounds*(n-1)/2 {
			t.Errorf("program %d comes at place %d of %d in %d rounds", k, sum, rounds*(n-1)/2, rounds)
		}
	}
	if len(behind) != n*(n-1) {
		t.Errorf("only %d pairs of neighbours", len(behind))
	}
}

// A program that makes the kernel forget the source must not slow the next one down, so that it is read before each run.
func TestWarm(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(makeBig(dir, 1, 4<<20), makeSparse(dir, 1<<30, 4, 4096), os.Symlink("nowhere", dir+"/link")); err != nil {
		t.Fatal(err)
	}
	if err := warm(dir); err != nil {
		t.Error(err)
	}
	if warm(dir+"/none") == nil {
		t.Error("what is not there was read")
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

// The memory that is told of a program is its own, not that of the benchmark which started it.
func TestMemoryIsThatOfTheProgram(t *testing.T) {
	large := make([]byte, 200<<20)
	for i := range large {
		large[i] = 1
	}
	runtime.KeepAlive(large)
	got, err := measure(t.Context(), program(t, "small", "exec true"), nil, "x", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	slim()
	now, err := strconv.ParseInt(strings.TrimSuffix(field("/proc/self/status", "VmRSS"), " kB"), 10, 64)
	if err != nil {
		t.Skip("no figure of the memory in use: ", err)
	}
	if got.MaxRSS > now<<10+100<<20 {
		t.Errorf("a program that does nothing has %d MB, this one %d", got.MaxRSS>>20, now>>10)
	}
}
