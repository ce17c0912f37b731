package engine_test

import (
	"os"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// What is taken away from the default leaves what the user of the process would have kept.
func TestPreserveWithout(t *testing.T) {
	const all = engine.PreserveAll
	standard := all &^ engine.PreserveOwner
	if os.Geteuid() == 0 {
		standard = all
	}
	for _, c := range []struct{ p, without, want engine.Preserve }{
		{engine.PreserveDefault, engine.PreserveTimes, standard &^ engine.PreserveTimes},
		{engine.PreserveDefault, all, engine.PreserveNone},
		{all, engine.PreserveOwner | engine.PreserveACL, all &^ (engine.PreserveOwner | engine.PreserveACL)},
		{engine.PreserveMode, engine.PreserveMode, engine.PreserveNone},
		{engine.PreserveMode, engine.PreserveTimes, engine.PreserveMode},
		{engine.PreserveNone, engine.PreserveMode, engine.PreserveNone},
	} {
		if got := c.p.Without(c.without); got != c.want {
			t.Errorf("%b without %b: %b, want %b", c.p, c.without, got, c.want)
		}
	}
}

func TestPreserveWithoutAsUser(t *testing.T) {
	if enginetest.As(t, enginetest.Process{User: true}) {
		TestPreserveWithout(t)
	}
}

// A clone has the holes of its source: holes of one's own cannot be had with it, and are not cloned.
func TestSparseRequests(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.File("f", "f"), enginetest.Dir("dst"))
	e := newEngine(t, 1)
	for _, s := range []engine.Sparse{engine.SparseAlways, engine.SparseNever} {
		_, err := e.Start(t.Context(), engine.Request{Sources: []string{dir + "/f"}, Dest: dir + "/dst", Sparse: s, Reflink: engine.ReflinkAlways})
		if causeOf(err) != "request" {
			t.Errorf("sparse %d and cloning: %v", s, err)
		}
		j := start(t, e, engine.Request{Sources: []string{dir + "/f"}, Dest: dir + "/dst", Sparse: s, Rule: engine.RuleReplace})
		if r := wait(t, j); r.State != engine.StateDone || r.Files != 1 {
			t.Errorf("%+v", r)
		}
	}
	_, err := e.Start(t.Context(), engine.Request{Sources: []string{dir + "/f"}, Dest: dir + "/dst", Sparse: engine.SparseNever + 1})
	if causeOf(err) != "request" {
		t.Errorf("an unknown value: %v", err)
	}
}
