package change

import (
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// bubble runs f with a watch of /d that has no kernel, in fake time. Goroutines that outlive the watch fail the test.
func bubble(t *testing.T, f func(t *testing.T, h *Hub, w *Watch)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := NewHub()
		w := h.subscribe("/d")
		defer w.Close()
		time.Sleep(time.Second) // fake: an idle watch
		f(t, h, w)
	})
}

// expect takes the next batch and checks when it came.
func expect(t *testing.T, w *Watch, want Batch, at, since time.Duration, start time.Time) {
	t.Helper()
	got := <-w.Batches()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	if d := time.Since(start); d < since || d > at {
		t.Errorf("came after %v, want %v to %v", d, since, at)
	}
}

func silent(t *testing.T, w *Watch, for_ time.Duration) {
	t.Helper()
	select {
	case b := <-w.Batches():
		t.Errorf("unexpected %+v", b)
	case <-time.After(for_):
	}
}

func TestOneEventComesAfterQuiet(t *testing.T) {
	bubble(t, func(t *testing.T, h *Hub, w *Watch) {
		start := time.Now()
		h.Post("/d", create, "a", "b")
		expect(t, w, Batch{Events: []fsnotify.Event{{Name: "/d/a", Op: create}, {Name: "/d/b", Op: create}}}, quiet, quiet, start)
		silent(t, w, time.Minute)
	})
}

func TestBusyFolderStillUpdates(t *testing.T) {
	bubble(t, func(t *testing.T, h *Hub, w *Watch) {
		start := time.Now()
		go func() {
			for range 30 {
				h.Post("/d", write, "a")
				time.Sleep(quiet / 2) // never quiet
			}
		}()
		expect(t, w, Batch{Events: []fsnotify.Event{{Name: "/d/a", Op: write}}}, maxDelay, maxDelay, start)
		synctest.Wait()
		time.Sleep(time.Second)
	})
}

func TestAtMostTenBatchesASecond(t *testing.T) {
	bubble(t, func(t *testing.T, h *Hub, w *Watch) {
		stop := make(chan struct{})
		go func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				case <-time.After(7 * time.Millisecond):
					h.Post("/d", create, fmt.Sprint(i))
				}
			}
		}()
		const span = 10 * time.Second
		end := time.After(span)
		n, last := 0, time.Time{}
		for done := false; !done; {
			select {
			case b := <-w.Batches():
				if b.LookAgain {
					t.Error("look again for a few names")
				}
				if gap := time.Since(last); gap < minGap {
					t.Errorf("%v after the one before", gap)
				}
				n, last = n+1, time.Now()
			case <-end:
				done = true
			}
		}
		close(stop)
		if limit := int(span / minGap); n > limit || n < limit/2 {
			t.Errorf("%d batches in %v", n, span)
		}
	})
}

func TestFloodBecomesFewLookAgain(t *testing.T) {
	bubble(t, func(t *testing.T, h *Hub, w *Watch) {
		stop := make(chan struct{})
		posted := make(chan time.Time, 1)
		go func() {
			names := make([]string, 2*maxNames)
			for i := range names {
				names[i] = fmt.Sprint(i)
			}
			var last time.Time
			for {
				select {
				case <-stop:
					posted <- last
					return
				case <-time.After(time.Millisecond):
					last = time.Now()
					h.Post("/d", create, names...)
				}
			}
		}()
		start := time.Now()
		n, lastTaken := 0, time.Time{}
		for time.Since(start) < 10*time.Second {
			if b := <-w.Batches(); !b.LookAgain || b.Events != nil {
				t.Fatalf("got %+v", b)
			}
			n, lastTaken = n+1, time.Now()
		}
		if limit := int(10*time.Second/lookGap) + 1; n > limit {
			t.Errorf("%d listings asked for in 10 s, want at most %d", n, limit)
		}
		close(stop)
		last := <-posted
		for quiet := time.After(time.Minute); quiet != nil; {
			select {
			case <-w.Batches():
				lastTaken = time.Now()
			case <-quiet:
				quiet = nil
			}
		}
		if lastTaken.Before(last) {
			t.Error("the last change was never told")
		}
	})
}

func TestSlowConsumerGetsTheNewestAndBlocksNobody(t *testing.T) {
	bubble(t, func(t *testing.T, h *Hub, w *Watch) {
		start := time.Now()
		for i := range 10_000 {
			h.Post("/d", create, fmt.Sprint("early", i))
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("Post waited %v", d)
		}
		time.Sleep(time.Hour) // nobody reads
		expect(t, w, Batch{LookAgain: true}, time.Hour, time.Hour, start)

		h.Post("/d", create, "a")
		time.Sleep(time.Hour)
		h.Post("/d", remove, "a")
		h.Post("/d", create, "b")
		time.Sleep(time.Hour)
		expect(t, w, Batch{Events: []fsnotify.Event{{Name: "/d/a", Op: remove}, {Name: "/d/b", Op: create}}}, 3*time.Hour, 3*time.Hour, start)
		silent(t, w, time.Minute)
	})
}

func TestGoneAndBack(t *testing.T) {
	bubble(t, func(t *testing.T, h *Hub, w *Watch) {
		start := time.Now()
		w.in.gone()
		expect(t, w, Batch{Gone: true}, maxDelay, 0, start)
		h.Post("/d", create, "a") // a straggler of a folder that is gone
		silent(t, w, time.Minute)
		w.in.lookAgain()
		expect(t, w, Batch{LookAgain: true}, time.Hour, 0, start)
		h.Post("/d", create, "a")
		expect(t, w, Batch{Events: []fsnotify.Event{{Name: "/d/a", Op: create}}}, time.Hour, 0, start)

		// Gone and back while nobody reads: only that it is there.
		w.in.gone()
		time.Sleep(time.Second)
		w.in.lookAgain()
		time.Sleep(time.Second)
		expect(t, w, Batch{LookAgain: true}, time.Hour, 0, start)
		silent(t, w, time.Minute)
	})
}

func TestReportsAndPostsAreMerged(t *testing.T) {
	bubble(t, func(t *testing.T, h *Hub, w *Watch) {
		start := time.Now()
		w.in.report("a", create)
		w.in.report("a", write)
		w.in.report(TempPrefix+"x", create)
		h.Post("/d", create, "a", TempPrefix+"y")
		expect(t, w, Batch{Events: []fsnotify.Event{{Name: "/d/a", Op: create | write}}}, maxDelay, 0, start)

		h.Post("/d", create, "late") // the kernel's report comes after the batch
		expect(t, w, Batch{Events: []fsnotify.Event{{Name: "/d/late", Op: create}}}, time.Minute, 0, start)
		w.in.report("late", create)
		silent(t, w, time.Minute)
	})
}

func TestFloodOfReportsIsNoticed(t *testing.T) {
	in := newInbox()
	for i := range 2 * maxNames {
		if !in.report(fmt.Sprint(i), create) {
			t.Fatalf("a flood after %d reports", i)
		}
	}
	calm := true
	for i := range maxNames {
		calm = in.report(fmt.Sprint("more", i), create)
	}
	if calm {
		t.Error("no flood")
	}
	var p pending
	in.moveTo(&p)
	if !in.report("next", create) {
		t.Error("still a flood after it was told")
	}
}

func TestCloseEndsDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub()
		w := h.subscribe("/d")
		h.Post("/d", create, "a")
		time.Sleep(time.Second) // a batch is waiting for the consumer
		w.Close()
		if _, ok := <-w.Batches(); ok {
			t.Error("a batch after Close")
		}
		h.Post("/d", create, "b")
		w.Close()
		// synctest fails here if a goroutine is left.
	})
}
