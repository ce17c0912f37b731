package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"drover/engine/change"
	"drover/engine/internal/sys"
)

// CheckName says whether a file can have the name: nil, or ErrBadName with the reason.
func CheckName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: it is empty", ErrBadName)
	case name == "." || name == "..":
		return fmt.Errorf("%w: %q stands for a folder", ErrBadName, name)
	case strings.ContainsRune(name, '/'):
		return fmt.Errorf("%w: it contains a slash", ErrBadName)
	case strings.IndexByte(name, 0) >= 0:
		return fmt.Errorf("%w: it contains a NUL byte", ErrBadName)
	case len(name) > nameMax:
		return fmt.Errorf("%w: it is longer than %d bytes", ErrBadName, nameMax)
	}
	return nil
}

// FreeName returns the k-th candidate (k ≥ 1) for a name beside one that is taken: "photo (copy).jpg", "photo (copy 2).jpg", …
// Folders have no extension; "a.tar.gz" keeps both of its. The result has at most 255 bytes and is not cut within a character.
func FreeName(name string, isDir bool, k int) string {
	stem, ext := name, ""
	if !isDir {
		stem, ext = splitExt(name)
	}
	mark := " (copy)"
	if k > 1 {
		mark = fmt.Sprintf(" (copy %d)", k)
	}
	if len(ext)+len(mark) >= nameMax {
		stem, ext = name, ""
	}
	return cut(stem, nameMax-len(mark)-len(ext)) + mark + ext
}

// splitExt parts "a.tar.gz" into "a" and ".tar.gz". A dot at the start or end begins no extension, and neither does one before a blank or more than 16 bytes.
func splitExt(name string) (stem, ext string) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || i == len(name)-1 || len(name)-i > 17 || strings.ContainsRune(name[i:], ' ') {
		return name, ""
	}
	if j := strings.LastIndexByte(name[:i], '.'); j > 0 && name[j:i] == ".tar" {
		i = j
	}
	return name[:i], name[i:]
}

// cut shortens s to at most n bytes, not within a UTF-8 character. Bytes that are no UTF-8 are cut anywhere.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for k := n; k > n-utf8.UTFMax && k > 0; k-- {
		if utf8.RuneStart(s[k]) {
			return s[:k]
		}
	}
	return s[:n]
}

// tempName makes up a name that nobody can guess for a file that is not whole yet. It is created exclusively.
func tempName() sys.Name {
	return sys.Name(change.TempPrefix + strconv.FormatUint(sys.Random(), 36) + "\x00")
}
