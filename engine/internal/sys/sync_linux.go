package sys

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// Fsync returns when content and metadata of an open file or folder are on the medium.
func Fsync(fd int) error {
	return retry(func() syscall.Errno { return errno(unix.Fsync(fd)) })
}

// SyncFS returns when everything that was written to the file system of fd before is on its medium. Since Linux 5.8 it also
// reports (once for each open descriptor) that something of that was lost on the way.
func SyncFS(fd int) error {
	return retry(func() syscall.Errno { return errno(unix.Syncfs(fd)) })
}
