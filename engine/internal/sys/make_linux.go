package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Mkdir makes a folder; EEXIST if the name is taken. The umask applies.
func Mkdir(dir int, n Name, mode uint32) error {
	for {
		_, _, e := unix.Syscall(unix.SYS_MKDIRAT, uintptr(dir), uintptr(unsafe.Pointer(unsafe.StringData(string(n)))), uintptr(mode))
		if e == 0 {
			return nil
		}
		if e != unix.EINTR {
			return e
		}
	}
}

// Mknod makes a FIFO or device; EEXIST if the name is taken. Devices need root.
func Mknod(dir int, n Name, mode uint32, rdev uint64) error {
	return unix.Mknodat(dir, n.String(), mode, int(rdev))
}

// MakeSymlink makes a link with the given text; EEXIST if the name is taken.
func MakeSymlink(text string, dir int, n Name) error { return unix.Symlinkat(text, dir, n.String()) }

// Readlink returns the text of a link.
func Readlink(dir int, n Name) (string, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		k, err := unix.Readlinkat(dir, n.String(), buf)
		if err != nil {
			return "", err
		}
		if k < size {
			return string(buf[:k]), nil
		}
	}
}
