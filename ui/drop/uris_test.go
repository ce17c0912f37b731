package drop

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestPath(t *testing.T) {
	for _, c := range []struct {
		in, want string
		err      error
	}{
		{"file:///a/b", "/a/b", nil},
		{"file://localhost/a", "/a", nil},
		{"file:/x", "/x", nil},
		{"FILE:///x", "/x", nil},
		{"/plain path", "/plain path", nil},
		{"/plain%20path", "/plain%20path", nil}, // a path is no URI
		{"file:///a%20b", "/a b", nil},
		{"file:///%7B%60%25%E2%82%AC%7D", "/{`%€}", nil},
		{"file:///%FFx", "/\xffx", nil},
		{"file:///raw€#?", "/raw€#?", nil}, // as careless programs write them
		{"file:///a%2Fb", "/a/b", nil},
		{"file:///a%0Ab", "/a\nb", nil},
		{"file:///bad%2", "", ErrNotPath},
		{"file:///bad%zz", "", ErrNotPath},
		{"file:///nul%00", "", ErrNotPath},
		{"file://nas/share", "", ErrNotLocal},
		{"sftp://host/x", "", ErrNotLocal},
		{"file:relative", "", ErrNotPath},
		{"file://", "", ErrNotPath},
		{"relative", "", ErrNotPath},
		{"", "", ErrNotPath},
	} {
		got, err := Path(c.in)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("Path(%q) = %q, %v; want %q, %v", c.in, got, err, c.want, c.err)
		}
	}
}

func TestList(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"# comment\r\nfile:///a\r\nfile:///b%20c\r\n", []string{"/a", "/b c"}},
		{"copy\nfile:///a\n/b/", []string{"/a", "/b"}},
		{"x-special/nautilus-clipboard\ncut\nfile:///a\n", []string{"/a"}},
		{"file:///a\x00", []string{"/a"}},
		{"/a\ncopy", nil},
		{"just text", nil},
		{"/a and\nsome text", nil},
		{"", nil},
	} {
		got, err := List(c.in)
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("List(%q) = %q, %v", c.in, got, err)
		}
	}
}

// TestFromToolkit: what GLFW and fyne make of what a file manager dropped.
func TestFromToolkit(t *testing.T) {
	for _, c := range []struct {
		in, want string
		err      error
	}{
		{"/a/\xff b", "/a/\xff b", nil},
		{"/a/b%20c", "/a/b%20c", nil}, // unescaped already: this is its name
		{"/a/b/", "/a/b", nil},
		{"/cwd/file:/x%20y", "/x y", nil},
		{"/cwd/sftp:/host/x", "", ErrNotLocal},
		{"/cwd/in here", "/cwd/in here", nil},
		{"/cwd/a: /b", "/cwd/a: /b", nil},
	} {
		got, err := FromToolkit(c.in, "/cwd")
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("FromToolkit(%q) = %q, %v; want %q, %v", c.in, got, err, c.want, c.err)
		}
	}
}

func FuzzURI(f *testing.F) {
	for _, s := range []string{"/", "/a b", "/\xff\xfe", "/100%", "/€/日本", "/new\nline"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := "/" + strings.ReplaceAll(s, "\x00", "")
		u := URI(p)
		got, err := Path(u)
		if err != nil || got != p {
			t.Fatalf("%q became %q and then %q, %v", p, u, got, err)
		}
		for i := range len(u) {
			if u[i] <= ' ' || u[i] >= 0x7f {
				t.Fatalf("%q is not plain ASCII", u)
			}
		}
		if l, err := List(u); err != nil || len(l) != 1 || l[0] != Clean(p) {
			t.Fatalf("as a list: %q, %v", l, err)
		}
	})
}
