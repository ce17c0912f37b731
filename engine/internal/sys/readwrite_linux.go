package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Read reads up to len(buf) bytes at the descriptor's own place; 0 is the end.
func Read(fd int, buf []byte) (int, error) {
	for {
		n, _, e := unix.Syscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)))
		if e == 0 {
			return int(n), nil
		}
		if e != unix.EINTR {
			return 0, e
		}
	}
}

// ReadAt reads up to len(buf) bytes at off; 0 is the end.
func ReadAt(fd int, buf []byte, off int64) (int, error) {
	for {
		n, err := unix.Pread(fd, buf, off)
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}

// Write writes all of buf at the descriptor's own place, in several calls if the kernel takes less at once.
func Write(fd int, buf []byte) error {
	for len(buf) > 0 {
		n, _, e := unix.Syscall(unix.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)))
		if e == unix.EINTR {
			continue
		}
		if e != 0 {
			return e
		}
		if n == 0 {
			return unix.EIO // a file system that takes nothing and names no reason
		}
		buf = buf[n:]
	}
	return nil
}

// WriteAt writes all of buf at off.
func WriteAt(fd int, buf []byte, off int64) error {
	for len(buf) > 0 {
		n, err := unix.Pwrite(fd, buf, off)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return unix.EIO
		}
		buf, off = buf[n:], off+int64(n)
	}
	return nil
}

// Truncate sets the size of a file.
func Truncate(fd int, size int64) error {
	for {
		if err := unix.Ftruncate(fd, size); err != unix.EINTR {
			return err
		}
	}
}
