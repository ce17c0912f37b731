package trash

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"drover/engine/internal/sys"
)

// For opens the trash for what lies in the open folder dir, and makes it if it is not there and may be made. Folders of one mount have the same
// one, so that a caller can keep it for each sys.MountID; Put says when one does not fit after all.
//
// ErrNoTrash if there is none, with the reason for each that could have been. An error that is about this moment only is returned by itself: ENOSPC, EDQUOT,
// EMFILE, ENFILE, ENOMEM.
func For(dir int) (*Bin, error) {
	s, err := newSearch(dir, true)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var why []error
	for _, open := range []func() (*Bin, error){s.home, s.shared, s.own} {
		b, err := open()
		if err == nil || passing(err) {
			return b, err
		}
		why = append(why, err)
	}
	return nil, fmt.Errorf("%w: %w", ErrNoTrash, errors.Join(why...))
}

// Find opens the trash that has what t stands for, to bring it back into the open folder dir: the trash for that folder, wherever its disk is mounted
// today, or else where the trash was then. It makes nothing. ErrGone if it is in none of them, ErrChanged as from Holds.
func Find(dir int, t Ticket) (*Bin, error) {
	if t == (Ticket{}) {
		return nil, ErrGone
	}
	s, err := newSearch(dir, false)
	if err != nil {
		return nil, err
	}
	defer s.close()
	then := func() (*Bin, error) { return s.at(filepath.Dir(t.trash), filepath.Base(t.trash)) }
	var changed error
	for _, open := range []func() (*Bin, error){s.home, s.shared, s.own, then} {
		var b *Bin
		if b, err = open(); err == nil {
			if err = b.Holds(t); err == nil {
				return b, nil
			}
			_ = b.Close()
		}
		switch {
		case passing(err):
			return nil, err
		case errors.Is(err, ErrChanged): // or another thing of that name, in another trash than then
			changed = err
		}
	}
	if changed != nil {
		return nil, changed
	}
	for _, gone := range []error{syscall.ENOENT, syscall.ENOTDIR, syscall.EXDEV} {
		if errors.Is(err, gone) {
			return nil, ErrGone
		}
	}
	return nil, err // ErrGone, or why it cannot be looked at where it was
}

// search looks for the trash for one folder.
type search struct {
	dir    int    // the folder
	dev    uint64 // its device
	user   uint32
	create bool // make what is missing

	top     int    // descriptor of the mount point, -1 if there is none
	topPath string // its path
	topErr  error
}

func newSearch(dir int, create bool) (*search, error) {
	s := &search{dir: dir, create: create, top: -1}
	s.user, _ = sys.User()
	var st sys.Stat
	if err := sys.Fstat(dir, &st); err != nil {
		return nil, err
	}
	s.dev = st.Dev
	s.topPath, s.top, s.topErr = mountPoint(dir)
	return s, nil
}

func (s *search) close() {
	if s.top >= 0 {
		_ = sys.Close(s.top)
	}
}

// open opens the trash folder name in parent as a Bin.
func (s *search) open(parent int, name string, b Bin) (*Bin, error) {
	if err := s.reaches(parent); err != nil {
		return nil, err
	}
	dir, err := s.folder(parent, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sys.Close(dir) }()
	if b.files, err = s.folder(dir, "files"); err != nil {
		return nil, err
	}
	if b.info, err = s.folder(dir, "info"); err != nil {
		_ = sys.Close(b.files)
		return nil, err
	}
	b.native = sys.Native(b.files)
	err = s.reaches(b.files) // once more: something may be mounted in between
	if err == nil {
		err = errors.Join(sys.Writable(b.files), sys.Writable(b.info))
	}
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return &b, nil
}

// reaches reports as nil that what lies in the folder can be renamed into the open folder to. A name that does not exist is renamed: the kernel
// looks at mounts and rights first, and only then for the name.
func (s *search) reaches(to int) error {
	var st sys.Stat
	if err := sys.Fstat(to, &st); err != nil {
		return err
	}
	if st.Dev != s.dev { // subvolumes of btrfs, which refuse when the name is known
		return syscall.EXDEV
	}
	n := sys.Name(".drover-" + candidate("", 0) + "\x00")
	if err := sys.RenameNew(s.dir, n, to, n); !errors.Is(err, syscall.ENOENT) {
		return err
	}
	return nil
}
