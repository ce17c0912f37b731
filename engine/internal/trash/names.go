package trash

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"drover/engine/internal/sys"
)

// candidate returns the k-th name (k ≥ 0) under which something called base may lie in the trash. An empty base stands for a name that the file system
// does not take there.
func candidate(base string, k int) string {
	mark := ""
	switch {
	case base == "":
		return strconv.FormatUint(sys.Random(), 36)
	case k >= namedTries:
		mark = "." + strconv.FormatUint(sys.Random(), 36)
	case k > 0:
		mark = fmt.Sprintf(".%d", k+1)
	}
	return cut(base, nameMax-len(mark)) + mark
}

// cut shortens s to at most n bytes, not within a UTF-8 character: some file systems refuse half of one.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for k := n; k > n-utf8.UTFMax; k-- {
		if utf8.RuneStart(s[k]) {
			return s[:k]
		}
	}
	return s[:n]
}
