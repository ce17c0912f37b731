package place

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// FileURI writes an absolute path as a file URI. Every byte survives: Parse returns exactly path.
func FileURI(path string) string { return "file://" + escape(path) }

// ParseURIList reads the places of a text/uri-list, as file managers drop it: one a line, ended by CRLF or LF; lines that begin
// with # are comments. Absolute paths, which some programs send instead of URIs, are taken as they are.
//
// If lines mean no place, the error tells of each (see errors.Join and Parse); the places of all other lines are returned with it.
func ParseURIList(list []byte) ([]Place, error) {
	var places []Place
	var errs []error
	// Some programs send the NUL that ends their string.
	for line := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		p, err := parseURI(line)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		places = append(places, p)
	}
	return places, errors.Join(errs...)
}

func parseURI(line string) (Place, error) {
	if strings.HasPrefix(line, "/") {
		return Parse(line, "")
	}
	// A blank within a URI is written %20; one at its end was not meant.
	line = strings.Trim(line, " \t")
	switch scheme, rest, ok := cutScheme(line); {
	case strings.IndexByte(line, 0) >= 0 || !ok:
		return Place{}, fmt.Errorf("%q: %w", line, ErrMalformed)
	case scheme == "file":
		return parseFile(line, rest)
	case sshScheme(scheme) && strings.HasPrefix(rest, "//"):
		return parseSSH(line, rest[2:])
	default:
		return Place{}, fmt.Errorf("%q: %w", line, ErrScheme)
	}
}

// cutScheme parts "scheme:rest".
func cutScheme(s string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(s, ":")
	if !ok || scheme == "" || !alnum(scheme[0]) || scheme[0] <= '9' {
		return "", "", false
	}
	if !consistsOf(scheme, func(c byte) bool { return alnum(c) || c == '+' || c == '-' || c == '.' }) {
		return "", "", false
	}
	return strings.ToLower(scheme), rest, true
}

func sshScheme(s string) bool { return s == "ssh" || s == "sftp" }

// parseFile takes what stands behind "file:": /path, ///path, //localhost/path, or this machine's own name for localhost. "?" and "#"
// are no queries and fragments, which files do not have, but parts of names that a program forgot to escape.
func parseFile(uri, rest string) (Place, error) {
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		host, _, _ := strings.Cut(authority, "/")
		rest = authority[len(host):]
		if !thisMachine(host) {
			return Place{}, fmt.Errorf("%q: %w", uri, ErrRemote)
		}
	}
	path, err := unescape(rest)
	if err != nil || !strings.HasPrefix(path, "/") {
		return Place{}, fmt.Errorf("%q: %w", uri, ErrMalformed)
	}
	return Place{Path: path}, nil
}

func thisMachine(host string) bool {
	if host == "" || strings.EqualFold(host, "localhost") {
		return true
	}
	own, err := os.Hostname()
	return err == nil && strings.EqualFold(host, own)
}

// parseSSH takes what stands behind "ssh://": user@host:port/path, where path may begin with homePrefix.
func parseSSH(uri, rest string) (Place, error) {
	malformed := func(why string) (Place, error) {
		return Place{}, fmt.Errorf("%q: %w: %s", uri, ErrMalformed, why)
	}
	authority, _, _ := strings.Cut(rest, "/")
	path, err := unescape(strings.TrimPrefix(rest[len(authority):], homePrefix))
	if err != nil {
		return malformed(err.Error())
	}
	p := Place{Path: path, Remote: true}
	host := authority
	if user, h, ok := cutLast(authority, "@"); ok {
		if strings.Contains(user, ":") {
			return malformed("a password does not belong into an address")
		}
		if p.User, err = unescape(user); err != nil || !properUser(p.User) {
			return malformed("no proper user name")
		}
		host = h
	}
	port := ""
	if inner, ok := strings.CutPrefix(host, "["); ok {
		if p.Host, port, ok = strings.Cut(inner, "]"); !ok || !properAddress(p.Host) || port != "" && port[0] != ':' {
			return malformed("no proper address")
		}
		port = strings.TrimPrefix(port, ":")
	} else if p.Host, port, _ = strings.Cut(host, ":"); !properHost(p.Host) {
		return malformed("no proper host name")
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return malformed("no proper port")
		}
		p.Port = int(n)
	}
	return p, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// escape writes every byte that has a meaning in a URI, or none at all, as %XX.
func escape(path string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(path) + 16)
	for i := range len(path) {
		if c := path[i]; alnum(c) || strings.IndexByte("/-._~!$&'()*+,;=:@", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// unescape replaces %XX by the byte. A % that no two hexadecimal digits follow is an error: a guess could mean another file.
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
		if i+2 >= len(s) || hex(s[i+1]) < 0 || hex(s[i+2]) < 0 {
			return "", errors.New("a % without two hexadecimal digits")
		}
		c := byte(hex(s[i+1])<<4 | hex(s[i+2]))
		if c == 0 {
			return "", errors.New("a NUL byte")
		}
		b = append(b, c)
		i += 2
	}
	return string(b), nil
}

// hex returns the value of a hexadecimal digit, -1 for anything else.
func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20) - 'a' + 10
	}
	return -1
}
