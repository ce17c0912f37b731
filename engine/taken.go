package engine

import (
	"context"
	"errors"
	"syscall"
	"time"

	"drover/engine/internal/sys"
)

// taken is a source as it was when its copy was begun. Only as long as it is still that may it be removed.
type taken struct {
	id           sys.ID
	size         int64
	mtime, ctime sys.Time
	several      bool // it has further names
	over         bool // its copy took the place of something
	mended       bool // somebody has seen to it that it can be removed, which may have changed ctime
}

// take notes what an entry's copy was made of. Only a move needs to know.
func (c *copier) take(e *entry, st *sys.Stat) {
	if c.moves {
		e.took = &taken{id: st.ID, size: st.Size, mtime: st.Mtime, ctime: st.Ctime, several: st.Nlink > 1}
	}
}

// still reports whether a source is what was copied. own is the time of the last change that the job itself has made to it, by removing
// another of its names. Where a file system may tell other numbers and slightly other times whenever it is asked (FUSE, network),
// size and time of modification have to do.
func (t *taken) still(now *sys.Stat, native bool, own sys.Time) bool {
	if now.Size != t.size {
		return false
	}
	if native {
		return now.ID == t.id && now.Mtime == t.mtime && (now.Ctime == t.ctime || now.Ctime == own || t.mended)
	}
	if t.over && (now.ID != t.id || now.Ctime.Std().Sub(t.ctime.Std()).Abs() >= timeJitter) {
		return false // what was replaced may have been the source itself, shown a second time by FUSE or a server
	}
	was, is := t.mtime.Std(), now.Mtime.Std()
	return was.Equal(is) || is.Sub(was).Abs() < timeJitter && time.Since(is) >= recentWrite
}

// replaces notes that the copy of an entry has taken the place of something.
func (e *entry) replaces() {
	if e.took != nil {
		t := *e.took // other names of the file share it
		t.over = true
		e.took = &t
	}
}

// unchanged reports, for a move, whether a further name of a file still means what was copied: the file may have been written to since, or be
// gone and its number given to another. A name that would be made a link to an older copy must not go.
func (c *copier) unchanged(p pair, e *entry, t linkTarget) bool {
	if t.took == nil {
		return true
	}
	var st sys.Stat
	if err := sys.Lookup(p.src, e.name, false, &st); err != nil {
		return false
	}
	return t.took.still(&st, sys.Native(p.src), st.Ctime) // its own time changes when another name of it goes
}

// unripe reports whether a source was changed so recently that the next change may not show in its times: before Linux 6.13 the kernel
// tells time to a file system in steps of up to 10 ms. A copy of it is not begun before it can tell.
func (c *copier) unripe(st *sys.Stat) bool {
	return c.moves && time.Since(st.Ctime.Std()).Abs() < ripeAfter
}

// ripen waits until the next change will show, and looks again.
func (c *copier) ripen(ctx context.Context, src int, st *sys.Stat) error {
	timer := time.NewTimer(ripeAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return fromSource(sys.Fstat(src, st))
}

// settled writes a file that was copied in a move to the medium, where that cannot be done for many at a time.
func settled(dir *folder, fd int) error {
	if !dir.each {
		return nil
	}
	return cannotSync(sys.Fsync(fd))
}

// cannotSync forgives what has nothing to be written.
func cannotSync(err error) error {
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EBADF) || errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) {
		return nil
	}
	return err
}
