package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// CopyRange lets the kernel copy up to n bytes at off of src to the same place of dst. It may copy fewer; 0 is the end of src,
// or a file of /proc or /sys, whose data this call does not see: read those.
func CopyRange(dst, src int, off, n int64) (done int64, handled bool, err error) {
	in, out := off, off
	for {
		r, _, e := unix.Syscall6(unix.SYS_COPY_FILE_RANGE, uintptr(src), uintptr(unsafe.Pointer(&in)), uintptr(dst), uintptr(unsafe.Pointer(&out)), uintptr(n), 0)
		switch e {
		case 0:
			return int64(r), true, nil
		case unix.EINTR:
		case unix.ENOSYS, unix.EOPNOTSUPP, // before 4.5, or the file system cannot
			unix.EXDEV,             // two file systems, before 5.3 and again since 5.19
			unix.EINVAL,            // CIFS, and files that only look regular
			unix.EPERM, unix.EBADF, // containers; O_APPEND (golang/go#79660)
			unix.ETXTBSY: // swap files
			return 0, false, nil
		case unix.EIO:
			// CIFS answers EIO for ranges that it cannot do on the server. Reading tells whether the disk is really in trouble.
			return 0, false, nil
		default:
			return 0, true, e
		}
	}
}
