package sys

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// WatchMountTable calls changed once at the start and then after every mount and unmount, until ctx ends. Several changes may be one call.
//
// The kernel marks /proc/self/mountinfo as ready (POLLERR, POLLPRI) when the table changes. Go's poller is woken by that too, so
// that no thread has to sit in poll(2). All waiting happens inside one Read: between two of them a wake-up could get lost.
func WatchMountTable(ctx context.Context, changed func()) error {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	defer f.Close()
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	err = c.Read(func(uintptr) bool {
		if ctx.Err() != nil {
			return true
		}
		changed() // at first too: Read has just forgotten what woke the poller before
		return false
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Space returns the size of the file system that path is on and what the user may still use of it, in bytes.
func Space(path string) (total, free int64, readOnly bool, err error) {
	var st unix.Statfs_t
	if err := retry(func() syscall.Errno { return errno(unix.Statfs(path, &st)) }); err != nil {
		return 0, 0, false, err
	}
	unit := int64(st.Frsize)
	if unit == 0 {
		unit = int64(st.Bsize) // as the C library does for file systems that do not fill it in
	}
	return int64(st.Blocks) * unit, int64(st.Bavail) * unit, st.Flags&unix.ST_RDONLY != 0, nil
}

// MountID returns the number that the mount has in the mount table through which a file or folder was opened. It tells two mounts of one file system
// apart, which device numbers do not. It is read from /proc, for statx knows it only since 5.8.
func MountID(fd int) (int, error) {
	text, err := os.ReadFile("/proc/self/fdinfo/" + strconv.Itoa(fd))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(text, []byte("\nmnt_id:"))
	digits, _, _ := bytes.Cut(rest, []byte("\n"))
	return strconv.Atoi(string(bytes.TrimSpace(digits)))
}

// FolderPath returns the absolute path of an open folder as the kernel has it now, without any link in it. It is not ok where there is none: for a folder
// that was removed or cannot be reached, and for a path of more than 4095 bytes.
func FolderPath(fd int) (path string, ok bool) {
	path, err := Readlink(CWD, Name(procFD(fd)+"\x00"))
	if err != nil {
		return "", false
	}
	var own, at Stat // " (deleted)" at the end may be part of a name, too
	ok = Fstat(fd, &own) == nil && Lookup(CWD, Name(path+"\x00"), true, &at) == nil && own.ID == at.ID
	return path, ok
}
