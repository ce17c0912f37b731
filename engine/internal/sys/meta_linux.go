package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Chown sets owner and group of an open file; NoChange leaves one as it is.
func Chown(fd int, uid, gid uint32) error { return unix.Fchown(fd, int(int32(uid)), int(int32(gid))) }

// NoChange leaves an owner or group as it is.
const NoChange = ^uint32(0)

// Chmod sets the permission bits of an open file.
func Chmod(fd int, perm uint32) error { return unix.Fchmod(fd, perm) }

// SetTimes sets access and modification time of an open file, in nanoseconds.
func SetTimes(fd int, atime, mtime Time) error {
	ts := [2]unix.Timespec{timespec(atime), timespec(mtime)}
	_, _, e := unix.Syscall6(unix.SYS_UTIMENSAT, uintptr(fd), 0, uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	if e != 0 {
		return e
	}
	return nil
}

func timespec(t Time) unix.Timespec { return unix.Timespec{Sec: t.Sec, Nsec: t.Nsec} }

// The same three for what cannot be opened without side effects (links, FIFOs, devices): by name, never through a link.

// LChown sets owner and group.
func LChown(dir int, n Name, uid, gid uint32) error {
	return unix.Fchownat(dir, n.String(), int(int32(uid)), int(int32(gid)), unix.AT_SYMLINK_NOFOLLOW)
}

// LSetTimes sets access and modification time.
func LSetTimes(dir int, n Name, atime, mtime Time) error {
	return unix.UtimesNanoAt(dir, n.String(), []unix.Timespec{timespec(atime), timespec(mtime)}, unix.AT_SYMLINK_NOFOLLOW)
}

// ChmodHandle sets the permission bits of what a Handle stands for. The way over /proc is the one that every kernel
// knows that does not follow a link put there in the meantime.
func ChmodHandle(h int, perm uint32) error { return unix.Chmod(procFD(h), perm) }
