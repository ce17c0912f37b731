package change

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	patience   = 20 * time.Second       // until a test gives up
	quickCheck = 100 * time.Millisecond // instead of recheck, where a test is about that
)

// watch watches dir in the way of Hub.Watch, with rechecks as often as given.
func watch(t *testing.T, h *Hub, dir string, every time.Duration) *Watch {
	t.Helper()
	w := h.subscribe(dir)
	w.read(every, patience)
	t.Cleanup(w.Close)
	return w
}

// await takes batches until one fits.
func await(t *testing.T, w *Watch, what string, fits func(Batch) bool) Batch {
	t.Helper()
	deadline := time.After(patience)
	var seen []Batch
	for {
		select {
		case b, ok := <-w.Batches():
			if !ok {
				t.Fatalf("%s: closed", what)
			}
			if fits(b) {
				return b
			}
			seen = append(seen, b)
		case <-deadline:
			t.Fatalf("%s: did not come; saw %+v", what, seen)
		}
	}
}

func lookAgain(b Batch) bool { return b.LookAgain }
func gone(b Batch) bool      { return b.Gone }

func names(path string, op fsnotify.Op) func(Batch) bool {
	return func(b Batch) bool {
		for _, e := range b.Events {
			if e.Name == path && e.Op.Has(op) {
				return true
			}
		}
		return false
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func touch(t *testing.T, path string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte("x"), 0o600))
}

func TestKernelEventsOfOneFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.Mkdir(dir+"/sub", 0o700))
	w := watch(t, NewHub(), dir, recheck)
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	odd := dir + "/\xff\n %41 \u00e4"
	touch(t, odd)
	await(t, w, "create", names(odd, create))
	must(t, os.WriteFile(odd, []byte("more"), 0o600))
	await(t, w, "write", names(odd, write))
	must(t, os.Chmod(odd, 0o640))
	await(t, w, "chmod", names(odd, chmod))
	must(t, os.Rename(odd, dir+"/b"))
	b := await(t, w, "rename", names(odd, rename))
	if !names(dir+"/b", create)(b) {
		await(t, w, "renamed to", names(dir+"/b", create))
	}
	must(t, os.Remove(dir+"/b"))
	await(t, w, "remove", names(dir+"/b", remove))

	touch(t, dir+"/sub/deep") // not this folder
	touch(t, dir+"/"+TempPrefix+"abc")
	touch(t, dir+"/last")
	await(t, w, "last", func(b Batch) bool {
		for _, e := range b.Events {
			if strings.Contains(e.Name, "deep") || strings.Contains(e.Name, TempPrefix) {
				t.Errorf("told %v", e)
			}
		}
		return names(dir+"/last", create)(b)
	})
}

func TestKernelEventsInRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may write to /")
	}
	w := watch(t, NewHub(), "/", recheck)
	f, err := os.CreateTemp("/", "change-test-")
	must(t, err)
	defer os.Remove(f.Name())
	f.Close()
	await(t, w, "create", names(f.Name(), create))
}

func TestFolderIsReachedThroughALink(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(dir+"/real", 0o700))
	must(t, os.Symlink("real", dir+"/link"))
	w := watch(t, NewHub(), dir+"/link", recheck)
	touch(t, dir+"/real/a")
	await(t, w, "create", names(dir+"/link/a", create))
}

func TestNothingIsMissedAfterWatchReturned(t *testing.T) {
	t.Parallel()
	h := NewHub()
	for i := range 20 {
		dir := t.TempDir()
		w, err := h.Watch(dir)
		must(t, err)
		touch(t, dir+"/a")
		await(t, w, fmt.Sprint("run ", i), func(b Batch) bool { return b.LookAgain || names(dir+"/a", create)(b) })
		w.Close()
	}
}

// The kernel reports what the engine has just posted: the consumer hears of it once.
func TestKernelEchoesOfPosts(t *testing.T) {
	dir := t.TempDir()
	h := NewHub()
	w := watch(t, h, dir, recheck)
	told := map[string]int{}
	count := func(b Batch) {
		for _, e := range b.Events {
			told[e.Name]++
		}
	}
	for i := range 8 {
		name := fmt.Sprint("f", i)
		h.Post(dir, create|write, name)
		await(t, w, name, func(b Batch) bool { count(b); return names(dir+"/"+name, create|write)(b) })
		touch(t, dir+"/"+name) // reported when the post was delivered already
	}
	touch(t, dir+"/end")
	await(t, w, "end", func(b Batch) bool { count(b); return names(dir+"/end", create)(b) })
	for i := range 8 {
		if n := told[fmt.Sprint(dir, "/f", i)]; n != 1 {
			t.Errorf("f%d was told %d times", i, n)
		}
	}
}

