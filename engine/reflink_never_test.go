package engine_test

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"drover/engine"
	"drover/engine/enginetest"
)

// ReflinkNever writes everything a second time: btrfs and xfs share blocks also when they are asked to copy a range, which no
// comparison of the copies shows, only the room that is left.
func TestReflinkNeverSharesNothing(t *testing.T) {
	enginetest.NeedsRoot(t)
	for _, kind := range []string{"btrfs", "xfs"} {
		t.Run(kind, func(t *testing.T) {
			dir := enginetest.WorkDir(t) + "/m"
			enginetest.MountKind(t, dir, kind)
			const size = 40 << 20
			enginetest.Build(t, dir, enginetest.Random("src/big", size), enginetest.Random("src/small", 500_000),
				enginetest.Sparse("src/holes", 50<<20, 0, 1<<20), enginetest.Dir("auto"), enginetest.Dir("never"))
			used := func() int64 {
				t.Helper()
				fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer syscall.Close(fd)
				if _, _, e := syscall.Syscall(unix.SYS_SYNCFS, uintptr(fd), 0, 0); e != 0 {
					t.Fatal(e)
				}
				var st syscall.Statfs_t
				if err := syscall.Fstatfs(fd, &st); err != nil {
					t.Fatal(err)
				}
				return int64(st.Blocks-st.Bfree) * st.Bsize
			}
			e := newEngine(t, 2)
			for _, c := range []struct {
				name    string
				reflink engine.Reflink
				least   int64
				most    int64
			}{{"auto", engine.ReflinkAuto, 0, size / 2}, {"never", engine.ReflinkNever, size, 2 * size}} {
				before := used()
				if r := wait(t, start(t, e, engine.Request{Sources: []string{dir + "/src/."}, Dest: dir + "/" + c.name, Reflink: c.reflink})); r.State != engine.StateDone {
					t.Fatalf("%+v", r)
				}
				if more := used() - before; more < c.least || more > c.most {
					t.Errorf("%s takes %d bytes more, want %d to %d", c.name, more, c.least, c.most)
				}
				enginetest.Same(t, dir+"/src", dir+"/"+c.name, enginetest.All)
			}
		})
	}
}
