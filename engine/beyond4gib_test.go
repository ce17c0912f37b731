package engine_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"drover/engine"
	"drover/engine/enginetest"
)

// A file without holes that is larger than 4 GiB, with marks where 31 and 32 bits end: every byte comes where it was, from a file
// system into another one. The source is promised room that reads as zeros; the copy is in memory.
func TestBeyondFourGiB(t *testing.T) {
	const size = 1<<32 + 16<<20 + 1
	if testing.Short() {
		t.Skip("copies 4 GiB")
	}
	if free := memAvailable(t); free < 3*size {
		t.Skipf("needs 12 GiB of memory, %d bytes are free", free)
	}
	dir := enginetest.WorkDir(t)
	enginetest.Loop(t, dir+"/src", "ext4", 5<<30)
	enginetest.Tmpfs(t, dir+"/dst", enginetest.Sized(size+1<<20))
	enginetest.Build(t, dir, enginetest.Sparse("src/v", size, 0, 1<<31-1, 1<<31, 1<<32-1, 1<<32, 1<<32+8<<20-1, size-1))
	src, err := os.OpenFile(dir+"/src/v", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if err := unix.Fallocate(int(src.Fd()), 0, 0, size); err != nil {
		t.Skipf("no room can be promised: %v", err)
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(src.Fd()), &st); err != nil || st.Blocks*512 < size {
		t.Fatalf("%d blocks, %v: the source has holes", st.Blocks, err)
	}

	j := measured(t, newEngine(t, 4), engine.Request{Sources: []string{dir + "/src/v"}, Dest: dir + "/dst"})
	r, err := j.Wait(t.Context()) // however long it takes
	if err != nil || r.State != engine.StateDone || r.Bytes != size || len(j.Warnings()) > 0 {
		t.Fatalf("%+v, %v, %v", r, err, j.Warnings())
	}
	dst, err := os.Open(dir + "/dst/v")
	if err != nil {
		t.Fatal(err)
	}
	defer dst.Close()
	if fi, err := dst.Stat(); err != nil || fi.Size() != size {
		t.Fatalf("%v, %v", fi, err)
	}
	var g errgroup.Group
	const parts = 4
	for i := range int64(parts) {
		g.Go(func() error { return sameBytes(src, dst, i*size/parts, (i+1)*size/parts) })
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

// sameBytes compares two files from one place to another.
func sameBytes(a, b io.ReaderAt, from, to int64) error {
	x, y := make([]byte, 1<<20), make([]byte, 1<<20)
	for at := from; at < to; at += int64(len(x)) {
		n := min(int64(len(x)), to-at)
		_, errA := a.ReadAt(x[:n], at)
		_, errB := b.ReadAt(y[:n], at)
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if !bytes.Equal(x[:n], y[:n]) {
			return errors.New("bytes differ after " + strconv.FormatInt(at, 10))
		}
	}
	return nil
}

// memAvailable is how much memory is to be had, in bytes.
func memAvailable(t *testing.T) int64 {
	t.Helper()
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(data), "MemAvailable:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		t.Skipf("how much memory is free is not known: %v", err)
	}
	return n << 10
}
