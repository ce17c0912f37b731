package sys

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// Attributes of a link are its own and not those of what it points to, on a kernel with listxattrat and on one without.
func TestAttributesOfLinkItself(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: nobody else can set attributes of links")
	}
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(dir+"/f", nil, 0o644), os.Symlink("f", dir+"/from"), os.Symlink("f", dir+"/to")); err != nil {
		t.Fatal(err)
	}
	for _, set := range [][]string{{"trusted.k", "from"}, {"user.k", "f"}} {
		if out, err := exec.Command("setfattr", "-h", "-n", set[0], "-v", "v", dir+"/"+set[1]).CombinedOutput(); err != nil {
			t.Skipf("setfattr: %v: %s", err, out)
		}
	}
	must := func(fd int, err error) int {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return fd
	}
	fd := must(OpenDir(CWD, Name(dir+"\x00"), true))
	from, to := must(Handle(fd, "from\x00")), must(Handle(fd, "to\x00"))
	t.Cleanup(func() { _, _, _ = Close(fd), Close(from), Close(to) })
	CopyXattrHandle(to, from, func(string) bool { return true }, func(n string, err error) { t.Error(n, err) })

	before := noListXattrAt.Load()
	t.Cleanup(func() { noListXattrAt.Store(before) })
	for _, old := range []bool{false, true} {
		noListXattrAt.Store(old)
		for name, want := range map[Name]string{"from\x00": "trusted.k\x00", "to\x00": "trusted.k\x00", "f\x00": "user.k\x00"} {
			buf := make([]byte, 1000)
			k, err := LListXattr(fd, name, buf)
			if got := string(buf[:k]); err != nil || got != want {
				t.Errorf("%v, %q: %q, %v", old, name, got, err)
			}
		}
		for name, want := range map[Name]error{"from\x00": syscall.ERANGE, "none\x00": syscall.ENOENT} {
			if _, err := LListXattr(fd, name, make([]byte, 3)); !errors.Is(err, want) {
				t.Errorf("%v, %q: %v, want %v", old, name, err, want)
			}
		}
	}
}
