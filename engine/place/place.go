package place

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Reasons for which a text means no place, or none that can be used.
var (
	// ErrRemote: the place is on another machine, and only places on this one can be used here.
	ErrRemote = errors.New("on another machine")
	// ErrScheme: a URI of a kind that is not supported.
	ErrScheme = errors.New("addresses of this kind are not supported")
	// ErrMalformed: the text is empty or is no proper path, URI or host:path.
	ErrMalformed = errors.New("not a place")
)

// Place is where a file or folder is.
type Place struct {
	// Path is in bytes. On this machine it is absolute and not cleaned. On another machine it may be relative to the home folder
	// there, and is empty for that folder itself.
	Path string

	Remote bool
	Host   string // of a remote place: name or address, without the brackets of IPv6
	User   string // empty: not said
	Port   int    // 0: not said
}

// Local returns the path of a place on this machine, and ErrRemote for any other.
func (p Place) Local() (string, error) {
	if p.Remote {
		return "", fmt.Errorf("%s: %w", p.Host, ErrRemote)
	}
	return p.Path, nil
}

// String returns a text that Parse makes the same place of, unless it is the path of a local file that looks like another machine's.
func (p Place) String() string {
	if !p.Remote {
		return p.Path
	}
	host := p.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p.User != "" {
		host = p.User + "@" + host
	}
	// Where host:path would be taken for a URI, it is written as one.
	uri := strings.HasPrefix(p.Path, "//") || strings.EqualFold(p.Host, "file") && strings.HasPrefix(p.Path, "/")
	if p.Port == 0 && !uri {
		return host + ":" + p.Path
	}
	if p.Port != 0 {
		host += ":" + strconv.Itoa(p.Port)
	}
	path := escape(p.Path)
	if rest, ok := strings.CutPrefix(path, homePrefix); ok {
		path = "/%7E/" + rest
	} else if path != "" && path[0] != '/' {
		path = homePrefix + path
	}
	return "ssh://" + host + path
}

// homePrefix begins a path in the home folder in ssh URIs, as with git and others.
const homePrefix = "/~/"

// Parse understands what a person or a program writes for a place: a path, absolute or relative to cwd (an absolute path); a file
// URI; ssh://user@host:port/path; host:path and user@host:path. "~" is left to the shell.
//
// With a slash before its first colon, a text is a path. Otherwise "a:b" could be either, and Parse looks at the disk: if there is a local
// file of the name in front of the first slash, the text is a path. This look waits for the disk that cwd is on.
//
// Errors: ErrMalformed for texts that mean no place, ErrScheme for URIs of other kinds, ErrRemote for the file URI of another machine.
func Parse(arg, cwd string) (Place, error) {
	if arg == "" {
		return Place{}, fmt.Errorf("%w: it is empty", ErrMalformed)
	}
	if strings.IndexByte(arg, 0) >= 0 {
		return Place{}, fmt.Errorf("%q: %w: it contains a NUL byte", arg, ErrMalformed)
	}
	scheme, rest, ok := cutScheme(arg)
	if ok && scheme == "file" && strings.HasPrefix(rest, "/") {
		return parseFile(arg, rest)
	}
	if ok && sshScheme(scheme) && strings.HasPrefix(rest, "//") {
		return parseSSH(arg, rest[2:])
	}
	if first, _, _ := strings.Cut(arg, "/"); strings.Contains(first, ":") && !exists(join(cwd, first)) {
		if ok && strings.HasPrefix(rest, "//") {
			return Place{}, fmt.Errorf("%q: %w", arg, ErrScheme)
		}
		if p, ok := parseHostPath(arg); ok {
			return p, nil
		}
	}
	return Place{Path: join(cwd, arg)}, nil
}

// parseHostPath parts [user@]host:path. What has no proper host in front of the colon is no such thing.
func parseHostPath(arg string) (Place, bool) {
	user, rest, ok := strings.Cut(arg, "@")
	if !ok || strings.Contains(user, ":") {
		user, rest = "", arg
	} else if !properUser(user) {
		return Place{}, false
	}
	var host, path string
	if strings.HasPrefix(rest, "[") {
		host, path, ok = strings.Cut(rest[1:], "]:")
		ok = ok && properAddress(host)
	} else {
		host, path, ok = strings.Cut(rest, ":")
		ok = ok && properHost(host)
	}
	return Place{Path: path, Remote: true, Host: host, User: user}, ok
}

// properHost reports whether s can be the name or number of a machine. One that begins with "-" would be an option to ssh.
func properHost(s string) bool {
	if s == "" || s[0] == '-' || s[0] == '.' {
		return false
	}
	return consistsOf(s, func(c byte) bool { return alnum(c) || c == '-' || c == '.' || c == '_' })
}

// properAddress reports whether s can be an IPv6 address, perhaps with an interface behind "%".
func properAddress(s string) bool {
	s, zone, zoned := strings.Cut(s, "%")
	return strings.Contains(s, ":") && consistsOf(s, func(c byte) bool { return hex(c) >= 0 || c == ':' || c == '.' }) &&
		(!zoned || properHost(zone))
}

func properUser(s string) bool {
	if s == "" || s[0] == '-' {
		return false
	}
	return consistsOf(s, func(c byte) bool { return alnum(c) || c >= 0x80 || strings.IndexByte("-._+$\\", c) >= 0 })
}

func consistsOf(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// join is no filepath.Join: cleaning "link/.." would lead elsewhere, and the "/." at the end of a source means something.
func join(cwd, path string) string {
	if strings.HasPrefix(path, "/") || cwd == "" {
		return path
	}
	if strings.HasSuffix(cwd, "/") {
		return cwd + path
	}
	return cwd + "/" + path
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
