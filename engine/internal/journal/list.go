package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"drover/engine/internal/sys"
)

// Info is what can be told about a journal without reading all of it.
type Info struct {
	ID       string
	Path     string
	Begin    Begin     // the first one; zero if the beginning is lost
	State    *State    // the last one; nil if there is none
	Alive    bool      // somebody is writing it, or that could not be found out
	Torn     bool      // its end is not whole. While it is Alive that may be because the end is just being written
	Size     int64     // bytes
	Modified time.Time // of the last Append
	Err      error     // why the rest could not be told: ErrNewer, ErrFormat, ErrDamaged, or of the disk
}

// Ended reports whether the job has come to its end and nothing goes on with it.
func (i *Info) Ended() bool { return !i.Alive && i.State != nil && i.State.Ended }

// List returns what journals there are, by the time at which their jobs began. One about which something cannot be told is in
// it, with the reason. The error is that of reading the folder; one that does not exist has no journals.
func (s *Store) List() ([]Info, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	l := newLister()
	var out []Info
	for _, n := range names {
		id, ok := strings.CutSuffix(n, suffix)
		if !ok {
			continue
		}
		path, err := s.path(id)
		if err != nil {
			continue
		}
		if i := l.look(id, path); !errors.Is(i.Err, fs.ErrNotExist) { // removed at this moment
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b Info) int {
		return cmp.Or(a.Begin.Time.Compare(b.Begin.Time), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// Look returns the same about one journal. The error is also in the Info; fs.ErrNotExist, ErrID.
func (s *Store) Look(id string) (Info, error) {
	path, err := s.path(id)
	if err != nil {
		return Info{ID: id, Err: err}, err
	}
	l := newLister()
	i := l.look(id, path)
	return i, i.Err
}

// names returns what is in the folder.
func (s *Store) names() ([]string, error) {
	d, err := os.Open(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// lister looks at one journal after the other with the same buffers, of both ends.
type lister struct{ head, tail []byte }

func newLister() *lister {
	return &lister{make([]byte, 0, listChunk), make([]byte, listChunk)}
}

func (l *lister) look(id, path string) Info {
	i := Info{ID: id, Path: path}
	i.Err = l.fill(&i)
	return i
}

func (l *lister) fill(i *Info) error {
	file, st, err := openRegular(i.Path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	i.Size, i.Modified = st.Size(), st.ModTime()
	if i.Alive, err = sys.FileLocked(int(file.Fd())); err != nil {
		i.Alive = true // rather than have it cleaned up under the hands of who may write it
		return &fs.PathError{Op: "lock", Path: i.Path, Err: err}
	}
	s := scanner{file: file, size: i.Size, buf: l.head}
	if err := s.header(); errors.Is(err, errTorn) {
		i.Torn = true
		return fmt.Errorf("%w: it has no beginning", ErrDamaged)
	} else if err != nil {
		return err
	}
	payload, ok := s.next()
	if ok {
		err = i.take(payload)
	}
	switch {
	case s.err != nil:
		return s.err
	case !ok || err != nil || i.Begin.ID == "":
		i.Torn = !ok
		return fmt.Errorf("%w: it has no beginning", ErrDamaged)
	case i.Size > listChunk:
		if done, err := l.fromEnd(file, i); done || err != nil {
			return err
		}
	}
	for ok {
		if payload, ok = s.next(); ok {
			err = i.take(payload)
		}
		if err != nil {
			return err
		}
	}
	i.Torn = s.off < s.size
	return s.err
}

// take notes the first Begin and the last State.
func (i *Info) take(payload []byte) error {
	want := func(k number) bool { return k == kindState || k == kindBegin && i.Begin.ID == "" }
	return decodeSome(payload, want, func(r Record) bool {
		switch r := r.(type) {
		case *Begin:
			i.Begin = *r
		case *State:
			i.State = r
		}
		return true
	})
}

// fromEnd looks for the last State in the last part of a long journal. done is false if that is not whole or has none.
func (l *lister) fromEnd(file *os.File, i *Info) (done bool, err error) {
	b := l.tail
	if _, err := file.ReadAt(b, i.Size-int64(len(b))); err != nil {
		return false, err
	}
	for len(b) > frameExtra {
		n, ok := payloadSize(b[len(b)-frameBack:], int64(len(b)))
		if !ok {
			break
		}
		start := len(b) - frameExtra - n
		payload, ok := payloadOf(b[start:])
		if !ok {
			break
		}
		last := Info{Begin: i.Begin} // the first Begin is known
		if err := last.take(payload); err != nil {
			return false, err
		}
		if last.State != nil {
			i.State = last.State
			return true, nil
		}
		b = b[:start]
	}
	return false, nil
}
