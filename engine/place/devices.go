package place

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
)

// pick finds the devices in the mount table. It looks at the table and at what hw knows, never at a mounted file system.
func pick(table []*mountinfo.Info, hw hardware) []Mount {
	best := map[device]*mountinfo.Info{}
	for _, m := range visible(table) {
		if id := deviceOf(m); wanted(m) && (best[id] == nil || better(m, best[id])) {
			best[id] = m
		}
	}
	out := make([]Mount, 0, len(best))
	for _, m := range best {
		out = append(out, describe(m, hw))
	}
	slices.SortFunc(out, func(a, b Mount) int { return cmp.Compare(a.Path, b.Path) }) // "/" comes first
	return out
}

type device struct {
	major, minor int
	share        string
}

func deviceOf(m *mountinfo.Info) device {
	d := device{major: m.Major, minor: m.Minor}
	if slices.Contains(network, m.FSType) {
		d.share = m.Source // several shares of one server may have one number
	}
	return d
}

// visible leaves out what something else was mounted over. It follows the table from the root as the kernel follows a path.
func visible(table []*mountinfo.Info) []*mountinfo.Info {
	known := make(map[int]bool, len(table))
	on := map[int][]*mountinfo.Info{}
	for _, m := range table {
		known[m.ID] = true
		on[m.Parent] = append(on[m.Parent], m)
	}
	var out []*mountinfo.Info
	var walk func(*mountinfo.Info)
	walk = func(m *mountinfo.Info) {
		above := on[m.ID]
		if i := slices.IndexFunc(above, func(c *mountinfo.Info) bool { return c.Mountpoint == m.Mountpoint }); i >= 0 {
			walk(above[i]) // in the same place: m cannot be reached, nor what else is mounted on it
			return
		}
		out = append(out, m)
		for _, c := range above {
			if !slices.ContainsFunc(above, func(d *mountinfo.Info) bool { return below(c.Mountpoint, d.Mountpoint) }) {
				walk(c)
			}
		}
	}
	for _, m := range table {
		if !known[m.Parent] { // the root, or the top of what this process can see
			walk(m)
		}
	}
	return out
}

// below reports whether path lies in dir, deeper than dir itself.
func below(path, dir string) bool {
	if dir == "/" {
		return path != "/"
	}
	return len(path) > len(dir) && path[len(dir)] == '/' && strings.HasPrefix(path, dir)
}

func at(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return path == d || below(path, d) })
}

var (
	// media is where desktops, and people, mount what they want to see.
	media = []string{"/media", "/run/media", "/mnt"}
	// system is where the system mounts for itself.
	system = []string{
		"/bin", "/boot", "/dev", "/efi", "/etc", "/lib", "/lib64", "/nix", "/ostree", "/proc", "/run", "/sbin",
		"/snap", "/sys", "/sysroot", "/usr", "/var",
	}
	// pseudo are file systems without files that a person keeps, wherever they are mounted.
	pseudo = []string{
		"autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "cpuset", "debugfs", "devpts", "devtmpfs", "efivarfs", "fusectl",
		"hugetlbfs", "mqueue", "nfsd", "nsfs", "overlay", "proc", "pstore", "resctrl", "rpc_pipefs", "securityfs", "selinuxfs", "smackfs",
		"sysfs", "tracefs", "fuse.gvfsd-fuse", "fuse.lxcfs", "fuse.portal", "fuse.snapfuse",
	}
	// packed are file systems that are usually an image of a program (snap, AppImage).
	packed = []string{"squashfs", "erofs", "fuse.squashfuse", "fuse.squashfuse_ll"}
	// network are file systems on another machine.
	network = []string{
		"9p", "acfs", "afs", "ceph", "cifs", "coda", "davfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "smb3", "smbfs", "virtiofs",
		"fuse.ceph-fuse", "fuse.cephfs", "fuse.curlftpfs", "fuse.davfs2", "fuse.gcsfuse", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs",
	}
)

// wanted reports whether a person cares about a mount.
func wanted(m *mountinfo.Info) bool {
	switch {
	case m.Mountpoint == "/":
		return true
	case slices.Contains(pseudo, m.FSType):
		return false
	case strings.Contains(m.Mountpoint, "/."): // what is hidden shall not be seen
		return false
	case at(m.Mountpoint, media):
		return true
	case at(m.Mountpoint, system), m.Mountpoint == "/tmp", slices.Contains(packed, m.FSType):
		return false
	case slices.Contains(network, m.FSType), strings.HasPrefix(m.FSType, "fuse."):
		return true
	}
	// A part of a disk that is mounted elsewhere a second time is no device, but with btrfs every mount is a part.
	if m.Root != "/" && m.FSType != "btrfs" {
		return false
	}
	return m.Major != 0 || strings.HasPrefix(m.Source, "/dev/") || m.FSType == "zfs"
}

// better says which of two mounts of one device a person would go to: the root, then where media are mounted, then the whole
// of it, then its larger part, then the shorter path.
func better(a, b *mountinfo.Info) bool {
	rank := func(m *mountinfo.Info) int {
		switch {
		case m.Mountpoint == "/":
			return 0
		case at(m.Mountpoint, media) && m.Root == "/":
			return 1
		case m.Root == "/":
			return 2
		}
		return 3
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.Root), len(b.Root)), cmp.Compare(len(a.Mountpoint), len(b.Mountpoint)), cmp.Compare(a.Mountpoint, b.Mountpoint)) < 0
}

func describe(m *mountinfo.Info, hw hardware) Mount {
	out := Mount{
		Path:     m.Mountpoint,
		Source:   m.Source,
		FSType:   m.FSType,
		Network:  slices.Contains(network, m.FSType),
		ReadOnly: slices.Contains(strings.Split(m.Options+","+m.VFSOptions, ","), "ro"),
	}
	if strings.HasPrefix(m.Source, "/dev/") {
		out.Name = hw.label(m.Source)
		number := fmt.Sprintf("%d:%d", m.Major, m.Minor)
		if m.Major == 0 { // btrfs numbers its file systems, not the devices
			number = hw.number(m.Source)
		}
		out.Removable = hw.removable(number)
	}
	// Desktops mount there what was plugged in; not every card reader says that it is removable.
	if out.Path != "/" && at(out.Path, media[:2]) && !out.Network {
		out.Removable = true
	}
	if out.Name == "" && out.Path != "/" {
		out.Name = filepath.Base(out.Path)
	}
	return out
}
