package place

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const wait = 20 * time.Second // until a test gives up

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tree makes one entry of each kind.
func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(dir+"/file\xff\n", []byte("12345"), 0o640))
	must(t, os.Chmod(dir+"/file\xff\n", 0o4750))
	must(t, os.Chtimes(dir+"/file\xff\n", time.Time{}, time.Unix(1234567890, 123456789)))
	must(t, os.Mkdir(dir+"/.folder", 0o750))
	must(t, os.Symlink(".folder", dir+"/to folder"))
	must(t, os.Symlink("file\xff\n", dir+"/to file"))
	must(t, os.Symlink("nowhere", dir+"/to nowhere"))
	must(t, os.Symlink("loop", dir+"/loop"))
	must(t, syscall.Mkfifo(dir+"/fifo", 0o600))
	must(t, syscall.Bind(socket(t), &syscall.SockaddrUnix{Name: dir + "/socket"}))
	return dir
}

func socket(t *testing.T) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	must(t, err)
	t.Cleanup(func() { _ = syscall.Close(fd) })
	return fd
}

func byName(t *testing.T, entries []Entry) map[string]Entry {
	t.Helper()
	m := map[string]Entry{}
	for _, e := range entries {
		if _, twice := m[e.Name]; twice {
			t.Errorf("%q is listed twice", e.Name)
		}
		m[e.Name] = e
	}
	return m
}

func TestList(t *testing.T) {
	dir := tree(t)
	all, err := List(t.Context(), dir)
	must(t, err)
	got := byName(t, all)
	want, err := os.ReadDir(dir)
	must(t, err)
	if len(got) != len(want) {
		t.Errorf("%d entries, want %d", len(got), len(want))
	}
	for _, w := range want {
		fi, err := w.Info()
		must(t, err)
		e, ok := got[w.Name()]
		if !ok || e.Mode != fi.Mode() || e.Size != fi.Size() || !e.Modified.Equal(fi.ModTime()) || e.Err != nil {
			t.Errorf("%q: got %+v, want %v %d %v", w.Name(), e, fi.Mode(), fi.Size(), fi.ModTime())
		}
		to, _ := os.Readlink(dir + "/" + w.Name())
		st, err := os.Stat(dir + "/" + w.Name())
		if e.Target != to || e.Folder != (err == nil && st.IsDir()) || e.Hidden() != strings.HasPrefix(w.Name(), ".") {
			t.Errorf("%q: got %+v", w.Name(), e)
		}
	}
	if e := got["to folder"]; !e.Folder || e.Mode&fs.ModeSymlink == 0 {
		t.Errorf("a link to a folder is %+v", e)
	}
}

func TestListThroughALink(t *testing.T) {
	dir := tree(t)
	all, err := List(t.Context(), dir+"/to folder")
	if err != nil || len(all) != 0 {
		t.Errorf("got %v, %v", all, err)
	}
}

func TestListRefuses(t *testing.T) {
	dir := tree(t)
	for path, want := range map[string]error{
		dir + "/missing":           fs.ErrNotExist,
		dir + "/file\xff\n":        syscall.ENOTDIR,
		dir + "/fifo":              syscall.ENOTDIR,
		dir + "/loop":              syscall.ELOOP,
		dir + "/a\x00":             syscall.EINVAL,
		strings.Repeat("/x", 3000): syscall.ENAMETOOLONG,
	} {
		all, err := List(t.Context(), path)
		var pe *fs.PathError
		if all != nil || !errors.Is(err, want) || !errors.As(err, &pe) || pe.Path != path {
			t.Errorf("%q: got %v, %v, want %v", path, all, err, want)
		}
	}
}

func TestListManyInParts(t *testing.T) {
	dir := t.TempDir()
	const n = 6000
	for i := range n {
		must(t, os.WriteFile(fmt.Sprint(dir, "/name-", i), nil, 0o600))
	}
	seen, parts := map[string]bool{}, 0
	must(t, ListFunc(t.Context(), dir, func(part []Entry) error {
		parts++
		for _, e := range part {
			seen[e.Name] = true
		}
		return nil
	}))
	if len(seen) != n || parts < 3 {
		t.Errorf("%d names in %d parts", len(seen), parts)
	}

	enough := errors.New("enough")
	calls := 0
	if err := ListFunc(t.Context(), dir, func([]Entry) error { calls++; return enough }); !errors.Is(err, enough) || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	calls = 0
	err := ListFunc(ctx, dir, func([]Entry) error { calls++; cancel(enough); return nil })
	if !errors.Is(err, enough) || calls > 2 {
		t.Errorf("got %v after %d calls", err, calls)
	}
	// What was read ahead is let go.
	for deadline := time.Now().Add(wait); ; {
		open := openFolders(t, dir)
		if open == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d descriptors of the folder are left open", open)
		}
	}
}

func openFolders(t *testing.T, dir string) (n int) {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	for _, fd := range fds {
		if to, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && to == dir {
			n++
		}
	}
	return n
}

