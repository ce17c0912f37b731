package lane_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"drover/engine/enginetest"
	"drover/engine/internal/lane"
	"drover/engine/internal/sys"
)

func open(t *testing.T, path string, write bool) int {
	t.Helper()
	flags := os.O_RDONLY
	if write {
		flags = os.O_RDWR | os.O_CREATE | os.O_TRUNC
	}
	fd, err := syscall.Open(path, flags, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sys.Close(fd) })
	return fd
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func never() error { return errors.New("asked between") }

func TestWhole(t *testing.T) {
	gone := errors.New("cancelled")
	tests := []struct {
		name    string
		is      int   // size of the file
		said    int64 // what the caller was told
		buf     int
		between func() error
		n       int64
		more    bool
		err     error
	}{
		{"one read", 1000, 1000, 4096, never, 1000, false, nil},
		{"several reads", 1000, 1000, 300, func() error { return nil }, 1000, false, nil},
		{"buffer as long as the file", 1000, 1000, 1000, never, 1000, false, nil},
		{"grown", 1000, 600, 4096, never, 600, true, nil},
		{"shrunk", 1000, 1500, 4096, func() error { return nil }, 1000, false, nil},
		{"nothing", 0, 0, 4096, never, 0, false, nil},
		{"/proc", 1000, 0, 4096, func() error { return nil }, 1000, false, nil},
		{"cancelled between", 1000, 1000, 300, func() error { return gone }, 300, false, gone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.Build(t, dir, enginetest.Random("src", tt.is))
			n, more, err := lane.Whole(open(t, dir+"/dst", true), open(t, dir+"/src", false), tt.said, make([]byte, tt.buf), tt.between)
			if n != tt.n || more != tt.more || !errors.Is(err, tt.err) {
				t.Errorf("%d, %v, %v", n, more, err)
			}
			if got := read(t, dir+"/dst"); !bytes.Equal(got, read(t, dir+"/src")[:tt.n]) {
				t.Errorf("%d bytes differ", len(got))
			}
		})
	}
}

// An error of the destination can be told from one of the source: only the first stalls a job.
func TestWriteErrorsAreMarked(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir+"/back", enginetest.Random("src", 300_000), enginetest.Random("bad", 300_000))
	enginetest.Fuse(t, dir+"/back", dir+"/front", enginetest.ReadError("bad", 100_000, syscall.EIO), enginetest.WriteError("dst", 100_000, syscall.EIO, -1))
	var w *lane.WriteError
	for _, way := range []func(dst, src int) error{
		func(dst, src int) error {
			_, _, err := lane.Whole(dst, src, 300_000, make([]byte, 4096), func() error { return nil })
			return err
		},
		func(dst, src int) error {
			var m lane.Mover
			for off := int64(0); off < 300_000; {
				n, err := m.Range(new(lane.Pair), dst, src, off, 300_000-off)
				if err != nil {
					return err
				}
				off += n
			}
			return nil
		},
	} {
		err := way(open(t, dir+"/front/dst", true), open(t, dir+"/front/src", false))
		if !errors.As(err, &w) || !errors.Is(err, syscall.EIO) || err.Error() == "" {
			t.Errorf("writing: %v", err)
		}
		err = way(open(t, dir+"/other", true), open(t, dir+"/front/bad", false))
		if errors.As(err, &w) || !errors.Is(err, syscall.EIO) {
			t.Errorf("reading: %v", err)
		}
	}
}

func TestRangeMovesBytesToTheSamePlace(t *testing.T) {
	for _, plain := range []bool{false, true} {
		t.Run(fmt.Sprint(plain), func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.Build(t, dir, enginetest.Random("src", 5<<20))
			dst, src := open(t, dir+"/dst", true), open(t, dir+"/src", false)
			pair := new(lane.Pair)
			pair.NoRange.Store(plain)
			var m lane.Mover
			for off := int64(4 << 20); off >= 0; off -= 1 << 20 { // from the end, as another worker may be faster
				for done := int64(0); done < 1<<20; {
					n, err := m.Range(pair, dst, src, off+done, 1<<20-done)
					if err != nil || n == 0 {
						t.Fatal(n, err)
					}
					done += n
				}
			}
			if n, err := m.Range(pair, dst, src, 5<<20, 100); n != 0 || err != nil {
				t.Errorf("after the end: %d, %v", n, err)
			}
			if !bytes.Equal(read(t, dir+"/dst"), read(t, dir+"/src")) {
				t.Error("the copy differs")
			}
		})
	}
}

