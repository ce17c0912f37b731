package present

import (
	"path/filepath"
	"strings"

	"drover/engine"
)

// Copied returns the names that a request leaves in its destination folder, as far as they are in l, which lists it. A
// source that lay there already was duplicated; of several duplicates the last is meant.
func Copied(r engine.Request, l *Listing) []string {
	there := make(map[string]bool, l.Len())
	for i := range l.Len() {
		there[l.Name(i)] = true
	}
	dest := filepath.Clean(r.Dest)
	var names []string
	for _, src := range r.Sources {
		if strings.HasSuffix(src, "/.") {
			continue // what is in it, and that is anything
		}
		src = filepath.Clean(src)
		name := filepath.Base(src)
		if r.Duplicate && filepath.Dir(src) == dest {
			name = lastDuplicate(name, there)
		}
		if there[name] {
			names = append(names, name)
		}
	}
	return names
}

// lastDuplicate is the last of the names that duplicates of name have, "" if there is none.
func lastDuplicate(name string, there map[string]bool) string {
	last := ""
	for k := 1; ; k++ {
		file, folder := engine.FreeName(name, false, k), engine.FreeName(name, true, k)
		switch {
		case there[file]:
			last = file
		case there[folder]:
			last = folder
		default:
			return last
		}
	}
}
