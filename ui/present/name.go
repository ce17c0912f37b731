package present

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name writes a file name for the screen. What a screen cannot show as one line of honest text is written as an
// escape: control characters (a newline would break the row), bytes that are not UTF-8, and the marks that turn the
// direction of writing, with which "exe.txt" can be made to look like "txt.exe". It is for the screen only: what is
// passed on to the engine is always the name itself.
func Name(name string) string {
	clean := true
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < 0x20 || c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return name
	}
	var b strings.Builder
	b.Grow(len(name) + 8)
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02X`, name[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02X`, r)
		case hidden(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteString(name[i : i+n])
		}
		i += n
	}
	return b.String()
}

// hidden reports whether r changes what is around it without being seen itself. U+200C and U+200D are left alone:
// Persian and emoji need them.
func hidden(r rune) bool {
	switch {
	case r == 0x200C || r == 0x200D:
		return false
	case r >= 0x80 && r < 0xA0, r == 0x2028, r == 0x2029, r == 0xFEFF:
		return true
	}
	return unicode.Is(unicode.Cf, r) && r != 0xAD
}

// Base writes the last part of a path for the screen; the root keeps its slash.
func Base(path string) string { return Name(filepath.Base(path)) }

// Place writes a folder's path for the screen, with the home folder as "~".
func Place(path, home string) string {
	if home != "" && home != "/" {
		if path == home {
			return "~"
		}
		if rest, ok := strings.CutPrefix(path, home+"/"); ok {
			return "~/" + Name(rest)
		}
	}
	return Name(path)
}
