package sys_test

import (
	"os"
	"syscall"
	"testing"

	"drover/engine/enginetest"
	"drover/engine/internal/sys"
)

// The lock is of the open file: another one of the same process meets it, asking takes nothing, and it ends with the last descriptor.
func TestFileLock(t *testing.T) {
	path := enginetest.WorkDir(t) + "/f"
	files := make([]*os.File, 3)
	for i, flags := range []int{os.O_RDWR | os.O_CREATE, os.O_RDWR, os.O_RDONLY} {
		f, err := os.OpenFile(path, flags, 0o600)
		must(t, err)
		defer f.Close()
		files[i] = f
	}
	fd := func(i int) int { return int(files[i].Fd()) }
	takes := func(i int, want bool) {
		t.Helper()
		if ok, err := sys.LockFile(fd(i)); ok != want || err != nil {
			t.Errorf("descriptor %d: %v, %v, want %v", i, ok, err, want)
		}
	}
	sees := func(i int, want bool) {
		t.Helper()
		if locked, err := sys.FileLocked(fd(i)); locked != want || err != nil {
			t.Errorf("descriptor %d: %v, %v, want %v", i, locked, err, want)
		}
	}
	sees(2, false)
	takes(0, true)
	takes(0, true)
	takes(1, false)
	sees(0, false) // its own
	sees(1, true)
	sees(2, true)
	third, err := syscall.Dup(fd(0))
	must(t, err)
	must(t, files[0].Close())
	takes(1, false)
	must(t, syscall.Close(third))
	sees(2, false)
	takes(1, true)
	sees(2, true)
	_, err = sys.LockFile(fd(2)) // for reading only
	is(t, err, syscall.EBADF)
	_, err = sys.LockFile(-1)
	is(t, err, syscall.EBADF)
	_, err = sys.FileLocked(-1)
	is(t, err, syscall.EBADF)
}

func TestDatasync(t *testing.T) {
	f, err := os.Create(enginetest.WorkDir(t) + "/f")
	must(t, err)
	defer f.Close()
	_, err = f.WriteString("x")
	must(t, err)
	must(t, sys.Datasync(int(f.Fd())))
	is(t, sys.Datasync(-1), syscall.EBADF)
}
