package place

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
	"time"
)

func TestFree(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("place-test", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skip("needs root and the right to mount:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	total, free, err := Free(dir)
	if err != nil || total != 8<<20 || free != total {
		t.Errorf("got %d, %d, %v", total, free, err)
	}
	must(t, os.WriteFile(dir+"/f", make([]byte, 1<<20), 0o600))
	total, free, err = Free(dir + "/f") // any path on it
	if err != nil || total != 8<<20 || free != 7<<20 {
		t.Errorf("with 1 MiB on it: got %d, %d, %v", total, free, err)
	}
}

func TestFreeRefuses(t *testing.T) {
	if total, free, err := Free(t.TempDir() + "/missing"); !errors.Is(err, fs.ErrNotExist) || total != 0 || free != 0 {
		t.Errorf("got %d, %d, %v", total, free, err)
	}
}

func TestFreeOfADeadMount(t *testing.T) {
	dir := t.TempDir()
	hang(t, dir)
	for range 3 {
		start := time.Now()
		if _, _, err := Free(dir); !errors.Is(err, ErrNotResponding) {
			t.Errorf("got %v", err)
		}
		if d := time.Since(start); d > patience+2*time.Second {
			t.Errorf("took %v", d)
		}
	}
}

// A device that does not answer holds one goroutine, however often it is asked; when it has answered, it is asked anew.
func TestOneQuestionAtATime(t *testing.T) {
	release := make(chan struct{})
	calls := 0
	ask := func(limit time.Duration) (int, error) {
		return within(limit, t.Name(), func() (int, error) {
			calls++ // one at a time: that is the point
			<-release
			return calls, nil
		})
	}
	for range 5 {
		if _, err := ask(time.Millisecond); !errors.Is(err, ErrNotResponding) {
			t.Fatalf("got %v", err)
		}
	}
	close(release)
	for deadline := time.Now().Add(wait); ; {
		n, err := ask(wait)
		must(t, err)
		if n == 2 {
			break // a new question; the one before may have been joined
		}
		if n > 2 || time.Now().After(deadline) {
			t.Fatalf("asked %d times", n)
		}
	}
}
