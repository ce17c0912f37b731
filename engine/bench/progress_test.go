package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestTenths(t *testing.T) {
	seen := []progress{{}, {time.Second, 100}, {2 * time.Second, 500}, {4 * time.Second, 900}, {6 * time.Second, 1000}, {7 * time.Second, 1000}}
	want := [10]float64{100, 400, 400, 400, 400, 200, 200, 200, 200, 50}
	for i, got := range tenths(seen) {
		if math.Abs(got-want[i]) > 1e-6 {
			t.Errorf("tenth %d: %v files/s instead of %v", i, got, want[i])
		}
	}
}

func TestFollow(t *testing.T) {
	seen, err := follow(strings.NewReader("{\"event\":\"progress\",\"files\":7}\n{\"event\":\"done\",\"files\":9}\n"), time.Now())
	if err != nil || len(seen) != 3 || seen[0].Files != 0 || seen[1].Files != 7 || seen[2].Files != 9 {
		t.Errorf("%v, %v", seen, err)
	}
	if _, err := follow(strings.NewReader("no luck\n"), time.Now()); err == nil {
		t.Error("what is no JSON was taken")
	}
}

// A watched program's progress is in the measurement; a garbled one fails the match.
func TestWatchedProgram(t *testing.T) {
	for said, good := range map[string]bool{`echo '{"files":30}'`: true, "echo 30 files": false} {
		r := program(t, "copy", `cp -a "$@" && `+said)
		r.watched = true
		m := newTestMatch(t, tiny, r)
		series, err := m.play(t.Context())
		if good != (err == nil) {
			t.Errorf("%s: %v", said, err)
		}
		if good && (len(series["copy"]) != 3 || series["copy"][0].Progress[1].Files != 30) {
			t.Errorf("%s: %+v", said, series)
		}
	}
}
