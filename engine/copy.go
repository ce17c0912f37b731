package engine

import (
	"context"
	"errors"
	"runtime"
	"syscall"
	"time"

	"drover/engine/internal/lane"
	"drover/engine/internal/meter"
	"drover/engine/internal/sys"
)

// copier is one worker: it takes batches, makes each entry's copy under its final name or hands the entry back, and
// never waits for a decision. It owns its buffers, so that nothing is allocated per file.
type copier struct {
	*run
	cell  *meter.Cell
	hand  hand // in hand now, for the snapshot
	mover lane.Mover
	buf   []byte     // of small files
	names []byte     // of attributes
	begun []begun    // files of a run that are open
	twin  linkTarget // for the entry in hand: the copy that it is another name of
	found linkTarget // for the entry in hand: the copy that was there before, if it is up to date
	lone  bool       // the entry in hand cannot be renamed, whatever holds for its folder
}

func (r *run) newCopier(i int) *copier {
	return &copier{run: r, cell: r.meter.Cell(i), buf: make([]byte, readBuffer), names: make([]byte, xattrBuffer)}
}

// work takes batches until the queue closes.
func (c *copier) work(ctx context.Context) {
	for {
		if c.moves {
			c.removal.await()
		}
		b := c.queue.next()
		if b == nil {
			return
		}
		c.batch(ctx, b)
		c.outcomes <- b
		// The recorder needs some microseconds of this processor now. It would otherwise stand in line behind the system calls
		// of the next batch, and the runtime would move one of the two to another thread: several switches for each batch,
		// a seventh of the time on xfs.
		runtime.Gosched()
	}
}

// batch works through the entries. What stays pending after a cancel was not begun, or has left nothing behind.
func (c *copier) batch(ctx context.Context, b *batch) {
	defer c.hand.set("")
	if c.moves {
		b.held = true // the recorder ends it
	} else {
		defer c.tree.drop(b.dir, c.seal)
	}
	if err := c.gate.pass(ctx); err != nil {
		return
	}
	src, dst, err := c.reach(b.dir)
	if err != nil {
		for i := range b.entries {
			c.fail(&b.entries[i], StageCopy, err)
		}
		return
	}
	defer c.tree.release(b.dir)
	p := pair{b.dir, src, dst}
	if c.renames(b.dir) {
		c.shift(ctx, p, b.entries)
	}
	for rest := b.entries; len(rest) > 0; {
		n := c.simple(p, rest[:min(len(rest), c.width, b.dir.pair.Width())])
		if n > 1 {
			c.together(ctx, p, rest[:n])
		}
		for i := range max(n, 1) { // what was not simple, or did not go smoothly
			if err := c.gate.pass(ctx); err != nil {
				return
			}
			if e := &rest[i]; e.fate == fatePending && !c.handOn(p, b, e) {
				c.one(ctx, p, e)
			}
		}
		rest = rest[max(n, 1):]
	}
}

// handOn gives a big file of a longer batch a batch of its own, so that the others do not wait for it and another worker
// can take it. One that will be cloned is as quick as a small one, and stays; so does the one by which that turns out.
func (c *copier) handOn(p pair, b *batch, e *entry) bool {
	if c.renames(p.dir) || e.blind && c.see(p, e) != nil {
		return false // one will tell
	}
	if len(b.entries) == 1 || e.kind() != sys.Regular || !e.isBig() || c.clones(p) != cloneNever {
		return false
	}
	alone := &batch{dir: b.dir, entries: []entry{*e}}
	e.fate = fateDeferred
	c.tree.hold(b.dir)
	c.begin()
	c.queue.putFirst(alone)
	return true
}

// see looks up what the scan did not.
func (c *copier) see(p pair, e *entry) error {
	var st sys.Stat
	if err := lookSource(p.src, e.name, p.dir.follow, &st); err != nil {
		return err
	}
	c.resize(e, c.identify(e, &st))
	return nil
}

