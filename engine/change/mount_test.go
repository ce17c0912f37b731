package change

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
)

// mount mounts a small file system in memory, and unmounts it at the end of the test.
func mount(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("change-test", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("needs root and the right to mount:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// A stick is put in and pulled out again while its folder is on view. fsnotify reports neither.
func TestFileSystemIsMountedAndUnmounted(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := base + "/stick"
	must(t, os.Mkdir(dir, 0o700))
	w := watch(t, NewHub(), dir, time.Hour) // the mount table must tell it
	mount(t, dir)
	await(t, w, "mounted", lookAgain)
	touch(t, dir+"/a")
	await(t, w, "events of the stick", names(dir+"/a", create))

	must(t, syscall.Unmount(dir, 0))
	await(t, w, "unmounted", lookAgain)
	touch(t, dir+"/b")
	await(t, w, "events of the folder below", names(dir+"/b", create))
	must(t, os.Remove(dir+"/b"))

	// As an automounter does it: the folder goes with the stick.
	mount(t, dir)
	await(t, w, "mounted again", lookAgain)
	must(t, syscall.Unmount(dir, syscall.MNT_DETACH))
	must(t, os.Remove(dir))
	await(t, w, "gone", gone)
	must(t, os.Mkdir(dir, 0o700))
	mount(t, dir)
	await(t, w, "back", lookAgain)
	touch(t, dir+"/c")
	await(t, w, "events of it", names(dir+"/c", create))
}

// hang mounts a FUSE file system that never answers, and returns how to end it.
func hang(t *testing.T, dir string) (end func()) {
	t.Helper()
	fuse, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no FUSE here:", err)
	}
	data := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fuse.Fd())
	if err := syscall.Mount("change-test", dir, "fuse", 0, data); err != nil {
		fuse.Close()
		t.Skip("needs root and the right to mount:", err)
	}
	ended := false
	end = func() {
		if !ended {
			ended = true
			fuse.Close() // aborts all requests
			_ = syscall.Unmount(dir, syscall.MNT_DETACH)
		}
	}
	t.Cleanup(end)
	return end
}

func TestHungMountFreezesNobody(t *testing.T) {
	dir := t.TempDir()
	end := hang(t, dir)
	h := NewHub()
	start := time.Now()
	w, err := h.Watch(dir)
	must(t, err)
	if d := time.Since(start); d > time.Second {
		t.Errorf("Watch took %v", d)
	}
	h.Post(dir, create, "a")
	await(t, w, "a post meanwhile", names(dir+"/a", create))
	_ = w.Err()
	start = time.Now()
	w.Close()
	if d := time.Since(start); d > time.Second {
		t.Errorf("Close took %v", d)
	}
	select {
	case <-w.reader:
		t.Error("nothing hangs here: the test shows nothing")
	default:
	}
	end()
	select {
	case <-w.reader:
	case <-time.After(patience):
		t.Error("the reader did not end when the kernel let it go")
	}
}

// The mount recovers while the watch is open.
func TestHungMountGoesAway(t *testing.T) {
	dir := t.TempDir()
	end := hang(t, dir)
	w, err := NewHub().Watch(dir)
	must(t, err)
	defer w.Close()
	end()
	await(t, w, "the folder below", lookAgain)
	touch(t, dir+"/a")
	await(t, w, "its events", names(dir+"/a", create))
}
