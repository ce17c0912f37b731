package journal

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func TestList(t *testing.T) {
	s := store(t)
	b := newBatch(32)
	open := create(t, s, "z-open")
	must(t, open.Append(&State{State: 1}))
	for _, tt := range []struct {
		id     string
		before int // batches before the State, 3 kB each
		state  *State
		after  int // batches behind it
		torn   string
	}{
		{"short", 0, &State{State: 2, Ended: true}, 0, ""},
		{"stateless", 1, nil, 0, ""},
		{"crashed", 2, &State{State: 3}, 2, "\x01"},
		{"long", 50, &State{State: 4, Ended: true, Message: []byte("m")}, 0, ""},
		{"long-after", 50, &State{State: 5}, 2, ""},
		{"long-far", 50, &State{State: 6}, 50, ""},
		{"long-early", 0, &State{State: 7}, 50, ""},
		{"long-torn", 50, &State{State: 8, Ended: true}, 0, "1234567890123456"},
		{"long-stateless", 50, nil, 0, ""},
	} {
		w, err := s.Create(tt.id, Begin{Version: "v", Request: []byte("r")})
		must(t, err)
		for range tt.before {
			must(t, b.write(w))
		}
		if tt.state != nil {
			must(t, w.Append(&State{State: 200}, tt.state))
		}
		for range tt.after {
			must(t, b.write(w))
		}
		must(t, w.Close())
		if tt.torn != "" {
			put(t, s, tt.id, append(file(t, s, tt.id), tt.torn...))
		}
		i, err := s.Look(tt.id)
		must(t, err)
		ended := tt.state != nil && tt.state.Ended
		if i.ID != tt.id || i.Path != s.dir+"/"+tt.id+".journal" || i.Begin.ID != tt.id || string(i.Begin.Request) != "r" || i.Alive || i.Ended() != ended ||
			i.Torn != (tt.torn != "") || i.Size != w.Size()+int64(len(tt.torn)) || time.Since(i.Modified) > time.Hour {
			t.Errorf("%+v", i)
		}
		if (i.State == nil) != (tt.state == nil) || i.State != nil && !same(i.State, tt.state) {
			t.Errorf("%s: state %+v", tt.id, i.State)
		}
	}
	all, err := s.List()
	must(t, err)
	if len(all) != 10 || all[0].ID != "z-open" || !all[0].Alive || all[0].Ended() || all[9].ID != "long-stateless" {
		t.Errorf("%+v", all)
	}
}

// A request may be longer than what List reads at first.
func TestListOfLongRequest(t *testing.T) {
	s := store(t)
	w, err := s.Create("one", Begin{Request: make([]byte, 5*listChunk)})
	must(t, err)
	must(t, w.Append(&State{State: 1}))
	must(t, w.Close())
	if i, err := s.Look("one"); err != nil || len(i.Begin.Request) != 5*listChunk || i.State == nil {
		t.Errorf("%v, %+v", err, i.State)
	}
}

// Where the middle is damaged, the last state still stands at the end.
func TestListOfDamagedMiddle(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	for range 20 {
		must(t, newBatch(32).write(w))
	}
	must(t, w.Append(&State{State: 7, Ended: true}))
	must(t, w.Close())
	b := file(t, s, "one")
	b[len(b)/2]++
	put(t, s, "one", b)
	if i, err := s.Look("one"); err != nil || !i.Ended() {
		t.Errorf("%v, %+v", err, i)
	}
}

// What makes no sense is told, wherever List meets it.
func TestListOfSenseless(t *testing.T) {
	s := store(t)
	senseless := closeFrame(append(openFrame(nil), byte(kindState)<<3|2, 1, 0xff), 0)
	for _, batches := range []int{0, 20} {
		w := create(t, s, fmt.Sprint("n", batches))
		for range batches {
			must(t, newBatch(32).write(w))
		}
		must(t, w.Close())
		put(t, s, w.ID(), append(file(t, s, w.ID()), senseless...))
		if i, err := s.Look(w.ID()); err == nil || i.Begin.ID != w.ID() || i.prunable() {
			t.Errorf("%v, %+v", err, i)
		}
	}
}

