package journal

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"drover/engine/internal/sys"
)

// openRegular opens a file that exists. It never goes through a link and never waits for a FIFO; what is no regular file is ErrFormat.
func openRegular(path string, flags int) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(path, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	st, err := file.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%w: %s is no regular file", ErrFormat, path)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, st, nil
}

// openLocked opens a journal and takes its lock. ErrBusy: somebody else has it.
func openLocked(path string, flags int) (*os.File, int64, error) {
	file, st, err := openRegular(path, flags)
	if err != nil {
		return nil, 0, err
	}
	if err = lock(file); err == nil {
		st, err = stillNamed(file)
	}
	if err != nil {
		_ = file.Close()
		return nil, 0, err
	}
	return file, st.Size(), nil
}

// stillNamed makes sure that a locked file has its name: who had the lock before may have removed it.
func stillNamed(file *os.File) (fs.FileInfo, error) {
	st, err := file.Stat()
	if err != nil {
		return nil, err
	}
	there, err := os.Lstat(file.Name())
	if err == nil && !os.SameFile(st, there) {
		err = &fs.PathError{Op: "open", Path: file.Name(), Err: fs.ErrNotExist}
	}
	return st, err
}

// lock takes the lock of an open file, or returns ErrBusy.
func lock(file *os.File) error {
	ok, err := sys.LockFile(int(file.Fd()))
	switch {
	case err != nil:
		return &fs.PathError{Op: "lock", Path: file.Name(), Err: err}
	case !ok:
		return ErrBusy
	}
	return nil
}

// renameNew gives a file another name, which must be free.
func renameNew(from, to string) error {
	if err := sys.RenameNew(sys.CWD, sys.Name(from+"\x00"), sys.CWD, sys.Name(to+"\x00")); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
