package engine_test

import (
	"context"
	"os"
	"runtime"
	"testing"

	"drover/engine"
)

// allocations copies the small files of a folder and returns how many objects that took from the heap.
func allocations(tb testing.TB, e *engine.Engine, src, dst string) uint64 {
	tb.Helper()
	if err := os.Mkdir(dst, 0o755); err != nil {
		tb.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	j := measured(tb, e, engine.Request{Sources: []string{src}, Dest: dst})
	r, err := j.Wait(context.Background())
	runtime.ReadMemStats(&after)
	if err != nil || r.State != engine.StateDone {
		tb.Fatalf("%+v, %v", r, err)
	}
	e.Forget(j)
	return after.Mallocs - before.Mallocs
}

// perFile is how many allocations one more file costs: what a longer job takes beyond a shorter one. A batch of 32 has two, and
// a page of names three.
func perFile(tb testing.TB) float64 {
	tb.Helper()
	const few, many = 1000, 5000
	short, long := flat(tb, few, 100), flat(tb, many, 100)
	e := newEngine(tb, 2)
	allocations(tb, e, short.src, short.dir+"/warm")
	a, b := allocations(tb, e, short.src, short.dir+"/dst"), allocations(tb, e, long.src, long.dir+"/dst")
	return (float64(b) - float64(a)) / (many - few)
}

// A worker owns what it needs: nothing is allocated per file.
func TestNothingIsAllocatedPerFile(t *testing.T) {
	if got := perFile(t); got > 0.2 {
		t.Errorf("%.2f allocations per file", got)
	}
}

// BenchmarkAllocations shows the same as a figure.
func BenchmarkAllocations(b *testing.B) {
	var sum float64
	for b.Loop() {
		sum += perFile(b)
	}
	b.ReportMetric(sum/float64(b.N), "allocs/file")
}