func TestFolderIsRemovedAndComesBack(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := base + "/a/b/c"
	must(t, os.MkdirAll(dir, 0o700))
	w := watch(t, NewHub(), dir, time.Hour) // the kernel must tell it, no recheck helps
	for range 3 {
		must(t, os.Remove(dir))
		await(t, w, "removed", gone)
		must(t, os.Mkdir(dir, 0o700))
		await(t, w, "made again", lookAgain)
		touch(t, dir+"/x")
		await(t, w, "events after it came back", names(dir+"/x", create))
		must(t, os.Remove(dir+"/x"))
		await(t, w, "events after it came back", names(dir+"/x", remove))
	}
	must(t, os.RemoveAll(base+"/a"))
	await(t, w, "removed with what is above", gone)
	must(t, os.MkdirAll(dir, 0o700))
	await(t, w, "made again with what is above", lookAgain)
	touch(t, dir+"/y")
	await(t, w, "events after that", names(dir+"/y", create))
}

func TestFolderIsRenamedAndComesBack(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := base + "/d"
	must(t, os.Mkdir(dir, 0o700))
	w := watch(t, NewHub(), dir, time.Hour)
	must(t, os.Rename(dir, base+"/e"))
	await(t, w, "renamed", gone)
	touch(t, base+"/e/not-here")
	must(t, os.Rename(base+"/e", dir))
	await(t, w, "renamed back", func(b Batch) bool {
		if len(b.Events) > 0 {
			t.Errorf("told %v of a folder that is not here", b.Events)
		}
		return b.LookAgain
	})
}

func TestFolderIsReplaced(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := base + "/d"
	must(t, os.Mkdir(dir, 0o700))
	w := watch(t, NewHub(), dir, time.Hour)
	for i := range 4 {
		next := fmt.Sprint(base, "/next", i)
		must(t, os.Mkdir(next, 0o700))
		must(t, os.Rename(dir, fmt.Sprint(base, "/old", i)))
		must(t, os.Rename(next, dir))
		await(t, w, "replaced", lookAgain)
		touch(t, dir+"/x")
		await(t, w, "events of the new one", names(dir+"/x", create))
	}
}

func TestFolderAboveIsRenamed(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := base + "/a/b"
	must(t, os.MkdirAll(dir, 0o700))
	w := watch(t, NewHub(), dir, quickCheck) // no event tells this
	must(t, os.Rename(base+"/a", base+"/z"))
	await(t, w, "above renamed", gone)
	must(t, os.Rename(base+"/z", base+"/a"))
	await(t, w, "above renamed back", lookAgain)
}

func TestFolderThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := base + "/x/y"
	w := watch(t, NewHub(), dir, time.Hour)
	await(t, w, "missing", gone)
	touch(t, base+"/x") // not a folder: still missing
	must(t, os.Remove(base+"/x"))
	must(t, os.MkdirAll(dir, 0o700))
	await(t, w, "made", lookAgain)

	file := base + "/file"
	touch(t, file)
	w = watch(t, NewHub(), file, time.Hour)
	await(t, w, "a file is no folder", gone)
	must(t, os.Remove(file))
	must(t, os.Mkdir(file, 0o700))
	await(t, w, "a folder now", lookAgain)
}

// The queue of the kernel overflows for real: nobody reads while more is renamed than it holds.
func TestOverflow(t *testing.T) {
	raw, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil {
		t.Skip("no inotify here:", err)
	}
	var queue int
	_, err = fmt.Sscan(string(raw), &queue)
	must(t, err)
	if queue > 100_000 {
		t.Skip("the queue is too long to fill:", queue)
	}
	dir := t.TempDir()
	touch(t, dir+"/a")
	in := newInbox()
	r := newReader(dir, in, time.Hour, func(err error) { must(t, err) })
	defer r.drop()
	r.attach()
	for range queue { // each makes two entries, more than the queue and the reader's buffer hold
		must(t, os.Rename(dir+"/a", dir+"/b"))
		must(t, os.Rename(dir+"/b", dir+"/a"))
	}
	deadline := time.After(patience)
	for {
		select {
		case <-r.kernel.Events:
			continue // as if it was told long ago
		case err, ok := <-r.kernel.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				t.Fatal(err)
			}
			r.trouble(err, ok)
		case <-deadline:
			t.Fatal("no overflow")
		}
		break
	}
	if _, _, look, ok := in.age(); !ok || !look {
		t.Error("overflow does not mean look again")
	}
	if r.state != onFolder || r.on != dir {
		t.Error("not on the folder any more")
	}
}

