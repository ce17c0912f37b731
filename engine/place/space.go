package place

import (
	"os"
	"time"

	"golang.org/x/sync/singleflight"

	"drover/engine/internal/sys"
)

// asked joins questions about the same path, so that a device that does not answer holds one goroutine and not one for each
// time that it is asked. It is the only state of this package.
var asked singleflight.Group

type space struct {
	total, free int64
	readOnly    bool
}

// Free returns the size of the file system that path is on and what the user may still use of it, both in bytes.
//
// If the device does not answer within half a second, Free returns ErrNotResponding.
func Free(path string) (total, free int64, err error) {
	s, err := spaceOf(path, patience)
	return s.total, s.free, err
}

func spaceOf(path string, limit time.Duration) (space, error) {
	return within(limit, "space of "+path, func() (space, error) {
		total, free, readOnly, err := sys.Space(path)
		if err != nil {
			return space{}, &os.PathError{Op: "statfs", Path: path, Err: err}
		}
		return space{total, free, readOnly}, nil
	})
}

// isFolder reports whether there is a folder at path; no, if the device does not answer.
func isFolder(path string) bool {
	is, _ := within(patience, "kind of "+path, func() (bool, error) {
		fi, err := os.Stat(path)
		return err == nil && fi.IsDir(), err
	})
	return is
}

// within answers a question about the disk, or returns ErrNotResponding.
func within[T any](limit time.Duration, question string, f func() (T, error)) (T, error) {
	answer := asked.DoChan(question, func() (any, error) { return f() })
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var none T
	select {
	case a := <-answer:
		v, ok := a.Val.(T)
		if !ok {
			return none, a.Err
		}
		return v, a.Err
	case <-timer.C:
		return none, ErrNotResponding
	}
}
