package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"drover/engine/enginetest"
	"drover/engine/internal/sys"
)

// batch is what one batch of files leaves in a journal.
type batch struct {
	intent  Intent
	made    Made
	outcome Outcome
}

// newBatch has n names of 12 bytes.
func newBatch(n int) *batch {
	b := &batch{outcome: Outcome{Folder: 5, Settles: []uint64{77}}}
	b.intent.Num, b.intent.Folder, b.made.Intent = 77, 5, 77
	for i := range n {
		name := name(fmt.Sprintf("IMG_%04d.jpg", i))
		ino := uint64(1234567 + i)
		b.intent.Entries = append(b.intent.Entries, Planned{Name: name})
		b.made.Inos = append(b.made.Inos, ino)
		b.outcome.Items = append(b.outcome.Items, Item{
			Name: name, Fate: FateDone, Kind: KindFile, Size: int64(3000 + i*100), Mtime: sys.Time{Sec: 1765100000 + int64(i), Nsec: 123456789}, Ino: ino,
		})
	}
	return b
}

func (b *batch) write(w *Writer) error {
	return errors.Join(w.Append(&b.intent), w.Append(&b.made), w.Append(&b.outcome))
}

func TestAppendAllocatesNothing(t *testing.T) {
	w := create(t, store(t), "one")
	b := newBatch(32)
	all := []Record{&b.intent, &b.made, &b.outcome}
	if n := testing.AllocsPerRun(200, func() { must(t, b.write(w)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(200, func() { must(t, w.Append(all...)) }); n != 0 {
		t.Errorf("%v allocations together", n)
	}
}

// writes returns how many writing system calls this thread has made.
func writes(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/proc/thread-self/io")
	if err != nil {
		t.Skip(err)
	}
	for l := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(l, "syscw: "); ok {
			n, err := strconv.Atoi(strings.TrimSpace(v))
			must(t, err)
			return n
		}
	}
	t.Skip("the kernel does not count")
	return 0
}

func TestAppendIsOneSystemCall(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w := create(t, store(t), "one")
	b := newBatch(32)
	before := writes(t)
	for range 100 {
		must(t, b.write(w))
	}
	must(t, w.Append(samples()...))
	must(t, w.Append())
	if n := writes(t) - before; n != 301 {
		t.Errorf("%d writes, want 301", n)
	}
}

// What one call appends stays together, and what one goroutine appends in its order.
func TestConcurrentAppends(t *testing.T) {
	const goroutines, each = 8, 200
	s := store(t)
	w := create(t, s, "one")
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for i := range each {
				a := &Folder{Num: uint64(g + 1), SrcID: sys.ID{Ino: uint64(i)}}
				if err := w.Append(a, &Intent{Num: a.Num, Folder: uint64(i)}); err != nil {
					t.Error(err)
				}
				if i%50 == 0 {
					if err := w.Sync(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Go(func() { // somebody looks meanwhile
		for range 50 {
			for _, err := range s.Read("one") {
				if err != nil {
					t.Error(err)
				}
			}
			if i, err := s.Look("one"); err != nil || !i.Alive {
				t.Errorf("%+v", i)
			}
		}
	})
	all.Wait()
	got := read(t, s, "one")[1:]
	if len(got) != 2*goroutines*each {
		t.Fatalf("%d records", len(got))
	}
	var next [goroutines]uint64
	for i := 0; i < len(got); i += 2 {
		f, n := got[i].(*Folder), got[i+1].(*Intent)
		if f.Num != n.Num || f.SrcID.Ino != n.Folder || n.Folder != next[f.Num-1] {
			t.Fatalf("%+v, then %+v", f, n)
		}
		next[f.Num-1]++
	}
}

// On a full disk nothing of what does not fit stays, and with room it goes on.
func TestNoSpace(t *testing.T) {
	dir := enginetest.WorkDir(t) + "/full"
	enginetest.Tmpfs(t, dir, enginetest.Sized(256<<10))
	s := Open(dir)
	must(t, os.WriteFile(dir+"/ballast", make([]byte, 128<<10), 0o600))
	w := create(t, s, "one")
	t.Cleanup(func() { w.Close() }) // before the unmounting
	b := newBatch(300)              // several pages, so that a part of it fits
	n := 0
	var err error
	for err == nil {
		if err = w.Append(&b.outcome); err == nil {
			n++
		}
	}
	if p, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, syscall.ENOSPC) || p.Path != dir+"/one.journal" {
		t.Fatal(err)
	}
	check := func(n int) {
		t.Helper()
		st, err := os.Stat(dir + "/one.journal")
		must(t, err)
		if st.Size() != w.Size() {
			t.Errorf("%d bytes, Size says %d", st.Size(), w.Size())
		}
		want := slices.Repeat([]Record{&b.outcome}, n)
		equal(t, read(t, s, "one")[1:], want)
	}
	check(n)
	for range 3 {
		if err := w.Append(&b.outcome); !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	check(n)
	if _, err := s.Create("two", Begin{Request: make([]byte, 64<<10)}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	must(t, os.Remove(dir+"/ballast"))
	must(t, w.Append(&b.outcome))
	check(n + 1)
	if all, err := s.names(); err != nil || len(all) != 1 {
		t.Errorf("left %q, %v", all, err)
	}
}

// If even what is torn cannot be cut off, that is tried again before anything is written behind it.
func TestMendLater(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	good := w.file
	bad, err := os.Open(s.dir + "/one.journal") // for reading only: no write and no cut
	must(t, err)
	defer bad.Close()
	w.file = bad
	for range 2 {
		if err := w.Append(&Synced{}); err == nil {
			t.Fatal("wrote")
		}
	}
	w.file = good
	_, err = good.WriteString("a part of a frame")
	must(t, err)
	must(t, w.Append(&Synced{}))
	equal(t, read(t, s, "one")[1:], []Record{&Synced{}})
}

func TestClosedWriter(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	must(t, w.Sync())
	must(t, w.Sync())
	if w.ID() != "one" {
		t.Error(w.ID())
	}
	must(t, w.Close())
	must(t, w.Close())
	if err := w.Append(&Synced{}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := w.Sync(); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestSyncFails(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	r, p, err := os.Pipe()
	must(t, err)
	defer r.Close()
	good := w.file
	w.file = p
	if err := w.Sync(); !errors.Is(err, syscall.EINVAL) { // a pipe cannot
		t.Error(err)
	}
	must(t, p.Close())
	if err := w.Sync(); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	w.file = good
	must(t, os.Rename(s.dir, s.dir+"2"))
	if err := w.Sync(); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	must(t, os.Rename(s.dir+"2", s.dir))
	must(t, w.Sync())
}
