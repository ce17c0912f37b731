package engine_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"drover/engine"
)

func TestFreeName(t *testing.T) {
	long := strings.Repeat("a", 255)
	umlauts := strings.Repeat("ü", 127) // 254 bytes
	tests := []struct {
		name  string
		isDir bool
		k     int
		want  string
	}{
		{"photo.jpg", false, 1, "photo (copy).jpg"},
		{"photo.jpg", false, 2, "photo (copy 2).jpg"},
		{"photo.jpg", false, 12345, "photo (copy 12345).jpg"},
		{"v1.2", true, 1, "v1.2 (copy)"},
		{"a.tar.gz", false, 1, "a (copy).tar.gz"},
		{"a.tar.gz", true, 1, "a.tar.gz (copy)"},
		{".tar.gz", false, 1, ".tar (copy).gz"},
		{".bashrc", false, 1, ".bashrc (copy)"},
		{"..", false, 1, ".. (copy)"},
		{"name.", false, 1, "name. (copy)"},
		{"no extension", false, 1, "no extension (copy)"},
		{"Dr. No", false, 1, "Dr. No (copy)"},
		{"a.this-is-no-extension", false, 1, "a.this-is-no-extension (copy)"},
		{"photo (copy).jpg", false, 1, "photo (copy) (copy).jpg"},
		{long, false, 1, long[:248] + " (copy)"},
		{long[:251] + ".txt", false, 1, long[:244] + " (copy).txt"},
		{umlauts, false, 1, umlauts[:248] + " (copy)"},
		{umlauts[:250] + ".txt", false, 1, umlauts[:244] + " (copy).txt"},
		{"x" + umlauts, false, 1, "x" + umlauts[:246] + " (copy)"},
		{"\xff\xfe.jpg", false, 1, "\xff\xfe (copy).jpg"},
		{strings.Repeat("\xff", 255), false, 1, strings.Repeat("\xff", 248) + " (copy)"},
		{strings.Repeat("🐑", 63), false, 3, strings.Repeat("🐑", 61) + " (copy 3)"},
	}
	for _, tt := range tests {
		if got := engine.FreeName(tt.name, tt.isDir, tt.k); got != tt.want {
			t.Errorf("FreeName(%q, %v, %d) = %q, want %q", tt.name, tt.isDir, tt.k, got, tt.want)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, good := range []string{"a", "...", ".a", " ", "-rf", "a\nb", "\xff", strings.Repeat("x", 255), "COM1", "a:b"} {
		if err := engine.CheckName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", ".", "..", "/", "a/b", "a\x00", strings.Repeat("x", 256), strings.Repeat("ü", 128)} {
		if err := engine.CheckName(bad); !errors.Is(err, engine.ErrBadName) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzFreeName(f *testing.F) {
	f.Add("photo.jpg", false, 1)
	f.Add("a.tar.gz", false, 2)
	f.Add(strings.Repeat("ü", 127), true, 9999)
	f.Add(strings.Repeat("\xff", 255), false, 10)
	f.Add("."+strings.Repeat("x", 254), false, 3)
	f.Add(strings.Repeat("x", 240)+".tar.verylong", false, 1<<40)
	f.Fuzz(func(t *testing.T, name string, isDir bool, k int) {
		if engine.CheckName(name) != nil || k < 1 {
			t.Skip()
		}
		got := engine.FreeName(name, isDir, k)
		if err := engine.CheckName(got); err != nil {
			t.Errorf("%q, no valid name: %v", got, err)
		}
		if got == name {
			t.Error("the same name")
		}
		if got == engine.FreeName(name, isDir, k+1) {
			t.Errorf("%q twice", got)
		}
		if utf8.ValidString(name) && !utf8.ValidString(got) {
			t.Errorf("%q is cut within a character", got)
		}
	})
}

func FuzzCheckName(f *testing.F) {
	for _, s := range []string{"a", "", "..", "a/b", "a\x00b", strings.Repeat("x", 256)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		bad := len(name) == 0 || len(name) > 255 || name == "." || name == ".." || strings.ContainsAny(name, "/\x00")
		if err := engine.CheckName(name); bad != (err != nil) || err != nil && !errors.Is(err, engine.ErrBadName) {
			t.Errorf("%q: %v", name, err)
		}
	})
}
