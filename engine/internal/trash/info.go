package trash

import (
	"hash/fnv"
	"strings"
	"syscall"
	"time"

	"drover/engine/internal/sys"
)

const infoSuffix = ".trashinfo"

// infoText is the content of an info.
func infoText(path string, when time.Time) []byte {
	b := make([]byte, 0, len(path)+len(path)/4+80)
	b = append(b, "[Trash Info]\nPath="...)
	b = appendEscaped(b, path)
	b = append(b, "\nDeletionDate="...)
	b = when.Local().AppendFormat(b, "2006-01-02T15:04:05")
	return append(b, '\n')
}

// appendEscaped appends a path as in a URL. Everything but the slash is escaped that could mean something anywhere.
func appendEscaped(b []byte, path string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(path) {
		c := path[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/-._~", c) >= 0:
			b = append(b, c)
		default:
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return b
}

// sum tells one info from another.
func sum(text []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(text)
	return h.Sum64()
}

// lastName returns the last name of an absolute path. EINVAL if it has none that a file could have had.
func lastName(path string) (string, error) {
	i := strings.LastIndexByte(path, '/')
	base := path[i+1:]
	if path == "" || path[0] != '/' || base == "" || base == "." || base == ".." || strings.IndexByte(path, 0) >= 0 {
		return "", syscall.EINVAL
	}
	return base, nil
}

// pathFor returns the path for an info: in the trash at a mount point relative to that, so that it stays true wherever a disk is mounted.
//
// A path that leads there through links or ".." is asked of the kernel. One that the kernel cannot tell (longer than 4096 bytes) is left absolute: the
// specification wants that in the trash of the home only, but all programs read it everywhere.
func (b *Bin) pathFor(dir int, path, base string) string {
	if b.top == "" {
		return path
	}
	if rel, ok := below(b.top, path); ok {
		return rel
	}
	if at, ok := sys.FolderPath(dir); ok {
		if rel, ok := below(b.top, at+"/"+base); ok {
			return rel
		}
	}
	return path
}

// below returns path relative to the folder top, without names that mean nothing. It is not ok for what lies elsewhere or may lie elsewhere.
func below(top, path string) (rel string, ok bool) {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(top, "/")+"/")
	if !ok {
		return "", false
	}
	var names []string
	for n := range strings.SplitSeq(rest, "/") {
		switch n {
		case "", ".":
		case "..":
			return "", false
		default:
			names = append(names, n)
		}
	}
	return strings.Join(names, "/"), len(names) > 0
}
