package journal

import (
	"runtime"
	"testing"
)

// heap returns how many bytes of the heap are in use, after what is not has been taken away.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Neither writing nor reading a million entries needs more memory than a few.
func TestMemoryIsBounded(t *testing.T) {
	const entries, each, bound = 1_000_000, 32, 1 << 20
	s := store(t)
	before := heap()
	check := func(what string) {
		t.Helper()
		if now := heap(); now > before+bound {
			t.Fatalf("%s: %d kB more than before", what, (now-before)>>10)
		}
	}
	w := create(t, s, "one")
	b := newBatch(each)
	for i := range entries / each {
		must(t, b.write(w))
		if i%5000 == 0 {
			check("writing")
		}
	}
	check("written")
	must(t, w.Close())
	n := 0
	for r, err := range s.Read("one") {
		must(t, err)
		if o, ok := r.(*Outcome); ok {
			n += len(o.Items)
			if n%(each*5000) == 0 {
				check("reading")
			}
		}
	}
	if n != entries {
		t.Errorf("%d entries", n)
	}
	w, err := s.Reopen("one")
	must(t, err)
	check("opened again")
	must(t, w.Close())
	_, err = s.Look("one")
	must(t, err)
	check("looked at")
	t.Logf("%d bytes per entry", w.Size()/entries)
}