// A watcher whose descriptor breaks is replaced.
func TestBrokenWatcherIsReplaced(t *testing.T) {
	dir := t.TempDir()
	in := newInbox()
	r := newReader(dir, in, time.Hour, func(err error) { must(t, err) })
	defer r.drop()
	r.attach()
	old := r.kernel
	r.trouble(syscall.EIO, true)
	if r.kernel == old || r.state != onFolder {
		t.Fatal("not replaced")
	}
	if _, _, look, _ := in.age(); !look {
		t.Error("not look again")
	}
	must(t, r.kernel.Close())
	ev, ok := <-r.kernel.Events
	r.event(ev, ok)
	touch(t, dir+"/a")
	select {
	case ev := <-r.kernel.Events:
		if ev.Name != dir+"/a" {
			t.Errorf("got %v", ev)
		}
	case <-time.After(patience):
		t.Error("no events of the new one")
	}
}

func TestAFloodTakesTheWatchOffForAMoment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := newInbox()
	r := newReader(dir, in, time.Hour, func(err error) { must(t, err) })
	defer r.drop()
	r.attach()
	for i := 0; r.state == onFolder; i++ {
		if i > 10*maxNames {
			t.Fatal("no rest in a flood")
		}
		r.event(fsnotify.Event{Name: fmt.Sprint(dir, "/", i), Op: create}, true)
	}
	if l := r.kernel.WatchList(); r.state != resting || len(l) != 0 {
		t.Fatalf("state %v, watches %v", r.state, l)
	}
	var p pending
	in.moveTo(&p)
	select {
	case <-r.rest.C:
	case <-time.After(patience):
		t.Fatal("rests for ever")
	}
	r.attach()
	if _, _, look, _ := in.age(); !look || r.state != onFolder {
		t.Error("after the rest it must look again")
	}
}

// What the engine does itself need not be heard first to be too much.
func TestAFloodOfPostsTakesTheWatchOffToo(t *testing.T) {
	t.Parallel()
	in := newInbox()
	r := newReader(t.TempDir(), in, time.Hour, func(err error) { must(t, err) })
	ctx, cancel := context.WithCancel(t.Context())
	ready, ended := make(chan struct{}), make(chan struct{})
	go func() { r.run(ctx, func() { close(ready) }); close(ended) }()
	<-ready
	names := make([]string, maxNames+1)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	in.post(create, names[:maxNames])
	if len(in.flood) != 0 {
		t.Error("a flood of names that are all told")
	}
	posted := time.Now()
	in.post(create, names)
	for len(in.flood) != 0 && time.Since(posted) < patience {
		runtime.Gosched()
	}
	cancel()
	<-ended
	if r.state != resting && time.Since(posted) < floodRest {
		t.Errorf("state %v", r.state)
	}
}

func goroutines() int { return runtime.NumGoroutine() }

// settle waits until no more goroutines are left than want.
func settle(t *testing.T, want int) {
	t.Helper()
	for deadline := time.Now().Add(patience); goroutines() > want; runtime.Gosched() {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, want %d\n%s", goroutines(), want, buf[:runtime.Stack(buf, true)])
		}
	}
}

func TestCloseJoinsEverything(t *testing.T) {
	before := goroutines()
	h := NewHub()
	var all []*Watch
	for range 10 {
		w, err := h.Watch(t.TempDir())
		must(t, err)
		all = append(all, w)
	}
	missing, err := h.Watch(filepath.Join(t.TempDir(), "missing"))
	must(t, err)
	all = append(all, missing)
	if goroutines() <= before {
		t.Fatal("nothing to join")
	}
	for _, w := range all {
		w.Close()
		for range w.Batches() {
			t.Error("a batch after Close")
		}
	}
	settle(t, before)
}
