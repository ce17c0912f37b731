package sys

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// Umask returns the process's file mode creation mask. It is read once, from /proc, because asking the kernel directly
// means to change it for a moment for all threads.
var Umask = sync.OnceValue(func() uint32 {
	data, err := os.ReadFile("/proc/self/status")
	if err == nil {
		if _, rest, ok := bytes.Cut(data, []byte("\nUmask:")); ok {
			line, _, _ := bytes.Cut(rest, []byte("\n"))
			if m, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 8, 32); err == nil {
				return uint32(m)
			}
		}
	}
	return 0o077 // not known: assume the strictest, so that every mode is set by itself
})

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
