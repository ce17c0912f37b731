package enginetest

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMountsAreFreshAndGoAway(t *testing.T) {
	NeedsRoot(t)
	for _, kind := range Kinds {
		t.Run(kind, func(t *testing.T) {
			dir := WorkDir(t) + "/m"
			t.Run("mounted", func(t *testing.T) {
				MountKind(t, dir, kind)
				if !mounted(t, dir) {
					t.Error("not mounted")
				}
				if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
					t.Errorf("%v %v", names, err)
				}
				Build(t, dir, File("f", "f"))
			})
			if mounted(t, dir) {
				t.Error("still mounted")
			}
		})
	}
}

func mounted(t *testing.T, dir string) bool {
	t.Helper()
	data, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(data, []byte(" "+dir+" "))
}

func TestBindShowsTheSame(t *testing.T) {
	dir := WorkDir(t)
	Build(t, dir+"/a", File("f", "f"))
	Bind(t, dir+"/a", dir+"/b")
	Same(t, dir+"/a", dir+"/b", All)
}

func TestFuseIsTheSame(t *testing.T) {
	dir := WorkDir(t)
	Build(t, dir+"/back", zoo(false, false)...) // ACLs over FUSE are another matter
	Fuse(t, dir+"/back", dir+"/front")
	Same(t, dir+"/back", dir+"/front", All)
}

// faulty shows a folder with the files a and b, of 100 000 bytes each, through faults.
func faulty(t *testing.T, faults ...Fault) (front string) {
	t.Helper()
	dir := WorkDir(t)
	Build(t, dir+"/back", Random("a", 100_000), Random("b", 100_000))
	Fuse(t, dir+"/back", dir+"/front", faults...)
	return dir + "/front"
}