// copy_file_range sees nothing in files of /proc: they are read.
func TestRangeReadsProc(t *testing.T) {
	dir := enginetest.WorkDir(t)
	var m lane.Mover
	n, err := m.Range(new(lane.Pair), open(t, dir+"/dst", true), open(t, "/proc/version", false), 0, 4096)
	if err != nil || n == 0 || !bytes.Equal(read(t, dir+"/dst"), read(t, "/proc/version")) {
		t.Errorf("%d, %v", n, err)
	}
}

func TestChunksStayWithinBounds(t *testing.T) {
	var m lane.Mover
	first := m.Size()
	if first < 128<<10 || first > 16<<20 {
		t.Errorf("begins with %d", first)
	}
	// A quick device gets longer chunks, and never ones without bound.
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Sparse("src", 1<<30))
	dst, src := open(t, dir+"/dst", true), open(t, dir+"/src", false)
	for range 10 {
		if _, err := m.Range(new(lane.Pair), dst, src, 0, m.Size()); err != nil {
			t.Fatal(err)
		}
		if s := m.Size(); s < 128<<10 || s > 16<<20 {
			t.Fatalf("chunks of %d", s)
		}
	}
}

func TestSlowDeviceGetsShortChunks(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir+"/back", enginetest.Random("src", 4<<20))
	enginetest.Fuse(t, dir+"/back", dir+"/front", enginetest.Slow(5*time.Millisecond))
	dst, src := open(t, dir+"/dst", true), open(t, dir+"/front/src", false)
	var m lane.Mover
	first := m.Size()
	for range 5 {
		if _, err := m.Range(new(lane.Pair), dst, src, 0, m.Size()); err != nil {
			t.Fatal(err)
		}
	}
	if m.Size() >= first || m.Size() < 128<<10 {
		t.Errorf("chunks of %d, then %d", first, m.Size())
	}
}

// A pair learns that it cannot clone, once, unless a clone has worked before: then it was about that one file.
func TestPairLearns(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Tmpfs(t, dir+"/tmpfs", "size=1m")
	enginetest.Build(t, dir+"/tmpfs", enginetest.File("src", "x"))
	var p lane.Pair
	if handled, err := p.Clone(open(t, dir+"/tmpfs/dst", true), open(t, dir+"/tmpfs/src", false)); handled || err != nil || !p.NoClone.Load() {
		t.Error(handled, err, p.NoClone.Load())
	}
	enginetest.MountKind(t, dir+"/btrfs", "btrfs")
	enginetest.Build(t, dir+"/btrfs", enginetest.Random("src", 100_000))
	var q lane.Pair
	if handled, err := q.Clone(open(t, dir+"/btrfs/dst", true), open(t, dir+"/btrfs/src", false)); !handled || err != nil {
		t.Fatal(handled, err)
	}
	if handled, err := q.Clone(open(t, dir+"/tmpfs/dst", true), open(t, dir+"/btrfs/src", false)); handled || err != nil || q.NoClone.Load() {
		t.Error(handled, err, q.NoClone.Load())
	}
}

func TestPairsAreOnePerTwoDevices(t *testing.T) {
	var p lane.Pairs
	first := p.Of(1, 2)
	if first != p.Of(1, 2) || first == p.Of(2, 1) || p.Of(1, 1) == p.Of(1, 2) {
		t.Error("mixed up")
	}
}

// What is begun together is what the device creates in a few milliseconds.
func TestWidthFollowsTheDevice(t *testing.T) {
	var p lane.Pair
	if w := p.Width(); w < 1 || w > 4 {
		t.Errorf("begins with %d", w)
	}
	p.Created(32, 32*10*time.Microsecond, 32)
	if w := p.Width(); w != 32 {
		t.Errorf("fast: %d", w)
	}
	p.Created(2, 200*time.Millisecond, 32)
	if w := p.Width(); w < 1 || w > 4 {
		t.Errorf("slow: %d", w)
	}
	p.Created(0, time.Second, 32)
	p.Created(3, 0, 32)
}
