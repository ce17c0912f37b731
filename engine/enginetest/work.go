package enginetest

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// WorkDir makes a folder that is gone at the end of the test, whatever rights the things in it have by then.
// It lies in $DROVER_TEST_DIR if that is set, else where temporary files lie.
func WorkDir(t T) string {
	t.Helper()
	dir, err := os.MkdirTemp(os.Getenv("DROVER_TEST_DIR"), "drover-test-")
	if err != nil {
		t.Fatalf("%v", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() {
		if os.RemoveAll(dir) == nil {
			return
		}
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(p, 0o700)
			}
			return nil
		})
		if err := os.RemoveAll(dir); err != nil {
			t.Logf("left behind: %v", err)
		}
	})
	return dir
}

// Patience is how long a test waits for something that should come at once. It is long because a slow machine is no fault.
const Patience = 30 * time.Second

// Await looks again and again until ok, and fails the test if that does not come about. what says what was waited for.
func Await(t T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			if !ok() {
				t.Fatalf("waited %v for %s", Patience, what)
			}
			return
		}
	}
}

// OpenFiles returns what the process has open below dir, for tests that look for descriptors left behind.
func OpenFiles(dir string) []string {
	links, _ := filepath.Glob("/proc/self/fd/*")
	var out []string
	for _, l := range links {
		if at, err := os.Readlink(l); err == nil && (at == dir || strings.HasPrefix(at, dir+"/")) {
			out = append(out, at)
		}
	}
	return out
}
