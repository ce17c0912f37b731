package enginetest

import (
	"io"
	"log"
	"os"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Fault is one thing that goes wrong in a Fuse file system.
type Fault struct {
	wrap  func(fuse.RawFileSystem) fuse.RawFileSystem
	valve *Valve
}

// Fuse shows the folder backing at dir, with the faults, the first one outermost. The process itself serves it, so nothing
// but the test may hang on it. Valves are opened at the end of the test.
//
// Without any fault it has everything that the file system below has, but for linking O_TMPFILE files (EXDEV).
func Fuse(t T, backing, dir string, faults ...Fault) {
	t.Helper()
	mkdir(t, backing)
	mkdir(t, dir)
	door, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no FUSE here: %v", err)
	}
	_ = door.Close()
	root, err := fs.NewLoopbackRoot(backing)
	if err != nil {
		t.Fatalf("%v", err)
	}
	options := &fs.Options{NullPermissions: true, MountOptions: fuse.MountOptions{
		FsName: "drover-test", Name: "drover", DirectMount: true, DisableReadDirPlus: true,
		DisabledCapabilities: fuse.CAP_PASSTHROUGH, // every read and write comes here, and not to the file below by itself
		Logger:               log.New(io.Discard, "", 0),
	}}
	raw := fs.NewNodeFS(root, options)
	for i := len(faults) - 1; i >= 0; i-- {
		raw = faults[i].wrap(raw)
	}
	server, err := fuse.NewServer(raw, dir, &options.MountOptions)
	if err != nil {
		t.Skipf("FUSE cannot be mounted here: %v", err)
	}
	go server.Serve()
	if err := server.WaitMount(); err != nil {
		t.Fatalf("FUSE: %v", err)
	}
	t.Cleanup(func() {
		for _, f := range faults {
			if f.valve != nil {
				f.valve.Open()
			}
		}
		settle(dir)
		if err := server.Unmount(); err != nil {
			t.Logf("unmount %s: %v, open: %q", dir, err, OpenFiles(dir))
			_ = syscall.Unmount(dir, syscall.MNT_DETACH)
		}
	})
}

// settle gives workers that a valve held the time to close what they have open.
func settle(dir string) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(5 * time.Second); len(OpenFiles(dir)) > 0 && time.Now().Before(end); {
		<-tick.C
	}
}