// one takes an entry to its fate.
func (c *copier) one(ctx context.Context, p pair, e *entry) {
	c.hand.set(e.name)
	for {
		stage, err := c.entry(ctx, p, e)
		if err == nil || c.conclude(ctx, p.dir, e, stage, err) {
			break
		}
	}
	if e.fate == fateDone {
		c.count(e)
	}
}

// count adds an entry that is there now to the result.
func (c *copier) count(e *entry) {
	c.over(e)
	if e.took != nil {
		return // the removal does, when it is moved
	}
	c.cell.Whole.Add(e.whole)
	if e.link {
		c.cell.Links.Add(1)
	}
	c.cell.Files.Add(1)
}

// conclude gives an entry with an error its fate. It returns false if the entry is to be tried again, after a stall that a person has ended.
func (c *copier) conclude(ctx context.Context, dir *folder, e *entry, stage Stage, err error) bool {
	var clash *clashError
	if errors.As(err, &clash) {
		e.fate, e.why = fateClash, clash.why
		return true
	}
	switch judge(err) {
	case verdictStop:
		if ctx.Err() != nil {
			return true // stays pending
		}
	case verdictStall:
		if isShort(err) && c.tree.shed() {
			c.rewind(e)
			return false
		}
		if c.elsewhere(dir) {
			break
		}
		if c.stall(ctx, dir, e, stage, err) {
			c.rewind(e)
			return false
		}
		if ctx.Err() != nil {
			e.err = err
			return true
		}
	}
	c.fail(e, stage, err)
	return true
}

// fail gives an entry up. What of it was moved stays in the progress, the rest leaves the total.
func (c *copier) fail(e *entry, stage Stage, err error) {
	e.fate, e.stage, e.err, e.took = fateFailed, stage, err, nil
	c.meter.Drop(1, e.size-e.moved)
	c.over(e)
}

// skip leaves an entry out.
func (c *copier) skip(e *entry) {
	e.fate = fateSkipped
	if e.links != nil {
		e.links.giveBack(c.meter, e) // another name may be copied
	}
	c.meter.Skipped.Add(1)
	c.meter.Drop(1, e.size-e.moved)
	c.over(e)
}

// over notes of a name of a file with several that nothing more will come of it.
func (r *run) over(e *entry) {
	if e.links != nil {
		e.links.over(r.meter)
	}
}

// progress counts n bytes of an entry. Beyond the size that the total knows of nothing is counted.
func (c *copier) progress(e *entry, n int64) {
	n = min(n, e.size-e.moved)
	if n > 0 {
		e.moved += n
		c.cell.Bytes.Add(n)
	}
}

// resize corrects the total when a file's size is not what the scan saw.
func (c *copier) resize(e *entry, size int64) {
	switch d := size - e.size; {
	case d < 0:
		c.meter.Drop(0, -d)
	case e.links != nil: // copied a second time, since no link was to be had
		c.meter.Restore(0, d)
	default:
		c.meter.Found(0, d)
	}
	e.size = size
}

// pair is a folder with its open descriptors.
type pair struct {
	dir      *folder
	src, dst int
}

// clashError says that something is in the way: no failure, but a question.
type clashError struct{ why Why }

func (e *clashError) Error() string { return "something is in the way" }

// make creates the copy of an entry, complete with content and metadata, under the name n in the destination folder, or moves the
// source there. It replaces nothing: EEXIST.
func (c *copier) make(ctx context.Context, p pair, e *entry, n sys.Name) (Stage, error) {
	if c.renames(p.dir) {
		return StageCommit, c.rename(ctx, p, e, n)
	}
	if c.twin.dir != nil {
		if handled, err := c.link(ctx, p, e, n, c.twin); handled || err != nil {
			return StageCommit, err
		}
	}
	return c.makeOne(ctx, p, e, n)
}

func (c *copier) makeOne(ctx context.Context, p pair, e *entry, n sys.Name) (Stage, error) {
	switch e.kind() {
	case sys.Regular:
		return c.makeFile(ctx, p, e, n)
	case sys.Symlink:
		return c.makeSymlink(ctx, p, e, n)
	case sys.FIFO, sys.Char, sys.Block:
		return c.makeSpecial(ctx, p, e, n)
	case sys.Socket:
		return StageCopy, ErrSocket
	}
	return StageCopy, ErrChanged
}

