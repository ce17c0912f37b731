package trash

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/moby/sys/mountinfo"

	"drover/engine/internal/sys"
)

// home opens the trash of the home. The folder above must be the user's own: who works with another one's home (sudo) would otherwise take that one's
// trash away.
func (s *search) home() (*Bin, error) {
	data, err := dataHome()
	if err != nil {
		return nil, err
	}
	parent, err := s.reach(data)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sys.Close(parent) }()
	var st sys.Stat
	if err := sys.Fstat(parent, &st); err != nil {
		return nil, err
	}
	if st.UID != s.user {
		return nil, untrusted(data, "is another user's")
	}
	return s.open(parent, "Trash", Bin{path: filepath.Join(data, "Trash")})
}

// dataHome returns $XDG_DATA_HOME. A relative one counts as none, as the Base Directory specification says.
func dataHome() (string, error) {
	if d := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(d) {
		return filepath.Clean(d), nil
	}
	if h := os.Getenv("HOME"); filepath.IsAbs(h) {
		return filepath.Join(h, ".local/share"), nil
	}
	return "", fmt.Errorf("no home folder: %w", syscall.ENOENT)
}

// reach opens a folder, through links, and makes what is missing of its path if it is on the way to a trash for the folder.
func (s *search) reach(path string) (int, error) {
	n, err := sys.MakeName(path)
	if err != nil {
		return -1, err
	}
	fd, err := sys.Search(sys.CWD, n)
	if !errors.Is(err, syscall.ENOENT) || !s.create || path == "/" {
		return fd, err
	}
	parent, err := s.reach(filepath.Dir(path))
	if err != nil {
		return -1, err
	}
	defer func() { _ = sys.Close(parent) }()
	var st sys.Stat
	if err := errors.Join(s.reaches(parent), sys.Fstat(parent, &st)); err != nil {
		return -1, err
	}
	if st.UID != s.user {
		return -1, untrusted(filepath.Dir(path), "is another user's")
	}
	n = sys.Name(filepath.Base(path) + "\x00")
	if err := sys.Mkdir(parent, n, 0o700); err != nil && !errors.Is(err, syscall.EEXIST) {
		return -1, err
	}
	return sys.Search(parent, n)
}

// shared opens the user's folder in a .Trash that the administrator made at the mount point. It must be sticky, so that nobody can take away
// the folder of another.
func (s *search) shared() (*Bin, error) {
	if s.topErr != nil {
		return nil, s.topErr
	}
	const name = ".Trash"
	fd, err := sys.Handle(s.top, name+"\x00")
	if err != nil {
		return nil, err
	}
	defer func() { _ = sys.Close(fd) }()
	var st sys.Stat
	path := filepath.Join(s.topPath, name)
	switch err := sys.Fstat(fd, &st); {
	case err != nil:
		return nil, err
	case st.Kind() != sys.Dir:
		return nil, untrusted(path, "is no folder")
	case st.Perm()&sticky == 0:
		return nil, untrusted(path, "is not sticky")
	case st.UID != 0 && st.UID != s.user:
		return nil, untrusted(path, "is another user's")
	}
	id := strconv.FormatUint(uint64(s.user), 10)
	return s.open(fd, id, Bin{path: filepath.Join(path, id), top: s.topPath})
}

// own opens the user's folder at the mount point.
func (s *search) own() (*Bin, error) {
	if s.topErr != nil {
		return nil, s.topErr
	}
	name := ".Trash-" + strconv.FormatUint(uint64(s.user), 10)
	return s.open(s.top, name, Bin{path: filepath.Join(s.topPath, name), top: s.topPath})
}

// at opens a trash folder where one was. It has no top: it is there to restore from.
func (s *search) at(parent, name string) (*Bin, error) {
	fd, err := s.reach(parent)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sys.Close(fd) }()
	return s.open(fd, name, Bin{path: filepath.Join(parent, name)})
}

const (
	sticky         = 0o1000
	othersMayWrite = 0o022
)

// folder opens a folder of the user's own, and makes it if it is missing.
func (s *search) folder(parent int, name string) (int, error) {
	n := sys.Name(name + "\x00")
	fd, err := sys.Handle(parent, n)
	if errors.Is(err, syscall.ENOENT) && s.create {
		if err := sys.Mkdir(parent, n, 0o700); err != nil && !errors.Is(err, syscall.EEXIST) {
			return -1, err
		}
		fd, err = sys.Handle(parent, n)
	}
	if err != nil {
		return -1, err
	}
	var st sys.Stat
	switch err = sys.Fstat(fd, &st); {
	case err != nil:
	case st.Kind() != sys.Dir:
		err = untrusted(name, "is no folder")
	case st.UID != s.user:
		err = untrusted(name, "is another user's")
	case st.Perm()&othersMayWrite != 0:
		err = untrusted(name, "can be written by others")
	default:
		return fd, nil
	}
	_ = sys.Close(fd)
	return -1, err
}

func untrusted(name, why string) error { return fmt.Errorf("%w: %q %s", ErrUnsafe, name, why) }

// mountPoint opens the folder at which the file system is mounted through which dir was opened: of several mounts of one file system that one.
func mountPoint(dir int) (path string, fd int, err error) {
	id, err := sys.MountID(dir)
	if err != nil {
		return "", -1, err
	}
	mounts, err := mountinfo.GetMounts(func(m *mountinfo.Info) (skip, stop bool) { return m.ID != id, m.ID == id })
	if err != nil {
		return "", -1, err
	}
	if len(mounts) == 0 { // in another namespace, or unmounted while in use
		return "", -1, fmt.Errorf("mount point: %w", syscall.ENOENT)
	}
	path = mounts[0].Mountpoint
	n, err := sys.MakeName(path)
	if err != nil {
		return "", -1, err
	}
	if fd, err = sys.Search(sys.CWD, n); err != nil {
		return "", -1, err
	}
	if at, err := sys.MountID(fd); err != nil || at != id { // something else is mounted over it
		_ = sys.Close(fd)
		return "", -1, errors.Join(fmt.Errorf("mount point: %w", syscall.EXDEV), err)
	}
	return path, fd, nil
}
