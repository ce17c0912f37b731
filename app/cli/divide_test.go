package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestOnlyNamesLeaveALongCommandLine(t *testing.T) {
	names := make([]string, 2*manyNames)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	for _, c := range []struct {
		name string
		args []string
		head int
	}{
		{"short", []string{"copy", "a", "b"}, 3},
		{"long", append([]string{"copy"}, names...), 4},
		{"behind a flag with a value", append([]string{"copy", "--exclude", "*.o"}, names...), 6},
		{"before a flag", append(append([]string{"copy"}, names...), "--quiet"), len(names) + 2},
		{"before a flag with a value", append(append([]string{"copy"}, names...), "--exclude", "*.o"), len(names) + 3},
		{"after the end of flags", append([]string{"copy", "--", "-x"}, names...), 7},
		{"to be completed", append(append([]string{"__complete", "copy"}, names...), ""), len(names) + 3},
		{"around standard input", append(append([]string{"copy"}, names...), "-", "d"), len(names) + 3},
	} {
		head, more := divide(c.args)
		if len(head) != c.head || !slices.Equal(slices.Concat(head, more), c.args) {
			t.Errorf("%s: %d and %d of %d arguments, want %d first", c.name, len(head), len(more), len(c.args), c.head)
		}
	}
}

func TestALongCommandLineIsCopied(t *testing.T) {
	dir := t.TempDir()
	args := []string{"copy", "--exclude", "7"}
	for i := range 2 * manyNames {
		name := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	dst := t.TempDir()
	var out bytes.Buffer
	if status := Run(t.Context(), append(args, dst), Streams{In: strings.NewReader(""), Out: &out, Err: &out}); status != ExitDone {
		t.Fatalf("status %d: %s", status, out.String())
	}
	got, err := os.ReadDir(dst)
	if err != nil || len(got) != 2*manyNames-1 {
		t.Errorf("%d files, %v", len(got), err)
	}
}