// link makes n a further name of a file that was copied before. handled is false where that is not to be had and a copy must do.
func (c *copier) link(ctx context.Context, p pair, e *entry, n sys.Name, t linkTarget) (handled bool, err error) {
	if p.dir.pair.NoLink.Load() {
		c.warn(WarnHardlinks, p.dir, e, nil)
		return false, nil
	}
	_, from, err := c.tree.acquire(t.dir)
	if err != nil {
		return false, nil
	}
	defer c.tree.release(t.dir)
	err = sys.Link(from, t.name, p.dst, n)
	switch {
	case err == nil:
		if err := unmake(ctx, p, n); err != nil {
			return false, err
		}
		c.resize(e, e.moved) // nothing is moved for it
		e.link, e.took = true, t.took
		return true, nil
	case errors.Is(err, syscall.EEXIST):
		return false, err
	case errors.Is(err, syscall.ENOENT): // moved away at this moment
		return false, nil
	case errors.Is(err, syscall.EMLINK), errors.Is(err, syscall.EXDEV): // this file has enough names, or the folders lie on two devices
	default:
		p.dir.pair.NoLink.Store(true)
	}
	c.warn(WarnHardlinks, p.dir, e, err)
	return false, nil
}

// fill moves the content of a file that is small, or can be cloned (else errNotCloned).
func (c *copier) fill(ctx context.Context, p pair, e *entry, dst, src int, st *sys.Stat) error {
	if done, err := c.clone(p, e, dst, src, st); done || err != nil {
		return err
	}
	if c.inChunks(st) {
		return errNotCloned
	}
	n, more, err := lane.Whole(dst, src, st.Size, c.buf, func() error { return c.gate.pass(ctx) })
	c.progress(e, n)
	if err != nil {
		return err
	}
	changed := n < st.Size || more
	if !changed && n >= int64(len(c.buf)) { // it took several reads, between which it may have been written
		if changed, err = changedSince(src, st); err != nil {
			return fromSource(err)
		}
	}
	if changed {
		c.warn(WarnChanged, p.dir, e, nil)
	}
	if n < st.Size {
		c.resize(e, n)
	} else if st.Size == 0 && n > 0 { // /proc, or grown from nothing
		c.resize(e, n)
		c.progress(e, n)
	}
	return nil
}

// clones says what is known of cloning between the devices of a folder pair.
func (c *copier) clones(p pair) cloneHope {
	switch {
	case c.req.Reflink == ReflinkNever || p.dir.pair.NoClone.Load():
		return cloneNever
	case p.dir.pair.Clones.Load():
		return cloneSure
	}
	return cloneMaybe
}

// cloneHope is what may be expected of a clone.
type cloneHope uint8

const (
	cloneNever cloneHope = iota
	cloneMaybe           // nobody has tried
	cloneSure            // it has worked for another file
)

// clone lets the copy share the blocks of its source, if that is wanted and works. done: nothing is left to be moved.
func (c *copier) clone(p pair, e *entry, dst, src int, st *sys.Stat) (done bool, err error) {
	if st.Size == 0 || c.req.Reflink == ReflinkNever {
		return false, nil
	}
	handled, err := p.dir.pair.Clone(dst, src)
	switch {
	case err != nil:
		return false, err
	case handled:
		return true, c.whole(p, e, dst, src, st)
	case c.req.Reflink == ReflinkAlways:
		return false, ErrCloneOnly
	}
	return false, nil
}

// whole makes sure that what the kernel cloned by itself has the right length: OpenZFS has cloned too little and said that all
// is well (openzfs/zfs#15728). A clone is of one moment; if the source has changed since it was looked at, that length is right.
func (c *copier) whole(p pair, e *entry, dst, src int, st *sys.Stat) error {
	var made sys.Stat
	if err := sys.Fstat(dst, &made); err != nil {
		return err
	}
	if made.Size != st.Size {
		changed, err := changedSince(src, st)
		if err != nil {
			return fromSource(err)
		}
		if !changed {
			return syscall.EIO
		}
		c.resize(e, made.Size)
		c.warn(WarnChanged, p.dir, e, nil)
	}
	c.progress(e, made.Size)
	return nil
}

