package change

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
)

func BenchmarkPost(b *testing.B) {
	for _, size := range []int{1, 64, 256} {
		batch := make([]string, size)
		for i := range batch {
			batch[i] = fmt.Sprintf("name-%d.jpg", i)
		}
		b.Run(fmt.Sprintf("watchers=0/names=%d", size), func(b *testing.B) {
			h := NewHub()
			other := h.subscribe("/other")
			defer other.Close()
			b.ReportAllocs()
			for b.Loop() {
				h.Post("/d", create, batch...)
			}
		})
		for _, n := range []int{1, 4} {
			b.Run(fmt.Sprintf("watchers=%d/names=%d", n, size), func(b *testing.B) {
				h := NewHub()
				for range n {
					w := h.subscribe("/d")
					defer w.Close()
					go func() {
						for range w.Batches() {
						}
					}()
				}
				b.ReportAllocs()
				for b.Loop() {
					h.Post("/d", create, batch...)
				}
			})
		}
	}
}

func BenchmarkWatched(b *testing.B) {
	h := NewHub()
	w := h.subscribe("/d")
	defer w.Close()
	b.ReportAllocs()
	for b.Loop() {
		if !h.Watched("/d") || h.Watched("/e") {
			b.Fatal("wrong")
		}
	}
}

// BenchmarkFolderOnView makes files in a folder that is on view: what does the watch cost the one who makes them?
// cpu-µs/file counts the whole process, kernel included.
func BenchmarkFolderOnView(b *testing.B) {
	const files = 50_000
	for _, watched := range []bool{false, true} {
		b.Run(fmt.Sprintf("watch=%v/files=%d", watched, files), func(b *testing.B) {
			var cpu time.Duration
			for b.Loop() {
				b.StopTimer()
				dir, err := os.MkdirTemp("/dev/shm", "change-bench-")
				if err != nil {
					b.Skip(err)
				}
				h := NewHub()
				var w *Watch
				if watched {
					if w, err = h.Watch(dir); err != nil {
						b.Fatal(err)
					}
					go func() {
						for range w.Batches() {
						}
					}()
				}
				before := cpuTime()
				b.StartTimer()
				for i := range files {
					if err := os.WriteFile(fmt.Sprint(dir, "/", i), []byte("x"), 0o600); err != nil {
						b.Fatal(err)
					}
				}
				b.StopTimer()
				cpu += cpuTime() - before
				if watched {
					w.Close()
				}
				os.RemoveAll(dir)
				b.StartTimer()
			}
			b.ReportMetric(float64(cpu.Microseconds())/float64(b.N*files), "cpu-µs/file")
			b.ReportMetric(float64(b.N*files)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