func TestReadError(t *testing.T) {
	dir := faulty(t, ReadError("a", 5000, syscall.EIO))
	f, err := os.Open(dir + "/a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 10_000)
	if n, err := f.Read(buf); n != 5000 || err != nil {
		t.Errorf("first %d bytes, %v", n, err)
	}
	if n, err := f.Read(buf); !errors.Is(err, syscall.EIO) {
		t.Errorf("then %d bytes, %v", n, err)
	}
	if data, err := os.ReadFile(dir + "/b"); err != nil || len(data) != 100_000 {
		t.Errorf("b: %d bytes, %v", len(data), err)
	}
}

func TestWriteError(t *testing.T) {
	dir := faulty(t, WriteError("new", 5000, syscall.ENOSPC, 1))
	f, err := os.Create(dir + "/new")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := syscall.Write(int(f.Fd()), make([]byte, 10_000)); n != 5000 || err != nil {
		t.Errorf("first %d bytes, %v", n, err)
	}
	if n, err := f.Write(make([]byte, 10)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("then %d bytes, %v", n, err)
	}
	if n, err := f.Write(make([]byte, 10)); err != nil {
		t.Errorf("after the only error %d bytes, %v", n, err)
	}
}

func TestCloseError(t *testing.T) {
	dir := faulty(t, CloseError("a", syscall.EIO))
	for name, want := range map[string]error{"a": syscall.EIO, "b": nil} {
		f, err := os.OpenFile(dir+"/"+name, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("x"); err != nil {
			t.Error(err)
		}
		if err := f.Close(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

func TestSyncFaults(t *testing.T) {
	v := NewValve()
	dir := faulty(t, SyncError("a", syscall.EIO), HangSync(v, "b"))
	sync := func(name string) error {
		f, err := os.Open(dir + "/" + name)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Sync()
	}
	if err := sync("a"); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	if err := sync(""); err != nil {
		t.Error(err)
	}
	done := make(chan error)
	go func() { done <- sync("b") }()
	v.Await(t)
	v.Open()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestUnlinkError(t *testing.T) {
	dir := faulty(t, UnlinkError("[ac]", syscall.EIO))
	if err := os.Remove(dir + "/a"); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	if err := os.Remove(dir + "/b"); err != nil {
		t.Error(err)
	}
	if err := os.Rename(dir+"/a", dir+"/d"); err != nil {
		t.Error(err)
	}
	if err := os.Remove(dir + "/d"); err != nil {
		t.Error(err)
	}
}

func TestShortReadsAndWrites(t *testing.T) {
	dir := faulty(t, ShortReads("a", 7), ShortWrites("a", 11))
	f, err := os.OpenFile(dir+"/a", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 100)
	if n, err := syscall.Read(int(f.Fd()), buf); n != 7 || err != nil {
		t.Errorf("read %d, %v", n, err)
	}
	if n, err := syscall.Write(int(f.Fd()), buf); n != 11 || err != nil {
		t.Errorf("wrote %d, %v", n, err)
	}
}

func TestHangUntilReleased(t *testing.T) {
	var valves []*Valve
	for range 8 {
		valves = append(valves, NewValve())
	}
	dir := faulty(t, HangRead(valves[0], "a", 0), HangWrite(valves[1], "b", 50), HangFolder(valves[2], "sub"), HangClose(valves[3], "c"),
		HangMake(valves[4], "dir"), HangMake(valves[5], "fifo"), HangMake(valves[6], "link"), HangMake(valves[7], "name"))
	f, err := os.OpenFile(dir+"/b", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(make([]byte, 50)); err != nil { // does not reach the place where it hangs
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/sub", 0o755); err != nil {
		t.Fatal(err)
	}
	for i, op := range []func() error{
		func() error { _, err := os.ReadFile(dir + "/a"); return err },
		func() error { _, err := f.Write(make([]byte, 1)); return err },
		func() error { _, err := os.ReadDir(dir + "/sub"); return err },
		func() error { return os.WriteFile(dir+"/c", []byte("c"), 0o644) },
		func() error { return os.Mkdir(dir+"/dir", 0o755) },
		func() error { return syscall.Mkfifo(dir+"/fifo", 0o600) },
		func() error { return os.Symlink("a", dir+"/link") },
		func() error { return os.Link(dir+"/a", dir+"/name") },
	} {
		over := make(chan error, 1)
		go func() { over <- op() }()
		valves[i].Await(t)
		select {
		case err := <-over:
			t.Errorf("operation %d did not wait: %v", i, err)
			continue
		default:
		}
		valves[i].Open()
		if err := <-over; err != nil {
			t.Errorf("operation %d: %v", i, err)
		}
	}
}

func TestSlow(t *testing.T) {
	dir := faulty(t, Slow(20*time.Millisecond))
	start := time.Now()
	if _, err := os.ReadFile(dir + "/a"); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d < 20*time.Millisecond {
		t.Errorf("read in %v", d)
	}
}

func TestLacks(t *testing.T) {
	const tmpfile, noReplace = tmpfileFlag | os.O_RDWR, 1
	rename := func(dir string) error {
		return renameat2(dir+"/a", dir+"/c", noReplace)
	}
	unnamed := func(dir string) error {
		fd, err := syscall.Open(dir, tmpfile, 0o600)
		if err == nil {
			_ = syscall.Close(fd)
		}
		return err
	}
	tests := []struct {
		name string
		lack Fault
		do   func(dir string) error
		want syscall.Errno
	}{
		{"no unnamed files", NoUnnamed(), unnamed, syscall.EOPNOTSUPP},
		{"no rename flags", NoRenameFlags(), rename, syscall.EINVAL},
		{"no hard links", NoLinks(), func(d string) error { return os.Link(d+"/a", d+"/c") }, syscall.EPERM},
		{"no symbolic links", NoSymlinks(), func(d string) error { return os.Symlink("a", d+"/c") }, syscall.EPERM},
		{"no attributes", NoXattrs(), func(d string) error { return syscall.Setxattr(d+"/a", "user.k", nil, 0) }, syscall.EOPNOTSUPP},
		{"refused file", RefuseNames(":*", syscall.EINVAL), func(d string) error { return os.WriteFile(d+"/a:b", nil, 0o644) }, syscall.EINVAL},
		{"refused folder", RefuseNames(":*", syscall.EINVAL), func(d string) error { return os.Mkdir(d+"/a*b", 0o755) }, syscall.EINVAL},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.do(faulty(t, tt.lack)); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if err := tt.do(faulty(t)); err != nil && !strings.HasPrefix(tt.name, "refused") {
				t.Errorf("without the lack: %v", err)
			}
		})
	}
}

func TestLinkUnnamed(t *testing.T) {
	dir := faulty(t, LinkUnnamed())
	fd, err := syscall.Open(dir, tmpfileFlag|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := syscall.Write(fd, []byte("x")); err != nil {
		t.Error(err)
	}
	if err := linkFD(fd, dir+"/new"); err != nil {
		t.Error(err)
	}
	if err := syscall.Close(fd); err != nil {
		t.Error(err)
	}
	names, err := os.ReadDir(dir)
	if data, _ := os.ReadFile(dir + "/new"); string(data) != "x" || err != nil || len(names) != 3 {
		t.Errorf("%q, %v, %v", data, names, err)
	}
}

func TestAsUser(t *testing.T) {
	if !As(t, Process{User: true, Umask: "027"}) {
		return
	}
	dir := WorkDir(t)
	if os.Geteuid() == 0 {
		t.Error("still root")
	}
	if err := os.WriteFile(dir+"/f", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(dir + "/f"); err != nil || fi.Mode().Perm() != 0o640 {
		t.Error(fi.Mode(), err)
	}
}

func TestAwaitEnds(t *testing.T) {
	n := 0
	Await(t, "three looks", func() bool { n++; return n == 3 })
	if n != 3 {
		t.Error(n)
	}
}
