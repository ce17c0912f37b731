package sys

import "golang.org/x/sys/unix"

// Clone makes dst share the blocks of the whole of src. dst must be empty. never says that it was not handled and will not be
// for any other two files of these file systems.
func Clone(dst, src int) (handled, never bool, err error) {
	for {
		_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(dst), unix.FICLONE, uintptr(src))
		switch e {
		case 0:
			return true, false, nil
		case unix.EINTR:
		case unix.EOPNOTSUPP, unix.ENOTTY, unix.ENOSYS, // the file system cannot
			unix.EXDEV: // another file system, or two mounts of one before 5.18
			return false, true, nil
		case unix.EINVAL, // alignment, or this file without copy-on-write (chattr +C)
			unix.EPERM, unix.EACCES, unix.EBADF, // sealed, immutable, containers
			unix.ETXTBSY, unix.EISDIR: // swap files
			return false, false, nil
		default:
			return true, false, e
		}
	}
}
