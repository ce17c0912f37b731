package sys

import "golang.org/x/sys/unix"

// NextData finds the next stretch of data of a file at or after off. ok is false when only a hole is left.
// A file system that does not know holes says that everything is data.
func NextData(fd int, off, size int64) (from, to int64, ok bool, err error) {
	from, err = seek(fd, off, unix.SEEK_DATA)
	switch err {
	case nil:
	case unix.ENXIO:
		return 0, 0, false, nil
	case unix.EINVAL, unix.EOPNOTSUPP, unix.ENOSYS:
		return off, size, off < size, nil
	default:
		return 0, 0, false, err
	}
	to, err = seek(fd, from, unix.SEEK_HOLE)
	if err != nil {
		to = size
	}
	// A file that is being written and punched at the same time may answer with a place that is not further on:
	// then take at least one block, so that every step gets ahead (coreutils#159).
	if to <= from {
		to = from + 4096
	}
	return from, min(to, size), from < size, nil
}

func seek(fd int, off int64, whence int) (int64, error) {
	for {
		n, err := unix.Seek(fd, off, whence)
		if err != unix.EINTR {
			return n, err
		}
	}
}
