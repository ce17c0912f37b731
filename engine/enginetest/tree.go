package enginetest

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"drover/engine/internal/sys"
)

// Entry describes one thing in a tree. The constructors below make one; its methods return it with one property more.
type Entry struct {
	path    string // below the tree's folder, any bytes
	make    func(path, root string) error
	folder  bool
	mode    *uint32
	uid     int
	gid     int
	owned   bool
	mtime   *time.Time
	xattrs  [][2]string
	symlink bool
}

// File is a regular file.
func File(path, content string) Entry {
	return Entry{path: path, make: func(p, _ string) error { return os.WriteFile(p, []byte(content), 0o644) }}
}

// Random is a regular file with content that does not compress, the same for the same path and size.
func Random(path string, size int) Entry {
	return Entry{path: path, make: func(p, _ string) error {
		f, err := os.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			return err
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(path))
		r := rand.NewChaCha8([32]byte{byte(size), byte(h.Sum64()), byte(h.Sum64() >> 8), byte(h.Sum64() >> 16), byte(h.Sum64() >> 24)})
		buf := make([]byte, 1<<20)
		for left := size; left > 0; {
			part := buf[:min(left, len(buf))]
			_, _ = r.Read(part)
			if _, err := f.Write(part); err != nil {
				_ = f.Close()
				return err
			}
			left -= len(part)
		}
		return f.Close()
	}}
}

// Sparse is a regular file of the given size that is a hole, but for a byte at each place in data.
func Sparse(path string, size int64, data ...int64) Entry {
	return Entry{path: path, make: func(p, _ string) error {
		f, err := os.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			return err
		}
		err = f.Truncate(size)
		for _, at := range data {
			if err == nil {
				_, err = f.WriteAt([]byte{'x'}, at)
			}
		}
		if err := f.Close(); err != nil {
			return err
		}
		return err
	}}
}

// Dir is a folder. The folders above an entry need not be mentioned, unless something about them matters.
func Dir(path string) Entry {
	return Entry{path: path, folder: true, make: func(p, _ string) error { return os.MkdirAll(p, 0o755) }}
}

// Symlink is a symbolic link with the given text.
func Symlink(path, text string) Entry {
	return Entry{path: path, symlink: true, make: func(p, _ string) error { return os.Symlink(text, p) }}
}

// Hardlink is a further name of the entry at to, which must come before it.
func Hardlink(path, to string) Entry {
	return Entry{path: path, make: func(p, root string) error { return os.Link(root+"/"+to, p) }}
}

// FIFO is a named pipe.
func FIFO(path string) Entry {
	return Entry{path: path, make: func(p, _ string) error { return syscall.Mkfifo(p, 0o644) }}
}

// Socket is a Unix socket on which nobody listens.
func Socket(path string) Entry { return node(path, syscall.S_IFSOCK|0o644, 0) }

// Char is a character device; making one needs root.
func Char(path string, major, minor int) Entry {
	return node(path, syscall.S_IFCHR|0o600, major<<8|minor)
}

// Block is a block device; making one needs root.
func Block(path string, major, minor int) Entry {
	return node(path, syscall.S_IFBLK|0o600, major<<8|minor)
}

func node(path string, mode uint32, dev int) Entry {
	return Entry{path: path, make: func(p, _ string) error { return syscall.Mknod(p, mode, dev) }}
}

// Mode sets the permission bits, with set-uid, set-gid and sticky as in chmod(1).
func (e Entry) Mode(perm uint32) Entry { e.mode = &perm; return e }

// Owner sets user and group, which needs root.
func (e Entry) Owner(uid, gid int) Entry { e.uid, e.gid, e.owned = uid, gid, true; return e }

// Mtime sets the modification time, of a link its own.
func (e Entry) Mtime(t time.Time) Entry { e.mtime = &t; return e }

// Xattr adds an extended attribute.
func (e Entry) Xattr(name, value string) Entry {
	e.xattrs = append(slices.Clone(e.xattrs), [2]string{name, value})
	return e
}

// Build makes the entries below dir, which is made if it is not there. Properties come last and deepest first, so that a
// read-only folder can have content and a folder keeps its time.
func Build(t T, dir string, entries ...Entry) {
	t.Helper()
	if err := build(dir, entries); err != nil {
		t.Fatalf("build %q: %v", dir, err)
	}
}

func build(dir string, entries []Entry) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		p := dir + "/" + e.path
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		if err := e.make(p, dir); err != nil {
			return fmt.Errorf("%q: %w", e.path, err)
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return strings.Count(b.path, "/") - strings.Count(a.path, "/") })
	// Folders after what is in them: everything that happens in a folder changes its time.
	for _, folders := range []bool{false, true} {
		for _, e := range entries {
			if e.folder != folders {
				continue
			}
			if err := e.dress(dir + "/" + e.path); err != nil {
				return fmt.Errorf("%q: %w", e.path, err)
			}
		}
	}
	return nil
}

func (e Entry) dress(p string) error {
	if e.owned {
		if err := os.Lchown(p, e.uid, e.gid); err != nil {
			return err
		}
	}
	for _, x := range e.xattrs {
		if err := syscall.Setxattr(p, x[0], []byte(x[1]), 0); err != nil {
			return fmt.Errorf("setxattr %s: %w", x[0], err)
		}
	}
	if e.mode != nil {
		if err := syscall.Chmod(p, *e.mode); err != nil {
			return err
		}
	}
	if e.mtime == nil {
		return nil
	}
	at := sys.Time{Sec: e.mtime.Unix(), Nsec: int64(e.mtime.Nanosecond())}
	return sys.LSetTimes(sys.CWD, sys.Name(p+"\x00"), at, at)
}

