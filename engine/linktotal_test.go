package engine_test

import (
	"fmt"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// What a file with many names holds is counted once in the totals, by which free space is judged, and in the progress, also where
// the scan waits and somebody counts ahead, and where the first name waits for an answer (C14).
func TestNamesOfOneFileCountOnce(t *testing.T) {
	for _, held := range []bool{false, true} {
		t.Run(fmt.Sprint(held), func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			src := []enginetest.Entry{enginetest.Random("0/f", 2<<20), enginetest.File("alone", "12345")}
			for i := range 19 {
				src = append(src, enginetest.Hardlink(fmt.Sprintf("%d/n%d", i%3, i), "0/f"))
			}
			enginetest.Build(t, dir+"/src", src...)
			const total, files = 2<<20 + 5, 21
			if held {
				enginetest.Build(t, dir+"/dst/src", enginetest.File("0/f", "old"))
			} else {
				enginetest.Build(t, dir, enginetest.Dir("dst"))
			}
			e := newEngine(t, 2)
			j := start(t, e, engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst"})
			w := watchProgress(t, j)
			if held {
				until(t, j, "the question", parked(1))
				if err := j.Decide(engine.Decision{All: true, Action: engine.ActionReplace}); err != nil {
					t.Fatal(err)
				}
			}
			r := wait(t, j)
			w.end()
			if r.State != engine.StateDone || r.Files != 2 || r.Links != 19 || r.Bytes != total {
				t.Errorf("%+v", r)
			}
			if s := j.Snapshot(); s.TotalBytes != total || s.Bytes != total || s.TotalFiles != files || s.Fraction != 1 {
				t.Errorf("%+v", s)
			}
			enginetest.Same(t, dir+"/src", dir+"/dst/src", enginetest.Names)
		})
	}
}
