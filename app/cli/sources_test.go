package cli

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPlaces(t *testing.T) {
	const names = "one\x00with\nnewline\x00\x00file:///x\x00-\x00\xff last without end"
	for _, c := range []struct {
		args    []string
		in      string
		sources []string
		dest    string
	}{
		{[]string{"a", "b"}, "", []string{"a"}, "b"},
		{[]string{"a/.", "./b", "c/"}, "", []string{"a/.", "./b"}, "c/"},
		{[]string{"file:///a%20b%FF", "file://localhost/d"}, "", []string{"/a b\xff"}, "/d"},
		{[]string{"a%20b", "d"}, "", []string{"a%20b"}, "d"},
		{[]string{"x", "-", "y", "d"}, names, []string{"x", "one", "with\nnewline", "file:///x", "-", "\xff last without end", "y"}, "d"},
		{[]string{"-", "d"}, "", nil, "d"},
		{[]string{"a", "-"}, "ignored", []string{"a"}, "-"},
	} {
		sources, dest, err := places(c.args, strings.NewReader(c.in))
		if err != nil || dest != c.dest || !slices.Equal(sources, c.sources) {
			t.Errorf("%q: %q → %q %v, want %q → %q", c.args, sources, dest, err, c.sources, c.dest)
		}
	}
}

func TestPlacesRefuses(t *testing.T) {
	broken := iotest.ErrReader(errors.New("broken"))
	for _, c := range []struct {
		args []string
		in   io.Reader
		id   string
	}{
		{[]string{"", "b"}, nil, "cli.empty_place"},
		{[]string{"a", ""}, nil, "cli.empty_place"},
		{[]string{"file://elsewhere.invalid/a", "b"}, nil, "cli.bad_place"},
		{[]string{"file:///%zz", "b"}, nil, "cli.bad_place"},
		{[]string{"nas:photos", "b"}, nil, "cli.bad_place"},
		{[]string{"a", "ssh://me@nas:22/photos"}, nil, "cli.bad_place"},
		{[]string{"https://example.org/a", "b"}, nil, "cli.bad_place"},
		{[]string{"-", "-", "b"}, strings.NewReader("a\x00"), "cli.stdin_twice"},
		{[]string{"-", "b"}, strings.NewReader("a\nb\n"), "cli.stdin_lines"},
		{[]string{"-", "b"}, strings.NewReader("a\nb"), "cli.stdin_lines"},
		{[]string{"-", "b"}, broken, "cli.stdin_failed"},
	} {
		_, _, err := places(c.args, c.in)
		var mistake *usageError
		if !errors.As(err, &mistake) || mistake.id != c.id {
			t.Errorf("%q: %v, want %s", c.args, err, c.id)
		}
	}
}

// TestNamesArriveInPieces: a pipe ends a read wherever it likes.
func TestNamesArriveInPieces(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	got, err := appendNames(nil, iotest.OneByteReader(strings.NewReader("a\x00"+long+"\x00b")))
	if err != nil || !slices.Equal(got, []string{"a", long, "b"}) {
		t.Errorf("%d names, %v", len(got), err)
	}
}
