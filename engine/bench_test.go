package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// Benchmarks work in $DROVER_BENCH_DIR if it is set, else in a temporary folder. For numbers that mean something that should be a
// fresh file system in memory; BENCHMARKING.md says how.

// benchDir makes a folder for a benchmark.
func benchDir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("DROVER_BENCH_DIR"); dir != "" {
		t.Setenv("DROVER_TEST_DIR", dir)
	}
	return enginetest.WorkDir(t)
}

// tree is a set of files that is copied again and again.
type tree struct {
	src   string
	dir   string
	files int
	bytes int64
}

func flat(t testing.TB, files, size int) tree {
	dir := benchDir(t)
	content := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{}).Read(content)
	if err := os.MkdirAll(dir+"/src", 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if err := os.WriteFile(fmt.Sprintf("%s/src/f%06d", dir, i), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return tree{src: dir + "/src", dir: dir, files: files, bytes: int64(files) * int64(size)}
}

// measured starts a copy whose time is taken. Nobody is there who could make room on a disk: where it is full, the job does not wait
// for that, but fails.
func measured(t testing.TB, e *engine.Engine, r engine.Request) *engine.Job {
	t.Helper()
	r.OnError = engine.OnErrorStop
	return start(t, e, r)
}

// copies measures copies of the tree.
func (x tree) copies(b *testing.B, workers int) {
	e := newEngine(b, workers)
	b.SetBytes(x.bytes)
	for b.Loop() {
		b.StopTimer()
		dst := filepath.Join(x.dir, "dst")
		if err := os.RemoveAll(dst); err != nil {
			b.Fatal(err)
		}
		if err := os.Mkdir(dst, 0o755); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		j := measured(b, e, engine.Request{Sources: []string{x.src}, Dest: dst})
		r, err := j.Wait(context.Background())
		b.StopTimer()
		if err != nil || r.State != engine.StateDone || int(r.Files) != x.files {
			b.Fatalf("%+v, %v", r, err)
		}
		e.Forget(j)
		b.StartTimer()
	}
	b.ReportMetric(float64(x.files)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
}

func BenchmarkCopy(b *testing.B) {
	for _, set := range []struct {
		name        string
		files, size int
	}{{"4KiB", 5000, 4 << 10}, {"0", 5000, 0}, {"5MiB", 40, 5 << 20}} {
		for _, workers := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("files=%d/size=%s/workers=%d", set.files, set.name, workers), func(b *testing.B) {
				flat(b, set.files, set.size).copies(b, workers)
			})
		}
	}
}

// BenchmarkQuestions shows what an item in whose way something is costs: half of the files exist.
func BenchmarkQuestions(b *testing.B) {
	x := flat(b, 5000, 4<<10)
	e := newEngine(b, 2)
	for b.Loop() {
		b.StopTimer()
		dst := x.dir + "/dst"
		if err := os.RemoveAll(dst); err != nil {
			b.Fatal(err)
		}
		var old []enginetest.Entry
		for i := 0; i < x.files; i += 2 {
			old = append(old, enginetest.File(fmt.Sprintf("src/f%06d", i), "old"))
		}
		enginetest.Build(b, dst, old...)
		b.StartTimer()
		j := measured(b, e, engine.Request{Sources: []string{x.src}, Dest: dst})
		j.Leave()
		r, err := j.Wait(context.Background())
		if err != nil || r.State != engine.StateWaiting || int(r.Files) != x.files/2 {
			b.Fatalf("%+v, %v", r, err)
		}
	}
}

// What is measured ends on a full disk, and says why.
func TestMeasuredCopyEndsOnAFullDisk(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Random("src/f", 2<<20))
	enginetest.Tmpfs(t, dir+"/dst", enginetest.Sized(1<<20))
	j := measured(t, newEngine(t, 1), engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst"})
	if r := wait(t, j); r.State != engine.StateFailed || !errors.Is(r.Err, syscall.ENOSPC) {
		t.Errorf("%+v", r)
	}
}

func BenchmarkFreeName(b *testing.B) {
	for b.Loop() {
		engine.FreeName("a photo of something.jpeg", false, 7)
	}
}
