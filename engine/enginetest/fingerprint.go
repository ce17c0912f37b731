package enginetest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"unsafe"
)

// Aspect is something about entries that trees are compared by. Names, kinds, content, link texts and device numbers always count.
type Aspect uint

// The aspects.
const (
	Modes  Aspect = 1 << iota // permission bits
	Owners                    // user and group
	Times                     // modification time in nanoseconds
	Names                     // which names belong to the same file
	Xattrs                    // extended attributes, with ACLs

	All = Modes | Owners | Times | Names | Xattrs
)

// Line is what there is to tell about one entry.
type Line struct {
	Path     string // below the tree's folder; "" is the folder itself
	Kind     uint32 // S_IFMT part of the mode
	Perm     uint32
	UID, GID uint32
	Size     int64 // of regular files and links
	Blocks   int64 // of 512 bytes
	Mtime    [2]int64
	Nlink    uint64 // of the whole file system, not only of the tree
	Group    int    // the same for all names of one file, and not 0, if there is more than one in the tree
	Link     string
	Sum      string // SHA-256 of the content
	Text     string // the content, if it is short
	Rdev     uint64
	Xattrs   []string // name=value, sorted
	Err      error    // what could not be read
}

// shortText is how long content may be, in bytes, to be told as it is.
const shortText = 200

// Fingerprint reads a tree. The lines are sorted by path. What cannot be read has Err.
func Fingerprint(t T, dir string) []Line {
	t.Helper()
	fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Fatalf("fingerprint of %q: %v", dir, err)
	}
	r := reader{inodes: map[[2]uint64][]int{}}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		t.Fatalf("fingerprint of %q: %v", dir, err)
	}
	top := line("", &st)
	top.Xattrs, top.Err = xattrs(fmt.Sprintf("/proc/self/fd/%d/.", fd))
	r.lines = append(r.lines, top)
	r.folder(fd, "")
	group := 0
	for _, names := range r.inodes {
		if len(names) > 1 {
			group++
			for _, i := range names {
				r.lines[i].Group = group
			}
		}
	}
	slices.SortFunc(r.lines, func(a, b Line) int { return cmp.Compare(a.Path, b.Path) })
	// Groups are numbered by their first name, so that equal trees have equal numbers.
	renumbered := map[int]int{0: 0}
	for i := range r.lines {
		g, ok := renumbered[r.lines[i].Group]
		if !ok {
			g = len(renumbered)
			renumbered[r.lines[i].Group] = g
		}
		r.lines[i].Group = g
	}
	return r.lines
}

type reader struct {
	lines  []Line
	inodes map[[2]uint64][]int
}

// folder reads an open folder and closes it. While it is below, it holds no descriptor but the one it is at, so that no depth is too deep.
func (r *reader) folder(fd int, path string) {
	here := func(name string) string { return fmt.Sprintf("/proc/self/fd/%d/%s", fd, name) }
	names, err := readNames(here(""))
	if err != nil {
		r.lines = append(r.lines, Line{Path: path + "*", Err: err})
	}
	for _, name := range names {
		var st syscall.Stat_t
		if err := syscall.Lstat(here(name), &st); err != nil {
			r.lines = append(r.lines, Line{Path: path + name, Err: err})
			continue
		}
		l := line(path+name, &st)
		switch l.Kind {
		case syscall.S_IFLNK:
			l.Link, l.Err = os.Readlink(here(name))
		case syscall.S_IFREG:
			l.Sum, l.Text, l.Err = content(here(name))
		}
		var err error
		if l.Xattrs, err = xattrs(here(name)); l.Err == nil {
			l.Err = err
		}
		if l.Kind != syscall.S_IFDIR {
			id := [2]uint64{uint64(st.Dev), st.Ino}
			r.inodes[id] = append(r.inodes[id], len(r.lines))
		}
		r.lines = append(r.lines, l)
		if l.Kind != syscall.S_IFDIR {
			continue
		}
		below, err := syscall.Openat(fd, name, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
		if err != nil {
			r.lines[len(r.lines)-1].Err = err
			continue
		}
		if fd, err = r.descend(fd, below, path+name+"/"); err != nil {
			r.lines = append(r.lines, Line{Path: path, Err: err}) // the tree changes while it is read
			return
		}
	}
	_ = syscall.Close(fd)
}

// descend reads the folder below, and returns a descriptor of the one it lies in.
func (r *reader) descend(fd, below int, path string) (int, error) {
	const flags = syscall.O_RDONLY | syscall.O_DIRECTORY | syscall.O_CLOEXEC
	if up, err := syscall.Openat(below, "..", flags, 0); err != nil {
		r.folder(below, path) // it may not be searched, so there is no way back out of it, and none further down
		return fd, nil
	} else if err := syscall.Close(up); err != nil {
		return -1, err
	}
	_ = syscall.Close(fd)
	keep, err := syscall.Open(fmt.Sprintf("/proc/self/fd/%d", below), flags, 0)
	if err != nil {
		return -1, err
	}
	defer func() { _ = syscall.Close(keep) }()
	r.folder(below, path)
	return syscall.Openat(keep, "..", flags, 0)
}

func line(path string, st *syscall.Stat_t) Line {
	l := Line{
		Path: path, Kind: st.Mode & syscall.S_IFMT, Perm: st.Mode & 0o7777, UID: st.Uid, GID: st.Gid, Blocks: st.Blocks,
		Mtime: [2]int64{int64(st.Mtim.Sec), int64(st.Mtim.Nsec)}, Nlink: uint64(st.Nlink),
	}
	switch l.Kind {
	case syscall.S_IFREG, syscall.S_IFLNK:
		l.Size = st.Size
	case syscall.S_IFCHR, syscall.S_IFBLK:
		l.Rdev = uint64(st.Rdev)
	}
	return l
}

func readNames(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

func content(path string) (sum, text string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	h := sha256.New()
	head := make([]byte, shortText+1)
	n, err := io.ReadFull(f, head)
	_, _ = h.Write(head[:n])
	switch {
	case err == nil:
		if _, err := io.Copy(h, f); err != nil {
			return "", "", err
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
	default:
		return "", "", err
	}
	if n <= shortText {
		text = string(head[:n])
	}
	return hex.EncodeToString(h.Sum(nil)), text, nil
}

// xattrs reads the attributes of what stands at path, which may be a link.
func xattrs(path string) ([]string, error) {
	buf := make([]byte, 64<<10)
	n, err := llistxattr(path, buf)
	if errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.EACCES) || n == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(buf[:n]), "\x00"), "\x00") {
		if strings.HasPrefix(name, "trusted.SGI_ACL_") && onXFS(path) {
			continue // there the ACLs a second time
		}
		value := make([]byte, 64<<10)
		n, err := lgetxattr(path, name, value)
		if err != nil {
			return nil, fmt.Errorf("getxattr %s: %w", name, err)
		}
		out = append(out, name+"="+string(value[:n]))
	}
	slices.Sort(out)
	return out, nil
}

