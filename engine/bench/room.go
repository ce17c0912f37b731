package main

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
)

// room is what a file system has to hold.
type room struct {
	bytes  int64
	inodes int
}

const (
	gigabyte   = 1e9
	tmpfsMagic = 0x01021994
)

// lack says what is missing for a file system of that kind and room whose home is the folder work; nothing if all is there.
func (r room) lack(fs, work string) string {
	var at syscall.Statfs_t
	if err := syscall.Statfs(work, &at); err != nil {
		return "" // making it will tell
	}
	if free := int64(at.Bavail) * at.Bsize; fs != "tmpfs" && free < r.bytes {
		return fmt.Sprintf("it needs %.1f GB, and %s has %.1f", float64(r.bytes)/gigabyte, work, float64(free)/gigabyte)
	}
	// Beside the file system there must be memory for what is not written to it yet.
	need := r.bytes + r.bytes/4
	if have := available(); (fs == "tmpfs" || at.Type == tmpfsMagic) && have > 0 && have < need {
		return fmt.Sprintf("it needs %.1f GB of memory, and %.1f are free", float64(need)/gigabyte, float64(have)/gigabyte)
	}
	return ""
}

// available is the memory in bytes that programs can have, 0 if it is not known.
func available() int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", "MemAvailable"), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}