// changedSince reports whether an open file is not what st says any more. Clustered and network file systems may tell a slightly
// different time whenever they are asked (rclone#2206); what is being written has a time of now.
func changedSince(src int, st *sys.Stat) (bool, error) {
	var now sys.Stat
	if err := sys.Fstat(src, &now); err != nil {
		return false, err
	}
	if now.Size != st.Size || now.Mtime == st.Mtime {
		return now.Size != st.Size, nil
	}
	was, is := time.Unix(st.Mtime.Sec, st.Mtime.Nsec), time.Unix(now.Mtime.Sec, now.Mtime.Nsec)
	return sys.Native(src) || is.Sub(was).Abs() >= timeJitter || time.Since(is) < recentWrite, nil
}

// unmake takes back what has just come to be by one call if the job ended during that call, and says so.
func unmake(ctx context.Context, p pair, n sys.Name) error {
	err := ctx.Err()
	if err != nil {
		_ = sys.Unlink(p.dst, n)
	}
	return err
}

// makeSymlink copies a link as a link, with the same text.
func (c *copier) makeSymlink(ctx context.Context, p pair, e *entry, n sys.Name) (Stage, error) {
	var st sys.Stat
	if err := sys.Lookup(p.src, e.name, false, &st); err != nil {
		return StageCopy, fromSource(err)
	}
	text, err := sys.Readlink(p.src, e.name)
	if st.Kind() != sys.Symlink || errors.Is(err, syscall.EINVAL) {
		return StageCopy, ErrChanged
	}
	if err != nil {
		return StageCopy, fromSource(err)
	}
	if err := sys.MakeSymlink(text, p.dst, n); err != nil {
		var there sys.Stat
		if errors.Is(err, syscall.ENAMETOOLONG) && len(text) > nameMax && !namesRefused(sys.Lookup(p.dst, n, false, &there)) {
			return StageCopy, err // it is the text that is too long for the file system: xfs takes 1024 bytes
		}
		return StageCopy, c.nameError(err, n)
	}
	if err := unmake(ctx, p, n); err != nil {
		return StageCommit, err
	}
	c.dressByName(p, e, n, &st)
	c.take(e, &st)
	e.link = true
	return StageCommit, nil
}

// makeSpecial makes a FIFO or device anew; it is never opened.
func (c *copier) makeSpecial(ctx context.Context, p pair, e *entry, n sys.Name) (Stage, error) {
	var st sys.Stat
	if err := sys.Lookup(p.src, e.name, false, &st); err != nil {
		return StageCopy, fromSource(err)
	}
	if st.Kind() != e.kind() {
		return StageCopy, ErrChanged
	}
	var there sys.Stat
	if sys.Lookup(p.dst, n, false, &there) == nil {
		return StageCopy, syscall.EEXIST
	}
	mode := st.Perm() & 0o600 // closed to others until it has its owner
	if !c.keepMode {
		mode = st.Perm() & 0o777 // the umask or the folder's default ACL applies
	}
	if err := sys.Mknod(p.dst, n, uint32(st.Kind())|mode, st.Rdev); err != nil {
		// exFAT over FUSE makes an empty file instead, and then the kernel says EIO.
		if errors.Is(err, syscall.EIO) && sys.Lookup(p.dst, n, false, &there) == nil && there.Kind() == sys.Regular && there.Size == 0 {
			_ = sys.Unlink(p.dst, n)
			err = syscall.EOPNOTSUPP
		}
		return StageCopy, c.nameError(err, n)
	}
	if err := unmake(ctx, p, n); err != nil {
		return StageCommit, err
	}
	c.dressByName(p, e, n, &st)
	c.take(e, &st)
	return StageCommit, nil
}
