package sys

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func openat(dir int, n Name, flags int, mode uint32) (int, error) {
	for {
		fd, _, e := unix.Syscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(unsafe.StringData(string(n)))), uintptr(flags|unix.O_CLOEXEC|unix.O_LARGEFILE), uintptr(mode), 0, 0)
		if e == 0 {
			return int(fd), nil
		}
		if e != unix.EINTR {
			return -1, e
		}
	}
}

// CWD stands for the working directory where a folder descriptor is wanted.
const CWD = unix.AT_FDCWD

// OpenRead opens a file for reading. It never waits for a writer of a FIFO, and without follow never goes through a link (ELOOP).
func OpenRead(dir int, n Name, follow bool) (int, error) {
	flags := unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	return openat(dir, n, flags, 0)
}

// Create makes a file that did not exist (EEXIST otherwise) and opens it for writing. The umask applies.
func Create(dir int, n Name, mode uint32) (int, error) {
	return openat(dir, n, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, mode)
}

// CreateUnnamed makes a file without a name in the folder dir (O_TMPFILE); Link gives it one.
// handled is false where the file system or kernel has no such files.
func CreateUnnamed(dir int, mode uint32) (fd int, handled bool, err error) {
	fd, err = openat(dir, ".\x00", unix.O_RDWR|unix.O_TMPFILE, mode)
	switch err {
	case nil:
		return fd, true, nil
	case unix.EOPNOTSUPP, unix.EISDIR, unix.EINVAL, unix.ENOSYS, unix.ENOENT:
		// EISDIR, ENOENT: kernels and FUSE file systems that do not know the flag see a plain open of the folder.
		return -1, false, nil
	}
	return -1, true, err
}

// OpenDir opens a folder for its names and as a starting point of other calls. Without follow it is not opened through a link (ENOTDIR, ELOOP).
func OpenDir(dir int, n Name, follow bool) (int, error) {
	flags := unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NONBLOCK
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	return openat(dir, n, flags, 0)
}

// Search opens a folder only as a starting point of other calls: the right to search it is enough.
func Search(dir int, n Name) (int, error) {
	return openat(dir, n, unix.O_PATH|unix.O_DIRECTORY, 0)
}

// OpenBeneath opens the folder at a relative path of several names without going through any link in it.
// It returns ErrUnsupported where the kernel has no openat2 (before 5.6, or filtered).
func OpenBeneath(dir int, n Name) (int, error) {
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NONBLOCK | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	for {
		fd, _, e := unix.Syscall6(unix.SYS_OPENAT2, uintptr(dir), uintptr(unsafe.Pointer(unsafe.StringData(string(n)))), uintptr(unsafe.Pointer(&how)), unix.SizeofOpenHow, 0, 0)
		switch e {
		case 0:
			return int(fd), nil
		case unix.EINTR, unix.EAGAIN: // EAGAIN: a rename raced with the look-up
		case unix.ENOSYS, unix.EPERM:
			return -1, ErrUnsupported
		default:
			return -1, e
		}
	}
}

// Handle opens whatever lies at n, without reading it and without following a link (O_PATH).
func Handle(dir int, n Name) (int, error) {
	return openat(dir, n, unix.O_PATH|unix.O_NOFOLLOW, 0)
}

// Close closes fd. The descriptor is gone whatever the answer; EINTR is no error on Linux.
func Close(fd int) error {
	_, _, e := unix.Syscall(unix.SYS_CLOSE, uintptr(fd), 0, 0)
	if e == 0 || e == unix.EINTR {
		return nil
	}
	return e
}

// Writable reports (as nil) that the effective user may write to the folder dir.
func Writable(dir int) error {
	return retry(func() syscall.Errno {
		err := unix.Faccessat(dir, ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS)
		return errno(err)
	})
}

func errno(err error) syscall.Errno {
	if err == nil {
		return 0
	}
	if e, ok := err.(syscall.Errno); ok {
		return e
	}
	return syscall.EINVAL
}
