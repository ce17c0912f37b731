package floor

import (
	"syscall"
	"unsafe"

	"drover/engine/internal/sys"
)

// The calls made for every file go to the kernel without telling the Go runtime. It would take the processor from a
// thread that stays in the kernel for more than some microseconds, as creating a file does, and give it to another:
// a tenth of the time of 5000 small files. A program that must not freeze wants that; the floor does not.

// openat opens or creates a file of the folder dir.
func openat(dir int, n sys.Name, flags int, mode uint32) (int, error) {
	flags |= syscall.O_CLOEXEC | syscall.O_NOFOLLOW | syscall.O_LARGEFILE
	for {
		fd, _, e := syscall.RawSyscall6(syscall.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(unsafe.StringData(string(n)))), uintptr(flags), uintptr(mode), 0, 0)
		if e != syscall.EINTR {
			return int(fd), failure(e)
		}
	}
}

// read fills some of buf from where the file was read last; 0 is its end.
func read(fd int, buf []byte) (int, error) { return transfer(syscall.SYS_READ, fd, buf) }

// write writes some of buf behind what was written last.
func write(fd int, buf []byte) (int, error) { return transfer(syscall.SYS_WRITE, fd, buf) }

func transfer(call uintptr, fd int, buf []byte) (int, error) {
	for {
		n, _, e := syscall.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)))
		switch e {
		case 0:
			return int(n), nil
		case syscall.EINTR:
		default:
			return 0, e
		}
	}
}

// ficlone is the number of the request that makes a file share the blocks of another.
const ficlone = 0x40049409

// clone reports whether dst shares the blocks of src now. Every refusal counts as inability.
func clone(dst, src int) bool {
	for {
		_, _, e := syscall.RawSyscall(syscall.SYS_IOCTL, uintptr(dst), ficlone, uintptr(src))
		if e != syscall.EINTR {
			return e == 0
		}
	}
}

// askAttributes asks how long the list of a file's attributes is. File systems without any say so.
func askAttributes(fd int) error {
	_, _, e := syscall.RawSyscall(syscall.SYS_FLISTXATTR, uintptr(fd), 0, 0)
	if e == syscall.EOPNOTSUPP || e == syscall.ENOSYS {
		return nil
	}
	return failure(e)
}

// setTimes sets when an open file was read and changed last.
func setTimes(fd int, st *sys.Stat) error {
	times := [2]syscall.Timespec{timespec(st.Atime), timespec(st.Mtime)}
	_, _, e := syscall.RawSyscall6(syscall.SYS_UTIMENSAT, uintptr(fd), 0, uintptr(unsafe.Pointer(&times)), 0, 0, 0)
	return failure(e)
}

func timespec(t sys.Time) syscall.Timespec { return syscall.NsecToTimespec(t.Sec*1e9 + t.Nsec) }

// shut closes a descriptor.
func shut(fd int) error {
	_, _, e := syscall.RawSyscall(syscall.SYS_CLOSE, uintptr(fd), 0, 0)
	return failure(e)
}

func failure(e syscall.Errno) error {
	if e == 0 {
		return nil
	}
	return e
}
