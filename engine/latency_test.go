package engine_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"drover/engine"
	"drover/engine/enginetest"
)

var full = flag.Bool("full", os.Getenv("DROVER_FULL") != "", "TestLatency at full size: 100 000 small files, one file of 4 GB, 50 runs")

// TestLatency measures how long pausing and cancelling take, and looks at what is there afterwards. Small by default:
//
//	DROVER_BENCH_DIR=/mnt/fresh go test ./engine -run TestLatency -v -full
//
// Pausing takes from the call until nothing moves any more, cancelling until the job has ended. The bounds that fail the test are
// far above what is promised (100 and 200 ms), since a loaded machine is no fault of the engine; the numbers are printed.
func TestLatency(t *testing.T) {
	runs, files, size := 5, 3000, int64(64<<20)
	if *full {
		runs, files, size = 50, 100_000, 4<<30
	}
	sets := []struct {
		name string
		make func(t *testing.T, src string)
	}{
		{fmt.Sprintf("%d files of 4 KiB", files), func(t *testing.T, src string) { enginetest.Many(t, src, files, 4<<10) }},
		{fmt.Sprintf("one file of %d MiB", size>>20), func(t *testing.T, src string) {
			enginetest.Build(t, src, enginetest.Random("big", int(size)))
		}},
	}
	for _, set := range sets {
		t.Run(set.name, func(t *testing.T) {
			dir := benchDir(t)
			set.make(t, dir+"/src")
			source := sizes(t, dir+"/src")
			var pauses, cancels []time.Duration
			e := newEngine(t, 0)
			for run := range runs {
				enginetest.Build(t, dir, enginetest.Dir("dst"))
				j := start(t, e, engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst", Reflink: engine.ReflinkNever})
				total := int64(0)
				for _, s := range source {
					total += s
				}
				// Each run at another point of the copy.
				at := total * int64(run+1) / int64(runs+2)
				until(t, j, "the point to stop at", func(s engine.Snapshot) bool { return s.Bytes >= at })
				pressed := time.Now()
				j.Pause()
				took := rest(t, j, pressed)
				if j.Snapshot().State == engine.StatePaused {
					pauses = append(pauses, took)
				}
				j.Resume()
				until(t, j, "more", func(s engine.Snapshot) bool { return s.Bytes > at })
				pressed = time.Now()
				j.Cancel()
				r := wait(t, j)
				if took := time.Since(pressed); r.State == engine.StateCancelled {
					cancels = append(cancels, took)
				}
				for name, size := range sizes(t, dir+"/dst") {
					if source[trimTop(name)] != size {
						t.Fatalf("half-written: %s has %d bytes", name, size)
					}
				}
				e.Forget(j)
				if err := os.RemoveAll(dir + "/dst"); err != nil {
					t.Fatal(err)
				}
			}
			report(t, "pause", pauses)
			report(t, "cancel", cancels)
		})
	}
}

// sizes lists the files of a tree.
func sizes(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	var walk func(string)
	walk = func(at string) {
		entries, err := os.ReadDir(dir + at)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range entries {
			if d.IsDir() {
				walk(at + "/" + d.Name())
				continue
			}
			fi, err := d.Info()
			if err != nil {
				t.Fatal(err)
			}
			out[at+"/"+d.Name()] = fi.Size()
		}
	}
	walk("")
	return out
}

// trimTop takes "/src" off a name in the copy.
func trimTop(name string) string { return name[len("/src"):] }

func report(t *testing.T, what string, took []time.Duration) {
	t.Helper()
	if len(took) == 0 {
		t.Logf("%s: this machine was faster than the test", what)
		return
	}
	slices.Sort(took)
	at := func(q float64) time.Duration {
		return took[int(q*float64(len(took)-1)+0.5)].Round(10 * time.Microsecond)
	}
	t.Logf("%s: p50 %v, p99 %v, longest %v of %d", what, at(0.5), at(0.99), at(1), len(took))
	if longest := took[len(took)-1]; longest > 5*time.Second {
		t.Errorf("%s took %v", what, longest)
	}
}
