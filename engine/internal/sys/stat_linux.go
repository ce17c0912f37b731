package sys

import (
	"io/fs"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Time is a point in time as file systems keep it.
type Time struct{ Sec, Nsec int64 }

// After reports whether t is later than u.
func (t Time) After(u Time) bool { return t.Sec > u.Sec || t.Sec == u.Sec && t.Nsec > u.Nsec }

// Std returns t as a time.Time.
func (t Time) Std() time.Time { return time.Unix(t.Sec, t.Nsec) }

// ID is what makes a file the same file, whatever its name: device and inode.
type ID struct{ Dev, Ino uint64 }

// Stat is what the kernel knows about a file.
type Stat struct {
	ID
	Mode         uint32 // kind and permissions, as in struct stat
	Nlink        uint32
	UID, GID     uint32
	Size         int64 // bytes
	Blocks       int64 // of 512 bytes
	Rdev         uint64
	Atime, Mtime Time
	Ctime        Time
}

// Kind is a file type, the S_IFMT part of a mode.
type Kind uint32

// The file types.
const (
	Regular Kind = unix.S_IFREG
	Dir     Kind = unix.S_IFDIR
	Symlink Kind = unix.S_IFLNK
	FIFO    Kind = unix.S_IFIFO
	Socket  Kind = unix.S_IFSOCK
	Char    Kind = unix.S_IFCHR
	Block   Kind = unix.S_IFBLK
)

// KindOf returns the file type in a mode.
func KindOf(mode uint32) Kind { return Kind(mode & unix.S_IFMT) }

// Kind returns the file type.
func (s *Stat) Kind() Kind { return KindOf(s.Mode) }

// Perm returns the permission bits with set-uid, set-gid and sticky.
func (s *Stat) Perm() uint32 { return s.Mode & 0o7777 }

// Sparse reports whether the file has fewer blocks than its size needs.
func (s *Stat) Sparse() bool { return s.Blocks*512 < s.Size }

// FileMode returns the mode in Go's terms.
func (s *Stat) FileMode() fs.FileMode {
	m := fs.FileMode(s.Mode & 0o777)
	switch s.Kind() {
	case Dir:
		m |= fs.ModeDir
	case Symlink:
		m |= fs.ModeSymlink
	case FIFO:
		m |= fs.ModeNamedPipe
	case Socket:
		m |= fs.ModeSocket
	case Char:
		m |= fs.ModeDevice | fs.ModeCharDevice
	case Block:
		m |= fs.ModeDevice
	}
	if s.Mode&unix.S_ISUID != 0 {
		m |= fs.ModeSetuid
	}
	if s.Mode&unix.S_ISGID != 0 {
		m |= fs.ModeSetgid
	}
	if s.Mode&unix.S_ISVTX != 0 {
		m |= fs.ModeSticky
	}
	return m
}

// Lookup fills s for the name n in dir, without following a link unless follow.
func Lookup(dir int, n Name, follow bool, s *Stat) error {
	flags := unix.AT_NO_AUTOMOUNT
	if !follow {
		flags |= unix.AT_SYMLINK_NOFOLLOW
	}
	return statx(dir, n, flags, s)
}

// Fstat fills s for an open descriptor.
func Fstat(fd int, s *Stat) error {
	var st unix.Stat_t
	for {
		err := unix.Fstat(fd, &st)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		break
	}
	*s = Stat{
		ID: ID{uint64(st.Dev), st.Ino}, Mode: st.Mode, Nlink: uint32(st.Nlink), UID: st.Uid, GID: st.Gid,
		Size: st.Size, Blocks: int64(st.Blocks), Rdev: uint64(st.Rdev),
		Atime: Time{int64(st.Atim.Sec), int64(st.Atim.Nsec)}, Mtime: Time{int64(st.Mtim.Sec), int64(st.Mtim.Nsec)}, Ctime: Time{int64(st.Ctim.Sec), int64(st.Ctim.Nsec)},
	}
	return nil
}

func statx(dir int, n Name, flags int, s *Stat) error {
	var x unix.Statx_t
	for {
		_, _, e := unix.Syscall6(unix.SYS_STATX, uintptr(dir), uintptr(unsafe.Pointer(unsafe.StringData(string(n)))), uintptr(flags), unix.STATX_BASIC_STATS, uintptr(unsafe.Pointer(&x)), 0)
		if e == unix.EINTR {
			continue
		}
		if e != 0 {
			return e
		}
		break
	}
	*s = Stat{
		ID: ID{unix.Mkdev(x.Dev_major, x.Dev_minor), x.Ino}, Mode: uint32(x.Mode), Nlink: x.Nlink, UID: x.Uid, GID: x.Gid,
		Size: int64(x.Size), Blocks: int64(x.Blocks), Rdev: unix.Mkdev(x.Rdev_major, x.Rdev_minor),
		Atime: Time{x.Atime.Sec, int64(x.Atime.Nsec)}, Mtime: Time{x.Mtime.Sec, int64(x.Mtime.Nsec)}, Ctime: Time{x.Ctime.Sec, int64(x.Ctime.Nsec)},
	}
	return nil
}
