package sys

import "golang.org/x/sys/unix"

// The lock belongs to the open file, not to the process (an open file description lock, Linux 3.15): another descriptor of the
// same process meets it too, closing a second descriptor of the file does not give it up, and who only asks for it disturbs
// nobody. It ends with the last descriptor of the open file, thus also when the process is killed.

// LockFile takes the lock of a whole file that is open for writing, without waiting. ok is false if somebody else has it.
func LockFile(fd int) (ok bool, err error) {
	for {
		switch err := unix.FcntlFlock(uintptr(fd), unix.F_OFD_SETLK, &unix.Flock_t{Type: unix.F_WRLCK}); err {
		case nil:
			return true, nil
		case unix.EINTR:
		case unix.EAGAIN, unix.EACCES:
			return false, nil
		default:
			return false, err
		}
	}
}

// FileLocked reports whether the lock of a file is taken by another open file than fd's. It takes nothing itself.
func FileLocked(fd int) (bool, error) {
	l := unix.Flock_t{Type: unix.F_WRLCK}
	for {
		if err := unix.FcntlFlock(uintptr(fd), unix.F_OFD_GETLK, &l); err != unix.EINTR {
			return l.Type != unix.F_UNLCK, err
		}
	}
}
