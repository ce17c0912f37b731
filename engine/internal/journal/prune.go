package journal

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Prune removes journals of jobs that have ended, the oldest first: those that nobody has written to for longer than maxAge,
// and then as many as it takes for all journals together to have no more than maxTotal bytes. A limit of 0 is none. keep, if
// it is not nil, spares what it returns true for. Journals that are being written, or whose job was cut off, or that are of a later
// version, stay; so a store may remain larger than maxTotal. One that lacks its beginning serves nobody and counts as ended.
//
// It returns what was removed. The error joins those of journals that could not be removed.
func (s *Store) Prune(maxAge time.Duration, maxTotal int64, keep func(Info) bool) ([]Info, error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	errs := []error{s.sweep()}
	slices.SortStableFunc(all, func(a, b Info) int { return cmp.Compare(a.Modified.UnixNano(), b.Modified.UnixNano()) })
	total, now := int64(0), time.Now()
	for _, i := range all {
		total += i.Size
	}
	var removed []Info
	for _, i := range all {
		old := maxAge > 0 && now.Sub(i.Modified) > maxAge
		much := maxTotal > 0 && total > maxTotal
		if !old && !much || !i.prunable() || keep != nil && keep(i) {
			continue
		}
		err := remove(i.Path, func(size int64) bool { return size == i.Size })
		switch {
		case err == nil:
			removed = append(removed, i)
			total -= i.Size
		case errors.Is(err, fs.ErrNotExist):
			total -= i.Size
		case !errors.Is(err, ErrBusy): // somebody has just begun to write it
			errs = append(errs, err)
		}
	}
	return removed, errors.Join(errs...)
}

func (i *Info) prunable() bool {
	return i.Ended() && i.Err == nil || !i.Alive && errors.Is(i.Err, ErrDamaged) && i.Begin.ID == ""
}

// sweep removes what a crash has left of Create.
func (s *Store) sweep() error {
	names, err := s.names()
	errs := []error{err}
	for _, n := range names {
		path := s.dir + "/" + n
		st, err := os.Lstat(path)
		if !strings.HasPrefix(n, newPrefix) || err != nil || time.Since(st.ModTime()) < staleAfter {
			continue
		}
		err = remove(path, func(int64) bool { return true })
		if err != nil && !errors.Is(err, ErrBusy) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrFormat) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
