package journal

import (
	"errors"
	"fmt"
	"iter"
	"os"
)

// Read yields the records of a journal in their order, up to its end or to where it is torn. It may be called while the journal is
// written, and then ends at some Append. An error is the last that is yielded, without a record: fs.ErrNotExist, ErrNewer,
// ErrFormat, ErrDamaged for a record that is whole but makes no sense, ErrID, or of the disk.
func (s *Store) Read(id string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if err := s.read(id, yield); err != nil {
			yield(nil, err)
		}
	}
}

// read returns an error that is still to be yielded.
func (s *Store) read(id string, yield func(Record, error) bool) error {
	path, err := s.path(id)
	if err != nil {
		return err
	}
	file, st, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	sc := scanner{file: file, size: st.Size()}
	if err := sc.header(); errors.Is(err, errTorn) {
		return nil
	} else if err != nil {
		return err
	}
	for {
		payload, ok := sc.next()
		if !ok {
			return sc.err
		}
		more := true
		err := decodePayload(payload, func(r Record) bool {
			more = yield(r, nil)
			return more
		})
		if !more {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s before byte %d: %w", path, sc.off, err)
		}
	}
}
