package place

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// UserDir is a folder in which a person keeps things.
type UserDir struct {
	Kind UserKind
	Path string
}

// UserKind says what a user folder is for. Its name on the disk may be in any language.
type UserKind uint8

// The home folder and the XDG user folders, in the order of UserDirs.
const (
	Home UserKind = iota
	Desktop
	Documents
	Downloads
	Music
	Pictures
	Videos
	Templates
	Public
)

// userDirs are the names in user-dirs.dirs, and those of the folders where nothing else is said.
var userDirs = [...]struct{ variable, usual string }{
	Desktop:   {"XDG_DESKTOP_DIR", "Desktop"},
	Documents: {"XDG_DOCUMENTS_DIR", "Documents"},
	Downloads: {"XDG_DOWNLOAD_DIR", "Downloads"},
	Music:     {"XDG_MUSIC_DIR", "Music"},
	Pictures:  {"XDG_PICTURES_DIR", "Pictures"},
	Videos:    {"XDG_VIDEOS_DIR", "Videos"},
	Templates: {"XDG_TEMPLATES_DIR", "Templates"},
	Public:    {"XDG_PUBLICSHARE_DIR", "Public"},
}

// UserDirs returns the home folder and those of the XDG user folders that exist, as user-dirs.dirs or the specification names
// them. A folder that is set to the home folder itself is switched off. It returns an error if the home folder is not known.
func UserDirs() ([]UserDir, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("the home folder: %w", err)
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) { // as the specification says
		config = filepath.Join(home, ".config")
	}
	return userDirsOf(filepath.Clean(home), config), nil
}

func userDirsOf(home, config string) []UserDir {
	set, err := within(patience, "user folders in "+config, func() ([]byte, error) {
		return os.ReadFile(filepath.Join(config, "user-dirs.dirs"))
	})
	if err != nil {
		set = nil // the usual names are better than none
	}
	paths := parseUserDirs(set, home)
	out := []UserDir{{Home, home}}
	for k := Desktop; int(k) < len(userDirs); k++ {
		path, ok := paths[userDirs[k].variable]
		if !ok {
			path = filepath.Join(home, userDirs[k].usual)
		}
		known := slices.ContainsFunc(out, func(d UserDir) bool { return d.Path == path })
		if !known && isFolder(path) {
			out = append(out, UserDir{k, path})
		}
	}
	return out
}

// parseUserDirs reads lines of the form NAME="$HOME/…" or NAME="/…"; a backslash takes the meaning from the byte behind it. Of
// several lines of one name the last one counts. Other lines mean nothing.
func parseUserDirs(file []byte, home string) map[string]string {
	out := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(file)); lines.Scan(); {
		name, value, ok := strings.Cut(strings.Trim(lines.Text(), " \t\r"), "=")
		if !ok || !strings.HasPrefix(name, "XDG_") || !strings.HasPrefix(value, `"`) {
			continue
		}
		value, inHome := strings.CutPrefix(value[1:], "$HOME")
		path, ok := unquote(value)
		switch {
		case !ok:
		case inHome && (path == "" || path[0] == '/'):
			out[name] = filepath.Join(home, path)
		case !inHome && filepath.IsAbs(path):
			out[name] = filepath.Clean(path)
		}
	}
	return out
}

// unquote reads up to the closing quote.
func unquote(s string) (string, bool) {
	var b []byte
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return string(b), true
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b = append(b, s[i])
	}
	return "", false
}
