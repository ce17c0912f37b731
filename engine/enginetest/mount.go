package enginetest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Loop mounts a fresh file system of the given kind (ext4, xfs, btrfs; exfat and ntfs by way of FUSE) and size at dir, from
// an image in memory if there is room. Where that cannot be done, the test is skipped with the reason.
func Loop(t T, dir, kind string, size int64) {
	t.Helper()
	NeedsRoot(t)
	mkfs, err := exec.LookPath("mkfs." + kind)
	if err != nil {
		t.Skipf("no mkfs.%s here", kind)
	}
	image, err := os.CreateTemp(imageDir(size), "drover-test-*.img")
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() { _ = os.Remove(image.Name()) })
	const unit = 1 << 20
	err = image.Truncate((size + unit - 1) / unit * unit)
	_ = image.Close()
	if err != nil {
		t.Fatalf("%v", err)
	}
	args := []string{image.Name()}
	switch kind {
	case "exfat":
	case "ntfs":
		args = []string{"-Q", "-F", image.Name()}
	default:
		args = []string{"-q", image.Name()}
	}
	if out, err := exec.Command(mkfs, args...).CombinedOutput(); err != nil {
		t.Fatalf("mkfs.%s: %v\n%s", kind, err, out)
	}
	mkdir(t, dir)
	mount := []string{"mount", "-o", "loop", "-t", kind, image.Name(), dir}
	if program := map[string]string{"exfat": "mount.exfat-fuse", "ntfs": "ntfs-3g"}[kind]; program != "" {
		NeedsProgram(t, program)
		mount = []string{program, loopDevice(t, image.Name()), dir}
	}
	if out, err := exec.Command(mount[0], mount[1:]...).CombinedOutput(); err != nil {
		t.Skipf("%s cannot be mounted here: %s", kind, bytes.TrimSpace(out))
	}
	t.Cleanup(func() { unmount(t, dir) })
	_ = os.RemoveAll(dir + "/lost+found")
}

// loopDevice sets up a loop device for an image, for programs that mount devices only.
func loopDevice(t T, image string) string {
	t.Helper()
	out, err := exec.Command("losetup", "--find", "--show", image).Output()
	if err != nil {
		t.Skipf("no loop device to be had: %v", err)
	}
	device := string(bytes.TrimSpace(out))
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", device).Run() })
	return device
}

// imageDir prefers memory: what is tested is the file system, not the disk.
func imageDir(size int64) string {
	var s syscall.Statfs_t
	if syscall.Statfs("/dev/shm", &s) == nil && int64(s.Bavail)*s.Bsize > 2*size {
		return "/dev/shm"
	}
	return ""
}

// Tmpfs mounts a file system in memory at dir, with options as in mount(8).
func Tmpfs(t T, dir, options string) {
	t.Helper()
	NeedsRoot(t)
	mkdir(t, dir)
	Mount(t, "drover-test", dir, "tmpfs", 0, options)
}

// Bind shows the folder from at dir as well.
func Bind(t T, from, dir string) {
	t.Helper()
	NeedsRoot(t)
	mkdir(t, dir)
	Mount(t, from, dir, "", syscall.MS_BIND, "")
}

// Remount changes the options of what is mounted at dir; flags are those of mount(2).
func Remount(t T, dir string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|flags, options); err != nil {
		t.Fatalf("remount %q: %v", dir, err)
	}
}

// Mount is mount(2), with unmounting at the end. The test is skipped where the right is missing.
func Mount(t T, source, dir, kind string, flags uintptr, options string) {
	t.Helper()
	switch err := syscall.Mount(source, dir, kind, flags, options); err {
	case nil:
		t.Cleanup(func() { unmount(t, dir) })
	case syscall.EPERM, syscall.ENODEV:
		t.Skipf("%s cannot be mounted here: %v", kind, err)
	default:
		t.Fatalf("mount %s at %q: %v", kind, dir, err)
	}
}

func unmount(t T, dir string) {
	switch err := syscall.Unmount(dir, 0); err {
	case nil, syscall.EINVAL, syscall.ENOENT: // the test did it
	default:
		t.Logf("unmount %s: %v, open: %q", dir, err, OpenFiles(dir))
		_ = syscall.Unmount(dir, syscall.MNT_DETACH)
	}
}

func mkdir(t T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatalf("%v", err)
	}
}

// NeedsRoot skips the test if it does not run as root.
func NeedsRoot(t T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("needs root, to mount or to make what only root can make")
	}
}

// NeedsProgram skips the test if a program is not installed.
func NeedsProgram(t T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("no %s here", name)
	}
}

// Kinds are the file systems that Loop and Tmpfs give, for tests that run on each.
var Kinds = []string{"ext4", "xfs", "btrfs", "tmpfs"}

// MountKind mounts a fresh file system of one of the Kinds, of half a GiB.
func MountKind(t T, dir, kind string) {
	t.Helper()
	if kind == "tmpfs" {
		Tmpfs(t, dir, "size=512m")
		return
	}
	Loop(t, dir, kind, 512<<20)
}

// Sized is the option of tmpfs for a size in bytes.
func Sized(bytes int64) string { return fmt.Sprintf("size=%d", bytes) }
