package engine_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"drover/engine"
)

// BenchmarkCost shows what features cost that the command line cannot switch. It plays pairs, one copy with the feature
// and one without, in turn who begins, each into a fresh folder, and reports the median of the pairwise ratios ("on/off":
// 1.02 is 2 % more time) with their middle half. So many pairs: -benchtime 25x.
func BenchmarkCost(b *testing.B) {
	for _, feature := range []struct {
		name string
		on   func(b *testing.B, e *engine.Engine, dst string) (started func(*engine.Job), stop func())
	}{
		{"events", watchFolder},
		{"snapshots", lookOften},
		{"nothing", func(*testing.B, *engine.Engine, string) (func(*engine.Job), func()) { // how exact the others can be
			return func(*engine.Job) {}, func() {}
		}},
	} {
		b.Run(feature.name, func(b *testing.B) {
			x := flat(b, 5000, 4<<10)
			e := newEngine(b, 0)
			copyInto := func(dst string, on bool) time.Duration {
				if err := os.Mkdir(dst, 0o755); err != nil {
					b.Fatal(err)
				}
				settle(b, dst)
				started, stop := func(*engine.Job) {}, func() {}
				if on {
					started, stop = feature.on(b, e, dst)
				}
				begin := time.Now()
				j := measured(b, e, engine.Request{Sources: []string{x.src + "/."}, Dest: dst})
				started(j)
				r, err := j.Wait(context.Background())
				took := time.Since(begin)
				stop()
				if err != nil || r.State != engine.StateDone || int(r.Files) != x.files {
					b.Fatalf("%+v, %v", r, err)
				}
				e.Forget(j)
				return took
			}
			for _, on := range []bool{true, false} { // not counted
				copyInto(filepath.Join(x.dir, fmt.Sprintf("warm-%v", on)), on)
			}
			var ratios []float64
			for b.Loop() {
				i := len(ratios)
				var took [2]time.Duration
				for _, k := range []int{i % 2, 1 - i%2} {
					took[k] = copyInto(filepath.Join(x.dir, fmt.Sprintf("dst-%d-%d", i, k)), k == 1)
				}
				ratios = append(ratios, took[1].Seconds()/took[0].Seconds())
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/4], "low-on/off")
			b.ReportMetric(ratios[len(ratios)/2], "on/off")
			b.ReportMetric(ratios[len(ratios)*3/4], "high-on/off")
			b.ReportMetric(0, "ns/op") // of a pair, with what is around it: says nothing
		})
	}
}

// settle writes out what earlier copies left to be written, so that no copy pays for another.
func settle(b *testing.B, dir string) {
	b.Helper()
	if out, err := exec.Command("sync", "-f", dir).CombinedOutput(); err != nil {
		b.Fatalf("sync: %v: %s", err, out)
	}
}

// watchFolder has a view on the folder that is being filled.
func watchFolder(b *testing.B, e *engine.Engine, dst string) (started func(*engine.Job), stop func()) {
	w, err := e.Changes().Watch(dst)
	if err != nil {
		b.Fatal(err)
	}
	var reading sync.WaitGroup
	reading.Go(func() {
		for range w.Batches() {
		}
	})
	return func(*engine.Job) {}, func() { w.Close(); reading.Wait() }
}

// lookOften takes a snapshot every 100 ms, as the window does.
func lookOften(*testing.B, *engine.Engine, string) (started func(*engine.Job), stop func()) {
	var looking sync.WaitGroup
	return func(j *engine.Job) {
		looking.Go(func() {
			tick := time.NewTicker(100 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					j.Snapshot()
				case <-j.Done():
					return
				}
			}
		})
	}, looking.Wait
}
