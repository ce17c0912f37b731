// Package drop turns what other programs hand over – dropped URIs, the text of the clipboard – into paths on this machine, byte
// for byte. It decides by form only and never looks at the disk.
package drop

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"drover/engine/place"
)

// openings are the words with which file managers begin a list in the clipboard.
var openings = []string{"copy", "cut", "x-special/nautilus-clipboard"}

// List reads a list of URIs or absolute paths, one a line, as text/uri-list and file managers' clipboards have it. It returns
// an error if any line is something else, or on another machine, so that a text is not taken for files.
func List(text string) ([]string, error) {
	for range 2 {
		line, rest, _ := strings.Cut(text, "\n")
		if slices.Contains(openings, strings.TrimSuffix(line, "\r")) {
			text = rest
		}
	}
	found, err := place.ParseURIList([]byte(text))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("an empty list: %w", place.ErrMalformed)
	}
	out := make([]string, len(found))
	for i, p := range found {
		if out[i], err = local(p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// FromToolkit returns the path of a dropped URI as GLFW and fyne pass it on. They take the scheme file and the
// escapes away, and make everything else, also "file:/x" and "sftp://host/x", a path below the working directory; cwd tells which.
func FromToolkit(path, cwd string) (string, error) {
	rest, inside := strings.CutPrefix(path, strings.TrimSuffix(cwd, "/")+"/")
	scheme, _, uri := strings.Cut(rest, ":/") // of two slashes one is left
	switch {
	case !strings.HasPrefix(path, "/"):
		return "", place.ErrMalformed
	case !inside || !uri || !isScheme(scheme):
		return filepath.Clean(path), nil
	case !strings.EqualFold(scheme, "file"):
		return "", place.ErrScheme
	}
	p, err := place.Parse(rest, cwd)
	if err != nil {
		return "", err
	}
	return local(p)
}

func isScheme(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z'
		return !letter && (r < '0' || r > '9') && r != '+' && r != '-' && r != '.'
	})
}

// local takes off what a path may carry without meaning another file, so that one file dropped in two forms is known as one.
func local(p place.Place) (string, error) {
	path, err := p.Local()
	if err != nil {
		return "", err
	}
	return filepath.Clean(path), nil
}
