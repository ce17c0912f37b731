package enginetest

import (
	"errors"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestAttributesThatCannotBeSet(t *testing.T) {
	NeedsRoot(t)
	dir := faulty(t, NoOwner(syscall.EPERM), NoMode(syscall.EOPNOTSUPP), NoTimes(syscall.EACCES))
	for want, set := range map[syscall.Errno]func(string) error{
		syscall.EPERM:      func(p string) error { return os.Chown(p, 1, 1) },
		syscall.EOPNOTSUPP: func(p string) error { return os.Chmod(p, 0o600) },
		syscall.EACCES:     func(p string) error { return os.Chtimes(p, time.Unix(1, 0), time.Unix(1, 0)) },
	} {
		if err := set(dir + "/a"); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if err := os.Truncate(dir+"/a", 10); err != nil {
		t.Errorf("the size: %v", err)
	}
}

func TestSetsAreTold(t *testing.T) {
	var mu sync.Mutex
	var told []Set
	dir := faulty(t, Sets(func(s Set) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, s)
	}))
	defer syscall.Umask(syscall.Umask(0))
	for _, err := range []error{
		os.WriteFile(dir+"/f", []byte("f"), 0o640),
		os.Mkdir(dir+"/d", 0o711),
		syscall.Mkfifo(dir+"/p", 0o620),
		os.Chmod(dir+"/f", 0o604),
		os.Chown(dir+"/f", os.Getuid(), -1),
		os.Truncate(dir+"/f", 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	want := []Set{
		{true, syscall.S_IFREG, 0o640, stays, stays},
		{true, syscall.S_IFDIR, 0o711, stays, stays},
		{true, syscall.S_IFIFO, 0o620, stays, stays},
		{Mode: 0o604, UID: stays, GID: stays},
		{Mode: stays, UID: uint32(os.Getuid()), GID: stays},
	}
	if !slices.Equal(told, want) {
		t.Errorf("%+v\nwant %+v", told, want)
	}
}

func TestTimesThatAreTold(t *testing.T) {
	at := time.Unix(1_000_000_001, 500)
	mtimes := func(f ...Fault) []time.Time {
		t.Helper()
		dir := faulty(t, f...)
		if err := os.Chtimes(dir+"/a", at, at); err != nil {
			t.Fatal(err)
		}
		var out []time.Time
		for range 2 {
			fi, err := os.Stat(dir + "/a")
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fi.ModTime())
		}
		return out
	}
	if got := mtimes(CoarseTimes(2)); !got[0].Equal(time.Unix(1_000_000_000, 0)) {
		t.Errorf("coarse: %v", got)
	}
	if got := mtimes(ShiftTimes(-3600)); !got[0].Equal(at.Add(-time.Hour)) {
		t.Errorf("shifted: %v", got)
	}
	if got := mtimes(JitterTimes()); got[0].Equal(got[1]) || got[0].Unix() != at.Unix() {
		t.Errorf("uncertain: %v", got)
	}
}
