package engine

import (
	"fmt"
	"path"
	"strings"

	"drover/engine/internal/sys"
)

// glob is one pattern of Request.Exclude.
type glob struct {
	pattern string
	folders bool // only folders
	whole   bool // the path below the source's parent, not the name alone
}

// parseGlob reads a pattern. "node/" means folders of that name; a slash or "./" at the start says no more than a slash
// further on does. [!a] means [^a], as it does to a shell. What could never match is an error.
func parseGlob(text string) (glob, error) {
	p, folders := strings.CutSuffix(text, "/")
	p, dot := strings.CutPrefix(p, "./")
	p, slash := strings.CutPrefix(p, "/")
	g := glob{negations(p), folders, dot || slash || strings.Contains(p, "/")}
	if _, err := path.Match(g.pattern, "x"); err != nil {
		return g, fmt.Errorf("%w: %q is no pattern: %w", ErrRequest, text, err)
	}
	if g.pattern == "" || strings.Contains(g.pattern, "**") || path.Clean(g.pattern) != g.pattern {
		return g, fmt.Errorf("%w: the pattern %q matches nothing", ErrRequest, text)
	}
	return g, nil
}

// negations writes classes that begin with "!" the way that path.Match understands: with "^".
func negations(p string) string {
	b := []byte(p)
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '[':
			if i++; i < len(b) && b[i] == '!' {
				b[i] = '^'
			}
			for ; i < len(b) && b[i] != ']'; i++ { // in a class "[" is a character like others
				if b[i] == '\\' {
					i++
				}
			}
		}
	}
	return string(b)
}

// excluded reports whether a name is to be left out.
func (r *run) excluded(f *folder, n sys.Name, isDir bool) bool {
	for _, g := range r.exclude {
		name := n.String()
		if g.whole {
			name = r.below(f, n)
		}
		if ok, _ := path.Match(g.pattern, name); ok && (isDir || !g.folders) {
			return true
		}
	}
	return false
}

// below is the path of a name relative to the parent of its source.
func (r *run) below(f *folder, n sys.Name) string {
	p := n.String()
	for x := f; x != nil && !x.root; x = x.parent {
		p = x.name.String() + "/" + p
	}
	return p
}
