package sys

import "golang.org/x/sys/unix"

// Clone makes dst share the blocks of the whole of src. dst must be empty.
func Clone(dst, src int) (handled bool, err error) {
	for {
		_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(dst), unix.FICLONE, uintptr(src))
		switch e {
		case 0:
			return true, nil
		case unix.EINTR:
		case unix.EOPNOTSUPP, unix.ENOTTY, unix.ENOSYS, // the file system cannot
			unix.EXDEV,                          // another file system, or two mounts of one before 5.18
			unix.EINVAL,                         // alignment, or one file without copy-on-write (chattr +C)
			unix.EPERM, unix.EACCES, unix.EBADF, // sealed, immutable, containers
			unix.ETXTBSY, unix.EISDIR: // swap files
			return false, nil
		default:
			return true, e
		}
	}
}
