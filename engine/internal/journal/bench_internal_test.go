package journal

import (
	"fmt"
	"os"
	"testing"

	"drover/engine/enginetest"
)

// benchStores gives a benchmark a store on a fresh tmpfs, on a fresh ext4 in memory, and in $DROVER_BENCH_DIR if that is set.
func benchStores(b *testing.B, f func(b *testing.B, s *Store)) {
	for _, kind := range []string{"tmpfs", "ext4"} {
		b.Run("fs="+kind, func(b *testing.B) {
			dir := enginetest.WorkDir(b) + "/fs"
			enginetest.MountKind(b, dir, kind)
			f(b, Open(dir))
		})
	}
	if dir := os.Getenv("DROVER_BENCH_DIR"); dir != "" {
		b.Run("fs=given", func(b *testing.B) {
			b.Setenv("DROVER_TEST_DIR", dir)
			f(b, Open(enginetest.WorkDir(b)))
		})
	}
}

// BenchmarkAppendBatch writes what a batch of 32 files with names of 12 bytes leaves: intent, made, outcome. It begins a new
// journal after 32 MiB, as a job of half a million files would.
func BenchmarkAppendBatch(b *testing.B) {
	benchStores(b, func(b *testing.B, s *Store) {
		x := newBatch(32)
		w := create(b, s, "one")
		b.ReportAllocs()
		for b.Loop() {
			if err := x.write(w); err != nil {
				b.Fatal(err)
			}
			if w.size > 32<<20 {
				b.StopTimer()
				must(b, w.Close())
				must(b, s.Remove("one"))
				w = create(b, s, "one")
				b.StartTimer()
			}
		}
		must(b, w.Close())
	})
}

// BenchmarkEncodeBatch is the part of it that is not the kernel's.
func BenchmarkEncodeBatch(b *testing.B) {
	x := newBatch(32)
	var e encoder
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, r := range [...]Record{&x.intent, &x.made, &x.outcome} {
			e.b = openFrame(e.b[:0])
			at := e.begin(r.kind())
			r.encode(&e)
			e.end(at)
			e.b = closeFrame(e.b, 0)
			n += len(e.b)
		}
		b.SetBytes(int64(n))
	}
}

// BenchmarkJob is what a job pays that writes nothing else.
func BenchmarkJob(b *testing.B) {
	benchStores(b, func(b *testing.B, s *Store) {
		for i := 0; b.Loop(); i++ {
			w, err := s.Create(fmt.Sprint("j", i), Begin{Request: []byte("a request of some length")})
			if err == nil {
				err = w.Append(&State{Ended: true})
			}
			if err == nil {
				err = w.Close()
			}
			if err != nil {
				b.Fatal(err)
			}
			if i%1000 == 999 { // how full the folder is, is not the question
				b.StopTimer()
				_, err := s.Prune(0, 1, nil)
				must(b, err)
				b.StartTimer()
			}
		}
	})
}

// BenchmarkList lists 1000 journals of jobs of so many batches.
func BenchmarkList(b *testing.B) {
	for _, batches := range []int{0, 1, 100} {
		for _, how := range []string{"ended", "cut"} {
			b.Run(fmt.Sprintf("batches=%d/%s", batches, how), func(b *testing.B) {
				benchStores(b, func(b *testing.B, s *Store) {
					x := newBatch(32)
					for i := range 1000 {
						w := create(b, s, fmt.Sprint("j", i))
						for range batches {
							must(b, x.write(w))
						}
						if how == "ended" {
							must(b, w.Append(&State{Ended: true}))
						}
						must(b, w.Close())
					}
					for b.Loop() {
						if all, err := s.List(); err != nil || len(all) != 1000 {
							b.Fatal(err)
						}
					}
				})
			})
		}
	}
}

// BenchmarkRead reads the records of a job of 320 000 files.
func BenchmarkRead(b *testing.B) {
	s := Open(enginetest.WorkDir(b))
	x := newBatch(32)
	w := create(b, s, "one")
	for range 10_000 {
		must(b, x.write(w))
	}
	must(b, w.Close())
	b.Run("all", func(b *testing.B) {
		b.SetBytes(w.Size())
		for b.Loop() {
			n := 0
			for _, err := range s.Read("one") {
				if n++; err != nil {
					b.Fatal(err)
				}
			}
			if n != 30_001 {
				b.Fatal(n)
			}
		}
	})
	b.Run("look", func(b *testing.B) { // without a State all of it has to be walked
		b.SetBytes(w.Size())
		for b.Loop() {
			if _, err := s.Look("one"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
