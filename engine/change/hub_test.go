package change

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestWatchedAndPostGoByFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub()
		if h.Watched("/d") {
			t.Error("watched without a watch")
		}
		h.Post("/d", create, "nobody")
		d1, d2, e := h.subscribe("/d"), h.subscribe("/d"), h.subscribe("/d/e")
		defer e.Close()
		h.Post("/d", create, "a")
		for _, w := range []*Watch{d1, d2} {
			if b := <-w.Batches(); len(b.Events) != 1 || b.Events[0].Name != "/d/a" {
				t.Errorf("got %+v", b)
			}
		}
		silent(t, e, time.Second) // a folder below is another folder
		d1.Close()
		if !h.Watched("/d") || h.Watched("/") || h.Watched("/d/") {
			t.Error("not by folder")
		}
		h.Post("/d", create, "b")
		if b := <-d2.Batches(); b.Events[0].Name != "/d/b" {
			t.Errorf("got %+v", b)
		}
		d2.Close()
		if h.Watched("/d") || !h.Watched("/d/e") {
			t.Error("watched after Close")
		}
		if m := *h.inboxes.Load(); len(m) != 1 {
			t.Errorf("keeps %d folders", len(m))
		}
	})
}

func TestWatchRefusesRelativePaths(t *testing.T) {
	for _, dir := range []string{"", "a", "./a", "../a"} {
		if w, err := NewHub().Watch(dir); err == nil {
			w.Close()
			t.Errorf("%q: no error", dir)
		}
	}
}

// For the race detector: everything at once.
func TestConcurrentUse(t *testing.T) {
	h := NewHub()
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for k := range 20 {
				w, err := h.Watch(dir)
				if err != nil {
					t.Error(err)
					return
				}
				h.Post(dir, create, fmt.Sprint(i, k))
				for b := range w.Batches() {
					if len(b.Events) > 0 || b.LookAgain {
						break
					}
				}
				_ = w.Err()
				w.Close()
			}
		})
		all.Go(func() {
			for k := range 20_000 {
				if h.Watched(dir) {
					h.Post(dir, write, fmt.Sprint(k%100))
				}
			}
		})
	}
	all.Wait()
	if h.Watched(dir) {
		t.Error("still watched")
	}
}
