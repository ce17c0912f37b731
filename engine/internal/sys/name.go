package sys

import (
	"strings"
	"syscall"
)

// Name is a file name or path with the NUL that the kernel wants at its end, so that no call has to copy it.
// The zero value stands for "no name".
type Name string

// MakeName returns the Name of s. It fails with EINVAL if s contains a NUL.
func MakeName(s string) (Name, error) {
	if strings.IndexByte(s, 0) >= 0 {
		return "", syscall.EINVAL
	}
	return Name(s + "\x00"), nil
}

// String returns the name without its NUL. It does not allocate.
func (n Name) String() string {
	if n == "" {
		return ""
	}
	return string(n[:len(n)-1])
}
