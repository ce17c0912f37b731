package engine_test

import (
	"os"
	"syscall"
	"testing"

	"drover/engine/enginetest"
	"drover/engine/internal/lane"
	"drover/engine/internal/sys"
)

// copy_file_range does not write to a file that is open for appending (EBADF): its bytes are read and written instead (D4).
func TestRangeToFileOpenForAppending(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Random("src", 300_000))
	src, err := syscall.Open(dir+"/src", syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(src) }()
	dst, err := syscall.Open(dir+"/dst", syscall.O_WRONLY|syscall.O_CREAT|syscall.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(dst) }()
	if n, handled, err := sys.CopyRange(dst, src, 0, 300_000); n != 0 || handled || err != nil {
		t.Fatalf("%d, %v, %v: not the case that is to be tested", n, handled, err)
	}
	var m lane.Mover
	for off := int64(0); off < 300_000; {
		n, err := m.Range(new(lane.Pair), dst, src, off, 300_000-off)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		off += n
	}
	want, err := os.ReadFile(dir + "/src")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(dir + "/dst"); err != nil || string(got) != string(want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
