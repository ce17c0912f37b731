package trash

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"drover/engine/internal/sys"
)

// Bin is one trash folder, held open. For and Find make one.
type Bin struct {
	path   string // of the trash folder
	top    string // the mount point that paths in infos are relative to; "" for the trash of the home, where they are absolute
	files  int    // descriptors of the two folders in it
	info   int
	native bool // whether inodes have lasting numbers
}

// Path returns the path of the trash folder when it was opened, any bytes.
func (b *Bin) Path() string { return b.path }

// Close closes the descriptors. Until then the file system cannot be unmounted.
func (b *Bin) Close() error { return errors.Join(sys.Close(b.files), sys.Close(b.info)) }

// Put moves the entry name of the open folder dir into the trash. original is its absolute path, under which trash programs offer to restore it: the last
// name in it may be another one, for an entry that has a temporary name by now. EINVAL if original is no such path.
//
// After an error the entry is where it was, and nothing of it is in the trash. ErrNoTrash with EXDEV says that this trash is not for that folder
// or entry; other errors are those of the file system. Only one that breaks down in the middle can leave the entry in both places.
func (b *Bin) Put(dir int, name sys.Name, original []byte, when time.Time) (Ticket, error) {
	var err error
	for range putTries {
		var t Ticket
		if t, err = b.Reserve(dir, original, when); err != nil {
			return Ticket{}, err
		}
		t, err = b.Move(t, dir, name)
		if !errors.Is(err, syscall.EEXIST) {
			return t, err
		}
	}
	return Ticket{}, fmt.Errorf("%w: %w", errNoName, err)
}

// Reserve is the first half of Put: it takes a free name in the trash by writing the info. Move has to follow, or Forget.
func (b *Bin) Reserve(dir int, original []byte, when time.Time) (Ticket, error) {
	path := string(original)
	base, err := lastName(path)
	if err != nil {
		return Ticket{}, fmt.Errorf("the original path: %w", err)
	}
	text := infoText(b.pathFor(dir, path, base), when)
	t := Ticket{trash: b.path, info: sum(text)}
	for k := range namedTries + randomTries {
		t.name = candidate(base, k)
		switch err := b.reserve(t, text); {
		case err == nil:
			return t, nil
		case errors.Is(err, syscall.EEXIST):
		case base != "" && (errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.EINVAL)):
			base = "" // eCryptfs takes 143 bytes
		default:
			return Ticket{}, fmt.Errorf("trash info: %w", err)
		}
	}
	return Ticket{}, errNoName
}

// reserve writes one info, or nothing. EEXIST if the name is taken, by an info or by a file that has none.
func (b *Bin) reserve(t Ticket, text []byte) error {
	file, info := t.names()
	fd, err := sys.Create(b.info, info, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(sys.Write(fd, text), sys.Close(fd)) // a close may be the first to know of a full disk
	var st sys.Stat
	if err == nil {
		if err = sys.Lookup(b.files, file, false, &st); err == nil {
			err = syscall.EEXIST
		}
	}
	if errors.Is(err, syscall.ENOENT) {
		return nil
	}
	_ = sys.Unlink(b.info, info)
	return err
}

// Move is the second half of Put: it moves the entry to the place that t stands for, and returns the ticket with what it is. After
// an error, t stands for nothing any more. EEXIST says that somebody took the name between the halves.
func (b *Bin) Move(t Ticket, dir int, name sys.Name) (Ticket, error) {
	file, _ := t.names()
	var before, after sys.Stat
	if err := sys.Lookup(dir, name, false, &before); err != nil {
		b.removeInfo(t)
		return Ticket{}, err
	}
	err := sys.RenameNew(dir, name, b.files, file)
	if err == nil || arrived(before.ID, dir, name, b.files, file) {
		if sys.Lookup(b.files, file, false, &after) != nil {
			after = before
		}
		t.identify(&after)
		return t, nil
	}
	look := sys.Lookup(b.files, file, false, &after)
	if errors.Is(look, syscall.ENOENT) || look == nil && after.ID != before.ID {
		b.removeInfo(t) // and else the entry is there, or may be: an info too many is better than one too few
	}
	if errors.Is(err, syscall.EXDEV) {
		err = fmt.Errorf("%w: %w", ErrNoTrash, err)
	}
	return Ticket{}, err
}

// arrived reports whether a rename was done although it failed: when a signal interrupts one on FUSE or a network, the kernel may do it, and the
// repetition finds nothing to rename.
func arrived(id sys.ID, fromDir int, from sys.Name, toDir int, to sys.Name) bool {
	var st sys.Stat
	return sys.Lookup(toDir, to, false, &st) == nil && st.ID == id && errors.Is(sys.Lookup(fromDir, from, false, &st), syscall.ENOENT)
}
