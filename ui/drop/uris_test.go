package drop

import (
	"errors"
	"slices"
	"testing"

	"drover/engine/place"
)

func TestList(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"# comment\r\nfile:///a\r\nfile:///b%20c\r\n", []string{"/a", "/b c"}},
		{"copy\nfile:///a\n/b/", []string{"/a", "/b"}},
		{"copy\r\nfile:///a\r\n", []string{"/a"}},
		{"x-special/nautilus-clipboard\ncut\nfile:///a\n", []string{"/a"}},
		{"file:///a\x00", []string{"/a"}},
		{"file:/x", []string{"/x"}},
		{"FILE://localhost/x/.", []string{"/x"}},
		{"/plain%20path", []string{"/plain%20path"}}, // a path is no URI
		{"file:///%FFx\nfile:///a%0Ab", []string{"/\xffx", "/a\nb"}},
		{"/a\ncopy", nil},
		{"just text", nil},
		{"/a and\nsome text", nil},
		{"/a\nfile:///bad%2", nil},
		{"/a\nfile://nas/share", nil},
		{"/a\nsftp://host/x", nil},
		{"copy", nil},
		{"# only this", nil},
		{"", nil},
	} {
		got, err := List(c.in)
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("List(%q) = %q, %v", c.in, got, err)
		}
	}
}

// TestListReadsWhatWasCopied: any name goes through the clipboard unharmed.
func TestListReadsWhatWasCopied(t *testing.T) {
	for _, p := range []string{"/", "/a b", "/\xff\xfe", "/100%", "/€/日本", "/new\nline", "/copy", "/#x?y"} {
		if got, err := List(place.FileURI(p)); err != nil || len(got) != 1 || got[0] != p {
			t.Errorf("%q came back as %q, %v", p, got, err)
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
		{"/cwd/File:/x", "/x", nil},
		{"/cwd/file:/x%2", "", place.ErrMalformed},
		{"", "", place.ErrMalformed},
		{"/cwd/sftp:/host/x", "", place.ErrScheme},
		{"/cwd/in here", "/cwd/in here", nil},
		{"/cwd/a: /b", "/cwd/a: /b", nil},
		{"/cwd/two\nlines sftp:/x", "/cwd/two\nlines sftp:/x", nil},
	} {
		got, err := FromToolkit(c.in, "/cwd")
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("FromToolkit(%q) = %q, %v; want %q, %v", c.in, got, err, c.want, c.err)
		}
	}
}
