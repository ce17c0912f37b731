package sys

import (
	"errors"
	"syscall"
)

// ErrUnsupported says that this kernel or file system has no such call.
var ErrUnsupported = errors.New("not supported here")

// retry repeats a call that a signal interrupted. The Go runtime preempts with signals, so that EINTR is not rare on FUSE and network file systems.
func retry(call func() syscall.Errno) error {
	for {
		switch e := call(); e {
		case 0:
			return nil
		case syscall.EINTR:
		default:
			return e
		}
	}
}