// Zoo is a tree with every kind of entry that a user can make, and with root also what only root can make.
func Zoo(root bool) []Entry { return zoo(root, true) }

func zoo(root, acls bool) []Entry {
	old := time.Date(2001, 2, 3, 4, 5, 6, 123456789, time.UTC)
	var every []byte // a name with every byte that a name can have, cut in two
	for b := 1; b < 256; b++ {
		if b != '/' {
			every = append(every, byte(b))
		}
	}
	zoo := []Entry{
		File("empty", ""),
		File("plain", "plain\n").Mtime(old),
		File("secret", "s").Mode(0o600),
		File("read-only", "r").Mode(0o444),
		File("no-rights", "n").Mode(0o000),
		File("program", "#!/bin/sh\n").Mode(0o755),
		File("set-uid", "u").Mode(0o6755),
		File("attributes", "a").Xattr("user.k", "v").Xattr("user.empty", "").Xattr("user.long", strings.Repeat("l", 2000)),
		Random("medium", 300_000).Mtime(old.Add(time.Nanosecond)),
		Random("big", 3<<20+17),
		Sparse("holes/all", 1<<20+5),
		Sparse("holes/middle", 8<<20, 0, 4<<20, 8<<20-1),
		Sparse("holes/end", 2<<20+1, 10),
		File("one", "several names"), Hardlink("two", "one"), Hardlink("deep/three", "one"),
		Symlink("link", "plain").Mtime(old.Add(time.Second)),
		Symlink("dangling", "nowhere/at all"),
		Symlink("deep/up", "../deep"),
		Symlink("long-link", strings.Repeat("x/", 400)),
		FIFO("fifo").Mode(0o640).Mtime(old),
		File("bytes/"+string(every[:250]), "1"), File("bytes/\xff\xfe", "2"), File("bytes/ new\nline ", "3"), File("bytes/-rf", "4"),
		File("bytes/"+strings.Repeat("ü", 127)+"x", "5"),
		Dir("sub/empty").Mtime(old),
		Dir("sub").Mode(0o750).Mtime(old.Add(time.Minute)).Xattr("user.dir", "d"),
		File("sticky/f", "f"), Dir("sticky").Mode(0o1777),
		File("locked/f", "f").Mode(0o400), Dir("locked").Mode(0o555).Mtime(old),
	}
	if acls {
		zoo = append(zoo,
			File("acl", "a").Xattr("system.posix_acl_access", acl(6, 4, 4, 0)),
			File("acl-folder/f", "f"), Dir("acl-folder").Xattr("system.posix_acl_access", acl(7, 5, 5, 5)).Xattr("system.posix_acl_default", acl(7, 7, 5, 0)),
		)
	}
	if root {
		zoo = append(zoo,
			Char("null", 1, 3), Block("loop", 7, 0).Mode(0o640),
			File("theirs", "t").Owner(1234, 2345), Symlink("their-link", "theirs").Owner(1234, 2345),
			File("their-set-uid", "t").Owner(1234, 2345).Mode(0o6711),
			FIFO("their-fifo").Owner(1234, 2345),
			File("their-folder/f", "f").Owner(1234, 2345), Dir("their-folder").Owner(1234, 2345).Mode(0o2770).Mtime(old),
			File("trusted", "t").Xattr("trusted.k", "v"),
			File("capable", "c").Owner(1234, 2345).Mode(0o755).Xattr("security.capability", "\x01\x00\x00\x02\x00\x04"+strings.Repeat("\x00", 14)),
		)
	}
	return zoo
}

// acl is an access control list as the kernel keeps it: user, group, others, and user 1001 with the rights of named.
func acl(user, named, group, other byte) string {
	const none = "\xff\xff\xff\xff"
	entry := func(tag, perm byte, id string) string { return string([]byte{tag, 0, perm, 0}) + id }
	return "\x02\x00\x00\x00" + entry(1, user, none) + entry(2, named, "\xe9\x03\x00\x00") + entry(4, group, none) +
		entry(16, named|group, none) + entry(32, other, none)
}

// Many makes n files of the given size in folders of 1000 below dir, fast, and returns their names below dir.
func Many(t T, dir string, n, size int) []string {
	t.Helper()
	content := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(content)
	names := make([]string, n)
	for i := range names {
		sub := fmt.Sprintf("%s/%03d", dir, i/1000)
		if i%1000 == 0 {
			if err := os.MkdirAll(sub, 0o755); err != nil {
				t.Fatalf("%v", err)
			}
		}
		names[i] = fmt.Sprintf("%03d/%06d", i/1000, i)
		if err := os.WriteFile(dir+"/"+names[i], content, 0o644); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return names
}

// Deep makes a chain of folders, each called name, and a file at its end. It takes any depth.
func Deep(t T, dir, name string, levels int, file Entry) {
	t.Helper()
	at, err := syscall.Open(dir, syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	for range levels {
		if err == nil {
			err = syscall.Mkdirat(at, name, 0o755)
		}
		if err != nil {
			break
		}
		var next int
		next, err = syscall.Openat(at, name, syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
		_ = syscall.Close(at)
		at = next
	}
	if err != nil {
		t.Fatalf("a chain of %d folders in %q: %v", levels, dir, err)
	}
	defer func() { _ = syscall.Close(at) }()
	if err := build(fmt.Sprintf("/proc/self/fd/%d", at), []Entry{file}); err != nil {
		t.Fatalf("%v", err)
	}
}