// Package syscall has only those forms of the two that follow links.

func llistxattr(path string, buf []byte) (int, error) {
	p, err := syscall.BytePtrFromString(path)
	if err != nil {
		return 0, err
	}
	n, _, e := syscall.Syscall(syscall.SYS_LLISTXATTR, uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)))
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}

func lgetxattr(path, name string, buf []byte) (int, error) {
	p, err := syscall.BytePtrFromString(path)
	if err != nil {
		return 0, err
	}
	k, err := syscall.BytePtrFromString(name)
	if err != nil {
		return 0, err
	}
	n, _, e := syscall.Syscall6(syscall.SYS_LGETXATTR, uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(k)),
		uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), 0, 0)
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}

func onXFS(path string) bool {
	const magic = 0x58465342
	var st syscall.Statfs_t
	return syscall.Statfs(path, &st) == nil && st.Type == magic
}

// Diff says how got differs from want in the given aspects: one text per difference, none if they are equal.
func Diff(want, got []Line, by Aspect) []string {
	var out []string
	index := map[string]Line{}
	for _, l := range got {
		index[l.Path] = l
	}
	for _, w := range want {
		g, ok := index[w.Path]
		if !ok {
			out = append(out, fmt.Sprintf("%q is missing", w.Path))
			continue
		}
		delete(index, w.Path)
		if d := w.diff(g, by); d != "" {
			out = append(out, fmt.Sprintf("%q: %s", w.Path, d))
		}
	}
	for _, g := range got {
		if _, extra := index[g.Path]; extra {
			out = append(out, fmt.Sprintf("%q is too much", g.Path))
		}
	}
	return out
}

func (w Line) diff(g Line, by Aspect) string {
	var out []string
	note := func(ok bool, what string, want, got any) {
		if !ok {
			out = append(out, fmt.Sprintf("%s is %v, want %v", what, got, want))
		}
	}
	note(w.Err == nil && g.Err == nil, "error", w.Err, g.Err)
	note(w.Kind == g.Kind, "kind", fmt.Sprintf("%#o", w.Kind), fmt.Sprintf("%#o", g.Kind))
	note(w.Size == g.Size, "size", w.Size, g.Size)
	note(w.Sum == g.Sum, "content", cmp.Or(w.Text, w.Sum), cmp.Or(g.Text, g.Sum))
	note(w.Link == g.Link, "link text", w.Link, g.Link)
	note(w.Rdev == g.Rdev, "device", w.Rdev, g.Rdev)
	if by&Modes != 0 && w.Kind != syscall.S_IFLNK {
		note(w.Perm == g.Perm, "mode", fmt.Sprintf("%04o", w.Perm), fmt.Sprintf("%04o", g.Perm))
	}
	if by&Owners != 0 {
		note(w.UID == g.UID && w.GID == g.GID, "owner", fmt.Sprint(w.UID, ":", w.GID), fmt.Sprint(g.UID, ":", g.GID))
	}
	if by&Times != 0 {
		note(w.Mtime == g.Mtime, "mtime", w.Mtime, g.Mtime)
	}
	if by&Names != 0 {
		note(w.Group == g.Group, "hard link group", w.Group, g.Group)
	}
	if by&Xattrs != 0 {
		note(slices.Equal(w.Xattrs, g.Xattrs), "attributes", w.Xattrs, g.Xattrs)
	}
	return strings.Join(out, "; ")
}

// Same fails the test if the trees at want and got differ in the given aspects. The folders themselves are not compared,
// only what is in them.
func Same(t T, want, got string, by Aspect) {
	t.Helper()
	if d := Diff(Fingerprint(t, want)[1:], Fingerprint(t, got)[1:], by); len(d) > 0 {
		if len(d) > 20 {
			d = append(d[:20:20], fmt.Sprintf("and %d more", len(d)-20))
		}
		t.Fatalf("%s differs from %s:\n\t%s", got, want, strings.Join(d, "\n\t"))
	}
}
