package places

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/moby/sys/mountinfo"
)

// Kind is what a place is shown as.
type Kind uint8

// The kinds of places.
const (
	Home Kind = iota
	Desktop
	Documents
	Downloads
	Music
	Pictures
	Videos
	Root
	Disk      // mounted, and there to stay
	Removable // where a desktop mounts what a person plugs in
)

// Place is a folder to go to.
type Place struct {
	Kind Kind
	Dir  string
	Name string // as on the disk; "" where the kind says it
	// Total is 0 where it is not known.
	Free, Total int64
}

// xdgKinds are the variables of user-dirs.dirs that are shown, in this order.
var xdgKinds = []struct {
	variable, usual string
	kind            Kind
}{
	{"XDG_DESKTOP_DIR", "Desktop", Desktop},
	{"XDG_DOCUMENTS_DIR", "Documents", Documents},
	{"XDG_DOWNLOAD_DIR", "Downloads", Downloads},
	{"XDG_MUSIC_DIR", "Music", Music},
	{"XDG_PICTURES_DIR", "Pictures", Pictures},
	{"XDG_VIDEOS_DIR", "Videos", Videos},
}

// userFolders returns the home folder and those of the XDG user folders that exist. config is the folder of user-dirs.dirs.
func userFolders(home, config string) []Place {
	out := []Place{{Kind: Home, Dir: home}}
	set, _ := os.ReadFile(filepath.Join(config, "user-dirs.dirs"))
	dirs := parseUserDirs(set, home)
	for _, x := range xdgKinds {
		dir, ok := dirs[x.variable]
		if !ok {
			dir = filepath.Join(home, x.usual)
		}
		if dir == home { // the way to switch one off
			continue
		}
		if fi, err := os.Stat(dir); err == nil && fi.IsDir() {
			out = append(out, Place{Kind: x.kind, Dir: dir, Name: filepath.Base(dir)})
		}
	}
	return out
}

// parseUserDirs reads the lines NAME="$HOME/…" of user-dirs.dirs.
func parseUserDirs(file []byte, home string) map[string]string {
	out := map[string]string{}
	for sc := bufio.NewScanner(bytes.NewReader(file)); sc.Scan(); {
		name, value, ok := strings.Cut(strings.TrimSpace(sc.Text()), "=")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		value = strings.ReplaceAll(value, `\`, "")
		switch {
		case value == "$HOME" || value == "$HOME/":
			value = home
		case strings.HasPrefix(value, "$HOME/"):
			value = filepath.Join(home, value[len("$HOME/"):])
		case !filepath.IsAbs(value):
			continue
		}
		out[strings.TrimSpace(name)] = filepath.Clean(value)
	}
	return out
}

// devices picks from the mounts what a person knows as a device: the root, disks, sticks, network and phone folders. It looks at the
// table only and never at what is mounted.
func devices(mounts []*mountinfo.Info) []Place {
	out := []Place{{Kind: Root, Dir: "/"}}
	seen := map[string]bool{}
	for _, m := range mounts {
		if m.Mountpoint == "/" || !shown(m) {
			continue
		}
		removable := underMedia(m.Mountpoint)
		// one device mounted in several places is shown once, where a person would look for it
		id := m.Source + "\x00" + m.Root
		if seen[id] && !removable {
			continue
		}
		seen[id] = true
		kind := Disk
		if removable {
			kind = Removable
		}
		out = append(out, Place{Kind: kind, Dir: m.Mountpoint, Name: filepath.Base(m.Mountpoint)})
	}
	slices.SortStableFunc(out[1:], func(a, b Place) int {
		if a.Kind != b.Kind {
			return int(b.Kind) - int(a.Kind) // what was plugged in comes first
		}
		return strings.Compare(a.Dir, b.Dir)
	})
	return out
}

func shown(m *mountinfo.Info) bool {
	if underMedia(m.Mountpoint) {
		return true
	}
	for _, system := range []string{"/boot", "/efi", "/snap", "/var/lib", "/var/snap", "/usr", "/etc", "/run", "/proc", "/sys", "/dev", "/nix/store"} {
		if m.Mountpoint == system || strings.HasPrefix(m.Mountpoint, system+"/") {
			return false
		}
	}
	switch m.FSType {
	case "nfs", "nfs4", "cifs", "smb3", "sshfs", "fuse.sshfs", "fuse.rclone", "davfs", "9p":
		return true
	case "squashfs", "overlay", "iso9660":
		return false
	}
	// a bind mount of a part of a disk is not a device (but the subvolumes of btrfs are mounted the same way)
	if m.Root != "/" && m.FSType != "btrfs" {
		return false
	}
	return strings.HasPrefix(m.Source, "/dev/") || m.FSType == "zfs"
}

func underMedia(dir string) bool {
	return strings.HasPrefix(dir, "/media/") || strings.HasPrefix(dir, "/run/media/") || strings.HasPrefix(dir, "/mnt/") || strings.Contains(dir, "/gvfs/")
}

// measure fills in how full a place is. On a dead mount it does not return.
func measure(p *Place) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(p.Dir, &st); err != nil {
		return
	}
	size := int64(st.Bsize) //nolint:unconvert // int32 on some architectures
	p.Free, p.Total = int64(st.Bavail)*size, int64(st.Blocks)*size
}
