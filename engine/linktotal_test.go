package engine_test

import (
	"fmt"
	"syscall"
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

// Names that are left out, fail, wait for an answer or cannot become links leave the total right also where a count ahead has told it:
// what the first of them holds is still to be copied with the next.
func TestTotalWhenNamesAreLeftOut(t *testing.T) {
	const size, other, files = 50_000, 300_000, 8
	names := []string{"1/a", "2/b", "3/c"}
	tests := []struct {
		what          string
		old           []string // of names, what is there already
		rule          engine.Rule
		faults, lacks []enginetest.Fault // of the source, of the destination
		files, bytes  int64              // in all
		result        engine.Result
	}{
		{"all are new", nil, engine.RuleSkip, nil, nil, files, size + other, engine.Result{Files: 6, Links: 2}},
		{"the first is left out", names[:1], engine.RuleSkip, nil, nil, files - 1, size + other, engine.Result{Files: 6, Links: 1}},
		{"the last is left out", names[2:], engine.RuleSkip, nil, nil, files - 1, size + other, engine.Result{Files: 6, Links: 1}},
		{"all are left out", names, engine.RuleSkip, nil, nil, files - 3, other, engine.Result{Files: 5}},
		{"the first waits", names[:1], engine.RuleAsk, nil, nil, files, size + other, engine.Result{Files: 6, Links: 1}},
		{"all wait", names, engine.RuleAsk, nil, nil, files, size + other, engine.Result{Files: 5}},
		{"none can be read", nil, 0, []enginetest.Fault{enginetest.ReadError("[abc]", 0, syscall.EIO)}, nil, files - 3, other, engine.Result{Files: 5}},
		{"one stays behind", names[:2], engine.RuleKeepBoth, nil, nil, files, size + other, engine.Result{Files: 6, Links: 2}},
		{"no links are to be had", nil, 0, nil, []enginetest.Fault{enginetest.NoLinks()}, files, 3*size + other, engine.Result{Files: 8}},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel() // each waits a second for the count ahead
			dir := enginetest.WorkDir(t)
			src := []enginetest.Entry{enginetest.Random(names[0], size), enginetest.Random("8/hung", 1000)}
			for _, n := range names[1:] {
				src = append(src, enginetest.Hardlink(n, names[0]))
			}
			for i := range 4 { // not found yet when the totals are looked at
				src = append(src, enginetest.Random(fmt.Sprintf("9/%d", i), (other-1000)/4))
			}
			var old []enginetest.Entry
			for _, n := range tt.old {
				old = append(old, enginetest.File(n, "old"))
			}
			enginetest.Build(t, dir+"/back", src...)
			enginetest.Build(t, dir+"/to", old...)
			valve := enginetest.NewValve()
			enginetest.Fuse(t, dir+"/back", dir+"/src", append(tt.faults, enginetest.HangRead(valve, "hung", 0))...)
			enginetest.Fuse(t, dir+"/to", dir+"/dst", tt.lacks...)
			r := engine.Request{Dest: dir + "/dst", Rule: tt.rule}
			for _, d := range []string{"1", "2", "3", "8", "9"} {
				r.Sources = append(r.Sources, dir+"/src/"+d)
			}
			j := start(t, newEngine(t, 1), r)
			until(t, j, "the count", func(s engine.Snapshot) bool { return s.TotalKnown })
			valve.Await(t)
			if s := j.Snapshot(); s.TotalFiles != tt.files || s.TotalBytes != tt.bytes {
				t.Errorf("totals %d, %d, want %d, %d", s.TotalFiles, s.TotalBytes, tt.files, tt.bytes)
			}
			valve.Open()
			j.Leave()
			got := wait(t, j)
			if got.Files != tt.result.Files || got.Links != tt.result.Links {
				t.Errorf("%+v, %v", got, j.Failures(0, 3))
			}
			if s := j.Snapshot(); s.TotalFiles != tt.files || s.TotalBytes != tt.bytes {
				t.Errorf("in the end %d, %d, want %d, %d", s.TotalFiles, s.TotalBytes, tt.files, tt.bytes)
			}
		})
	}
}
