package trash

import (
	"errors"
	"syscall"

	"drover/engine/internal/sys"
)

// Restore moves what t stands for into the open folder dir, under a name that must be free (EEXIST, and all stays as it is). Then the info is
// removed. ErrGone and ErrChanged as from Holds; EXDEV if dir lies elsewhere.
func (b *Bin) Restore(t Ticket, dir int, name sys.Name) error {
	st, err := b.look(t)
	if err != nil {
		if errors.Is(err, ErrGone) {
			_ = b.Forget(t) // a crash may have come between the two halves the last time
		}
		return err
	}
	file, _ := t.names()
	err = sys.RenameNew(b.files, file, dir, name)
	if err != nil && !arrived(st.ID, b.files, file, dir, name) {
		if errors.Is(err, syscall.ENOENT) && errors.Is(sys.Lookup(b.files, file, false, &st), syscall.ENOENT) {
			return ErrGone
		}
		return err
	}
	b.removeInfo(t)
	return nil
}

// Holds reports as nil that what t stands for is in this trash and can be restored. ErrGone: it is not there; ErrChanged: something else is, or it was changed.
func (b *Bin) Holds(t Ticket) error {
	_, err := b.look(t)
	return err
}

// Forget removes the info that is left of t if there is no file to it: after Reserve without Move, or after a crash. If there
// is one, it does nothing. It never removes the info of anything else.
func (b *Bin) Forget(t Ticket) error {
	var st sys.Stat
	file, _ := t.names()
	err := sys.Lookup(b.files, file, false, &st)
	if errors.Is(err, syscall.ENOENT) {
		b.removeInfo(t)
		return nil
	}
	return err
}

func (b *Bin) look(t Ticket) (st sys.Stat, err error) {
	if t == (Ticket{}) {
		return st, ErrGone
	}
	file, _ := t.names()
	if err := sys.Lookup(b.files, file, false, &st); errors.Is(err, syscall.ENOENT) {
		return st, ErrGone
	} else if err != nil {
		return st, err
	}
	if !b.same(t, &st) {
		return st, ErrChanged
	}
	return st, nil
}

// same reports whether what lies in the trash is what t stands for.
func (b *Bin) same(t Ticket, st *sys.Stat) bool {
	if !t.Moved() { // a crash came after Move, before anyone noted what it was: nobody but Move puts anything to this info
		return b.hasInfo(t)
	}
	if st.Kind() != t.kind || st.Size != t.size {
		return false
	}
	if b.native {
		return st.Ino == t.id.Ino && st.Mtime == t.mtime
	}
	d := st.Mtime.Std().Sub(t.mtime.Std()).Abs()
	return d <= coarse && b.hasInfo(t)
}

// hasInfo reports whether the info to t is the one that Reserve wrote.
func (b *Bin) hasInfo(t Ticket) bool {
	_, info := t.names()
	fd, err := sys.OpenRead(b.info, info, false)
	if err != nil {
		return false
	}
	defer func() { _ = sys.Close(fd) }()
	var text []byte
	for buf := make([]byte, 4096); len(text) <= infoMax; {
		n, err := sys.Read(fd, buf)
		if err != nil {
			return false
		}
		if n == 0 {
			return sum(text) == t.info
		}
		text = append(text, buf[:n]...)
	}
	return false
}

// removeInfo removes the info to t if it is that. One that cannot be removed tells of something that is gone, which trash programs pass over.
func (b *Bin) removeInfo(t Ticket) {
	if _, info := t.names(); b.hasInfo(t) {
		_ = sys.Unlink(b.info, info)
	}
}
