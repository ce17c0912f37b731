package sys

import "golang.org/x/sys/unix"

// Datasync returns when the content of a file, and its size, would survive a power cut.
func Datasync(fd int) error {
	for {
		if err := unix.Fdatasync(fd); err != unix.EINTR {
			return err
		}
	}
}