func TestPrune(t *testing.T) {
	// Journals by their age in hours; each is 100 kB.
	const hour = time.Hour
	all := []string{"9-done", "8-done", "7-cut", "6-done", "5-live", "4-kept", "3-done", "2-done", "1-undoing"}
	for _, tt := range []struct {
		name  string
		age   time.Duration
		total int64
		gone  []string
	}{
		{"no limits", 0, 0, nil},
		{"young enough", 10 * hour, 950 << 10, nil},
		{"age", 5*hour + hour/2, 0, []string{"9-done", "8-done", "6-done"}},
		{"all too old", 1, 0, []string{"9-done", "8-done", "6-done", "3-done", "2-done"}},
		{"size", 0, 710 << 10, []string{"9-done", "8-done"}},
		{"size past what must stay", 0, 610 << 10, []string{"9-done", "8-done", "6-done"}},
		{"all too much", 0, 1, []string{"9-done", "8-done", "6-done", "3-done", "2-done"}},
		{"both", 8*hour + hour/2, 710 << 10, []string{"9-done", "8-done"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := store(t)
			for _, id := range all {
				w, err := s.Create(id, Begin{Request: make([]byte, 100<<10)})
				must(t, err)
				if id != "7-cut" {
					must(t, w.Append(&State{Ended: true}))
				}
				if id == "1-undoing" {
					must(t, w.Append(&State{}))
				}
				if id != "5-live" {
					must(t, w.Close())
				} else {
					t.Cleanup(func() { w.Close() })
				}
				at := time.Now().Add(-time.Duration(id[0]-'0') * hour)
				must(t, os.Chtimes(s.dir+"/"+id+suffix, at, at))
			}
			gone, err := s.Prune(tt.age, tt.total, func(i Info) bool { return i.ID == "4-kept" })
			must(t, err)
			var ids []string
			for _, i := range gone {
				ids = append(ids, i.ID)
			}
			if fmt.Sprint(ids) != fmt.Sprint(tt.gone) {
				t.Errorf("%q, want %q", ids, tt.gone)
			}
			if left, err := s.List(); err != nil || len(left) != len(all)-len(ids) {
				t.Errorf("%d left, %v", len(left), err)
			}
		})
	}
}

// What somebody has written to since it was looked at is no longer what was to be removed.
func TestPruneOfWhatHasJustChanged(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	must(t, w.Append(&State{Ended: true}))
	must(t, w.Close())
	gone, err := s.Prune(0, 1, func(i Info) bool {
		w, err := s.Reopen(i.ID)
		must(t, err)
		must(t, w.Append(&State{}))
		must(t, w.Close())
		return false
	})
	if err != nil || len(gone) > 0 {
		t.Error(gone, err)
	}
	must(t, s.Remove("one"))
	w = create(t, s, "two")
	must(t, w.Append(&State{Ended: true}))
	must(t, w.Close())
	gone, err = s.Prune(0, 1, func(i Info) bool {
		must(t, s.Remove(i.ID))
		return false
	})
	if err != nil || len(gone) > 0 {
		t.Error(gone, err)
	}
}

func TestPruneSweepsWhatCreateLeft(t *testing.T) {
	s := store(t)
	must(t, create(t, s, "one").Close())
	old := time.Now().Add(-2 * staleAfter)
	for _, n := range []string{".new-old", ".new-young", ".new-locked", "old"} {
		must(t, os.WriteFile(s.dir+"/"+n, []byte("x"), 0o600))
		if n != ".new-young" {
			must(t, os.Chtimes(s.dir+"/"+n, old, old))
		}
	}
	must(t, os.Symlink("/nowhere", s.dir+"/.new-link"))
	f, _, err := openLocked(s.dir+"/.new-locked", os.O_RDWR)
	must(t, err)
	defer f.Close()
	if gone, err := s.Prune(0, 0, nil); err != nil || len(gone) > 0 {
		t.Error(gone, err)
	}
	names, err := s.names()
	must(t, err)
	for _, n := range names {
		if n == ".new-old" {
			t.Error("it is still there")
		}
	}
	if len(names) != 5 {
		t.Errorf("%q", names)
	}
}
