package cli_test

import (
	"os"
	"testing"
)

// The same of a range of a file (D6). The length tells, so that what is a stretch of data among holes shows only when it is read.
func TestKernelThatClaimsToHaveCopied(t *testing.T) {
	dir := offloaded(t)
	for _, name := range []string{"/s/holes", "/s/small"} { // small files are read and written
		if err := os.Remove(dir + name); err != nil {
			t.Fatal(err)
		}
	}
	claims(t, dir, "copy_file_range:retval=1048576", 2)
}