func TestListOfEntriesThatMayNotBeLookedAt(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may look at everything")
	}
	dir := tree(t)
	must(t, os.Chmod(dir, 0o400)) // names may be read, entries may not be looked at
	defer func() { must(t, os.Chmod(dir, 0o700)) }()
	all, err := List(t.Context(), dir)
	must(t, err)
	got := byName(t, all)
	if len(got) != 8 {
		t.Errorf("%d entries", len(got))
	}
	for name, e := range got {
		if !errors.Is(e.Err, fs.ErrPermission) {
			t.Errorf("%q: %v", name, e.Err)
		}
	}
	if !got[".folder"].Mode.IsDir() || got["to file"].Mode&fs.ModeSymlink == 0 {
		t.Error("the kinds are not known")
	}
}

func TestListWhileTheFolderChanges(t *testing.T) {
	dir := t.TempDir()
	for i := range 500 {
		must(t, os.WriteFile(fmt.Sprint(dir, "/stays", i), nil, 0o600))
	}
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				name := fmt.Sprint(dir, "/comes and goes", i%100)
				_ = os.WriteFile(name, nil, 0o600)
				_ = os.Remove(name)
			}
		}
	}()
	for range 50 {
		all, err := List(t.Context(), dir)
		must(t, err)
		stay := 0
		for _, e := range all {
			if e.Err != nil {
				t.Fatalf("%q: %v", e.Name, e.Err)
			}
			if strings.HasPrefix(e.Name, "stays") {
				stay++
			}
		}
		if stay != 500 {
			t.Fatalf("%d of 500 that stay", stay)
		}
	}
	close(stop)
	<-ended
}

func TestLook(t *testing.T) {
	dir := tree(t)
	got, err := Look(t.Context(), dir, "to folder", "missing", ".folder")
	must(t, err)
	names := []string{}
	for _, e := range got {
		names = append(names, e.Name)
		if !e.Folder {
			t.Errorf("%q is no folder", e.Name)
		}
	}
	if !slices.Equal(names, []string{"to folder", ".folder"}) {
		t.Errorf("got %q", names)
	}
	if _, err := Look(t.Context(), dir+"/missing", "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := Look(t.Context(), dir, "a\x00"); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("got %v", err)
	}
}

// hang mounts a FUSE file system that never answers.
func hang(t *testing.T, dir string) {
	t.Helper()
	fuse, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no FUSE here:", err)
	}
	if err := syscall.Mount("place-test", dir, "fuse", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fuse.Fd())); err != nil {
		fuse.Close()
		t.Skip("needs root and the right to mount:", err)
	}
	t.Cleanup(func() {
		fuse.Close() // lets go who hangs
		_ = syscall.Unmount(dir, syscall.MNT_DETACH)
	})
}

func TestListNextToADeadMount(t *testing.T) {
	dir := tree(t)
	must(t, os.Mkdir(dir+"/dead", 0o700))
	for i := range 2 * maxGivenUp {
		must(t, os.Symlink("dead", fmt.Sprint(dir, "/to dead ", i)))
	}
	hang(t, dir+"/dead")
	start := time.Now()
	all, err := List(t.Context(), dir)
	must(t, err)
	if d := time.Since(start); d > 2*patience+2*maxGivenUp*patienceAgain*2 {
		t.Errorf("took %v", d)
	}
	got := byName(t, all)
	if len(got) != 9+2*maxGivenUp {
		t.Errorf("%d entries", len(got))
	}
	for name, e := range got {
		switch {
		case name == "dead":
			if !errors.Is(e.Err, ErrNotResponding) || !e.Folder || !e.Mode.IsDir() {
				t.Errorf("%+v", e)
			}
		case strings.HasPrefix(name, "to dead"):
			if !errors.Is(e.Err, ErrNotResponding) || e.Target != "dead" || e.Mode&fs.ModeSymlink == 0 || e.Modified.IsZero() {
				t.Errorf("%+v", e)
			}
		case e.Modified.IsZero() || e.Err != nil && e.Mode&fs.ModeSymlink == 0:
			t.Errorf("%+v", e)
		}
	}
}

func TestListOfADeadMountStopsWithTheContext(t *testing.T) {
	dir := t.TempDir()
	hang(t, dir)
	for _, f := range []func(ctx context.Context) error{
		func(ctx context.Context) error { _, err := List(ctx, dir); return err },
		func(ctx context.Context) error { _, err := Look(ctx, dir, "a"); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		start := time.Now()
		if err := f(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("took %v", d)
		}
		cancel()
	}
}

// A dead mount in the middle of a folder does not keep a cancelled listing.
func TestListStopsInTheMiddle(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(dir+"/dead", 0o700))
	hang(t, dir+"/dead")
	ctx, cancel := context.WithTimeout(t.Context(), patience/10)
	defer cancel()
	if _, err := List(ctx, dir); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkList(b *testing.B) {
	const n = 100_000
	dir, err := os.MkdirTemp("/dev/shm", "place-bench-")
	if err != nil {
		b.Skip(err)
	}
	defer os.RemoveAll(dir)
	for i := range n {
		must(b, os.WriteFile(fmt.Sprintf("%s/IMG_%06d.jpg", dir, i), nil, 0o600))
	}
	b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			all, err := List(b.Context(), dir)
			if err != nil || len(all) != n {
				b.Fatal(len(all), err)
			}
		}
	})
	b.Run(fmt.Sprintf("files=%d/with=os.ReadDir", n), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			all, err := os.ReadDir(dir)
			if err != nil || len(all) != n {
				b.Fatal(len(all), err)
			}
			for _, e := range all {
				if _, err := e.Info(); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
