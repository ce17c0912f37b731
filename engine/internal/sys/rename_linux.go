package sys

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// RenameNew renames within or between folders and never replaces anything (EEXIST).
// Where the file system does not know the flag, a second name is made and the first removed; that too replaces nothing.
// Folders on such file systems are checked first and renamed then, which another program could slip between.
func RenameNew(oldDir int, old Name, newDir int, n Name) error {
	for {
		err := unix.Renameat2(oldDir, old.String(), newDir, n.String(), unix.RENAME_NOREPLACE)
		switch err {
		case unix.EINTR:
			continue
		case unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP:
			return renameNewSlow(oldDir, old, newDir, n)
		}
		return err
	}
}

func renameNewSlow(oldDir int, old Name, newDir int, n Name) error {
	err := unix.Linkat(oldDir, old.String(), newDir, n.String(), 0)
	if err == nil {
		if err = unix.Unlinkat(oldDir, old.String(), 0); err != nil {
			_ = unix.Unlinkat(newDir, n.String(), 0) // an error says that nothing was renamed
		}
		return err
	}
	if err == unix.EEXIST {
		return err
	}
	var st Stat
	if err := Lookup(newDir, n, false, &st); err != unix.ENOENT {
		if err == nil {
			err = unix.EEXIST
		}
		return err
	}
	return unix.Renameat(oldDir, old.String(), newDir, n.String())
}

// Exchange lets two names in one folder swap what they stand for. handled is false where the file system cannot.
func Exchange(dir int, a, b Name) (handled bool, err error) {
	for {
		err := unix.Renameat2(dir, a.String(), dir, b.String(), unix.RENAME_EXCHANGE)
		switch err {
		case unix.EINTR:
			continue
		case unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP:
			return false, nil
		}
		return true, err
	}
}

// RenameOver renames within a folder and replaces what is there in one step.
func RenameOver(dir int, old, n Name) error {
	for {
		if err := unix.Renameat(dir, old.String(), dir, n.String()); err != unix.EINTR {
			return err
		}
	}
}

// LinkUnnamed gives a file made by CreateUnnamed its first name; EEXIST if the name is taken.
func LinkUnnamed(fd, dir int, n Name) error {
	err := unix.Linkat(fd, "", dir, n.String(), unix.AT_EMPTY_PATH)
	if err == unix.ENOENT || err == unix.EINVAL || err == unix.EPERM {
		// Needs CAP_DAC_READ_SEARCH before 6.10; the way over /proc works for everyone.
		return unix.Linkat(unix.AT_FDCWD, procFD(fd), dir, n.String(), unix.AT_SYMLINK_FOLLOW)
	}
	return err
}

// Link makes a second name for a file, never through a link; EEXIST if the name is taken.
func Link(oldDir int, old Name, newDir int, n Name) error {
	return unix.Linkat(oldDir, old.String(), newDir, n.String(), 0)
}

func procFD(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// Unlink removes a name that is not a folder.
func Unlink(dir int, n Name) error { return unix.Unlinkat(dir, n.String(), 0) }

// Rmdir removes an empty folder.
func Rmdir(dir int, n Name) error { return unix.Unlinkat(dir, n.String(), unix.AT_REMOVEDIR) }
