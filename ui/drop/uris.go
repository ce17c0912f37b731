// Package drop turns what other programs hand over – dropped URIs, the text of the clipboard, arguments – into paths, byte for
// byte. It decides by form only and never looks at the disk.
package drop

import (
	"errors"
	"path/filepath"
	"strings"
)

// ErrNotLocal is returned for what lies on another machine.
var ErrNotLocal = errors.New("not on this machine")

// ErrNotPath is returned for text that is neither an absolute path nor a file URI.
var ErrNotPath = errors.New("neither a path nor a file URI")

// Path returns the path that a file URI or an absolute path means. %XX stands for one byte, whatever the bytes make.
func Path(s string) (string, error) {
	rest, ok := cutScheme(s)
	switch {
	case !ok && strings.HasPrefix(s, "/"):
		return s, nil
	case !ok && schemeOf(s) != "":
		return "", ErrNotLocal
	case !ok:
		return "", ErrNotPath
	}
	if host, ok := strings.CutPrefix(rest, "//"); ok {
		i := strings.IndexByte(host, '/')
		if i < 0 {
			return "", ErrNotPath
		}
		if h := host[:i]; h != "" && !strings.EqualFold(h, "localhost") {
			return "", ErrNotLocal
		}
		rest = host[i:]
	}
	if !strings.HasPrefix(rest, "/") {
		return "", ErrNotPath
	}
	path, err := unescape(rest)
	if err != nil || strings.IndexByte(path, 0) >= 0 {
		return "", ErrNotPath
	}
	return path, nil
}

func cutScheme(s string) (rest string, ok bool) {
	const file = "file:"
	if len(s) >= len(file) && strings.EqualFold(s[:len(file)], file) {
		return s[len(file):], true
	}
	return s, false
}

// schemeOf returns the scheme of a URI with an authority, "" if s is none.
func schemeOf(s string) string {
	i := strings.Index(s, "://")
	if i <= 0 {
		return ""
	}
	for _, c := range []byte(s[:i]) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' {
			return ""
		}
	}
	return s[:i]
}

// unescape replaces %XX. A % that nothing of the kind follows is an error: guessing would mean another file.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 {
		return s, nil
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", ErrNotPath
		}
		hi, lo := unhex(s[i+1]), unhex(s[i+2])
		if hi < 0 || lo < 0 {
			return "", ErrNotPath
		}
		b = append(b, byte(hi<<4|lo))
		i += 2
	}
	return string(b), nil
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20) - 'a' + 10
	}
	return -1
}

// URI writes a path as a file URI from which Path gets the same bytes back.
func URI(path string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(path) + 16)
	b.WriteString("file://")
	for i := 0; i < len(path); i++ {
		c := path[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if letter || c >= '0' && c <= '9' || strings.IndexByte("/-._~!$&'()*+,;=:@", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// List reads a list of URIs or absolute paths, one a line, as text/uri-list and file managers' clipboards have it: comments
// and the words with which they begin are left out. It returns an error if any line is something else, so that a
// text is not taken for files.
func List(text string) ([]string, error) {
	var out []string
	text = strings.TrimSuffix(text, "\x00")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(out) == 0 && i < 2 && (line == "copy" || line == "cut" || line == "x-special/nautilus-clipboard") {
			continue
		}
		p, err := Path(line)
		if err != nil {
			return nil, err
		}
		out = append(out, Clean(p))
	}
	if len(out) == 0 {
		return nil, ErrNotPath
	}
	return out, nil
}

// FromToolkit returns the path of a dropped URI as GLFW and fyne pass it on. They take the scheme file and the
// escapes away, and make everything else, also "file:/x" and "sftp://host/x", a path below the working directory; cwd tells which.
func FromToolkit(path, cwd string) (string, error) {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(cwd, "/")+"/")
	if !ok {
		return Clean(path), nil
	}
	// filepath.Abs has made one slash of two
	if r, ok := cutScheme(rest); ok && strings.HasPrefix(r, "/") {
		p, err := unescape(r)
		return Clean(p), err
	}
	if i := strings.Index(rest, ":/"); i > 0 && schemeOf(rest[:i]+"://") != "" {
		return "", ErrNotLocal
	}
	return Clean(path), nil
}

// Clean takes off what a path may carry without meaning another file, so that one file dropped in two forms is known as one.
func Clean(path string) string {
	if path == "" {
		return path
	}
	return filepath.Clean(path)
}
