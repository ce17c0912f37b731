package sys

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Umask returns the process's file mode creation mask. It is read once, from /proc, because asking the kernel directly
// means to change it for a moment for all threads.
var Umask = sync.OnceValue(func() uint32 {
	if m, ok := readUmask(); ok {
		return m
	}
	return 0o077 // not known: assume the strictest, so that every mode is set by itself
})

func readUmask() (uint32, bool) {
	fd, err := unix.Open("/proc/self/status", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, false
	}
	defer func() { _ = unix.Close(fd) }()
	var buf [256]byte // it is in the second line, behind a name of at most 64 bytes
	n, err := unix.Read(fd, buf[:])
	if err != nil {
		return 0, false
	}
	_, rest, _ := bytes.Cut(buf[:n], []byte("\nUmask:"))
	digits, _, _ := bytes.Cut(rest, []byte("\n"))
	m, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 8, 32)
	return uint32(m), err == nil
}

// Random returns 64 bits that nobody can guess. It asks the kernel itself: the packages for cryptography would make
// every start of the program slower, for names of temporary files.
func Random() uint64 {
	var b [8]byte
	_, _ = unix.Getrandom(b[:], 0) // so few bytes are always there, and whole; without any, exclusive creation finds out
	return binary.NativeEndian.Uint64(b[:])
}

// User returns the effective user and group of the process.
func User() (uid, gid uint32) { return uint32(syscall.Geteuid()), uint32(syscall.Getegid()) }

// DescriptorLimit returns how many descriptors the process may have.
func DescriptorLimit() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 256
	}
	return int(min(l.Cur, 1<<20))
}
