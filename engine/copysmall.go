package engine

import (
	"context"
	"errors"
	"syscall"
	"time"

	"drover/engine/internal/sys"
)

// begun is a small file whose source is open and whose copy may have been created.
type begun struct {
	e        *entry
	src, dst int
	st       sys.Stat
	plain    bool // see newMode
}

// simple counts the entries at the start of a batch that can be copied together: small files, or such as will be cloned,
// that nobody has decided anything about.
func (c *copier) simple(p pair, rest []entry) int {
	if c.req.DryRun || p.dir.twin || c.twins.caseless || c.renames(p.dir) {
		return 0
	}
	hope := c.clones(p)
	for i := range rest {
		e := &rest[i]
		if e.kind() != sys.Regular || e.size >= bigFile && hope != cloneSure || e.has || e.links != nil || e.twin || e.fate != fatePending {
			return i
		}
	}
	return len(rest)
}

// together copies a run of small files in three steps: open all sources, create all copies, fill and finish each.
// Creating is serial within a folder, for the kernel locks it; so one worker creates while another fills, and they do
// not meet in the kernel (BENCHMARKING.md: 0.69 instead of 0.79 of cp's time on ext4). An entry that does not go smoothly stays
// pending: it is tried by itself afterwards, which finds out why.
func (c *copier) together(ctx context.Context, p pair, run []entry) {
	c.begun = c.begun[:0]
	for i := range run {
		if b := (begun{e: &run[i], dst: -1}); c.openSmall(p, &b) {
			c.begun = append(c.begun, b)
		}
	}
	p.dir.creating.Lock()
	start := time.Now()
	for i := range c.begun {
		b := &c.begun[i]
		var mode uint32
		mode, b.plain = c.newMode(p.dir, &b.st)
		var err error
		if b.dst, err = sys.Create(p.dst, b.e.target(), mode); err != nil && judge(err) == verdictStall {
			break // the others would not fare better
		}
	}
	p.dir.pair.Created(len(c.begun), time.Since(start), c.width)
	p.dir.creating.Unlock()
	for i := range c.begun {
		b := &c.begun[i]
		if b.dst < 0 {
			_ = sys.Close(b.src)
			continue
		}
		c.hand.set(b.e.name)
		err := c.gate.pass(ctx)
		stage := StageCopy
		if err != nil {
			(&partial{dir: p.dst, name: b.e.target(), fd: b.dst}).discard()
		} else {
			stage, err = c.finishSmall(ctx, p, b, b.e.target())
		}
		_ = sys.Close(b.src)
		switch {
		case err == nil:
			b.e.fate = fateDone
			c.count(b.e)
		case ctx.Err() != nil, errors.Is(err, errNotCloned): // stays pending
		default:
			c.conclude(ctx, p.dir, b.e, stage, err)
		}
	}
}

// openSmall opens a source. It returns false, with nothing open, for what cannot be opened, has several names, or has to be
// copied in chunks.
func (c *copier) openSmall(p pair, b *begun) bool {
	var err error
	if b.src, err = sys.OpenRead(p.src, b.e.name, p.dir.follow); err != nil {
		return false
	}
	err = sys.Fstat(b.src, &b.st)
	if err == nil && b.e.blind {
		c.resize(b.e, c.identify(b.e, &b.st))
	}
	if err != nil || b.st.Kind() != sys.Regular || c.unripe(&b.st) || b.e.links != nil || c.inChunks(&b.st) && c.clones(p) != cloneSure {
		_ = sys.Close(b.src)
		return false
	}
	if b.st.Size != b.e.size {
		c.resize(b.e, b.st.Size)
	}
	return true
}

// isBig reports whether a file is copied in chunks: for its size, or its holes.
func isBig(st *sys.Stat) bool { return st.Size >= bigFile || st.Sparse() && st.Size > 4096 }

// errNotCloned says that a big file has to be copied in chunks after all.
var errNotCloned = errors.New("not cloned")

// finishSmall gives a created copy its content and metadata, and closes it. After an error nothing of it is left.
func (c *copier) finishSmall(ctx context.Context, p pair, b *begun, n sys.Name) (Stage, error) {
	w := partial{dir: p.dst, name: n, fd: b.dst}
	if err := c.fill(ctx, p, b.e, b.dst, b.src, &b.st); err != nil {
		w.discard()
		return StageCopy, err
	}
	c.dress(p.dir, b.e, b.dst, b.src, &b.st, b.plain)
	if err := settled(p.dir, b.dst); err != nil {
		w.discard()
		return StageCommit, err
	}
	if err := c.gate.pass(ctx); err != nil { // a device that hung has answered after the end of the job
		w.discard()
		return StageCommit, err
	}
	if err := w.keep(); err != nil {
		return StageCommit, err
	}
	b.e.whole = b.e.moved
	c.take(b.e, &b.st)
	return StageCommit, nil
}

// makeFile copies one regular file under the name n.
func (c *copier) makeFile(ctx context.Context, p pair, e *entry, n sys.Name) (Stage, error) {
	src, err := sys.OpenRead(p.src, e.name, p.dir.follow)
	if errors.Is(err, syscall.ENXIO) {
		return StageCopy, ErrChanged // a socket stands there now
	}
	if err != nil {
		return StageCopy, fromSource(err)
	}
	defer func() { _ = sys.Close(src) }()
	b := begun{e: e, src: src}
	if err := sys.Fstat(src, &b.st); err != nil {
		return StageCopy, fromSource(err)
	}
	if b.st.Kind() != sys.Regular {
		return StageCopy, ErrChanged
	}
	if c.unripe(&b.st) {
		if err := c.ripen(ctx, src, &b.st); err != nil {
			return StageCopy, err
		}
	}
	if b.st.Size != e.size {
		c.resize(e, b.st.Size)
	}
	if c.inChunks(&b.st) && c.clones(p) != cloneSure {
		return c.makeBig(ctx, p, e, n, src, &b.st)
	}
	var mode uint32
	mode, b.plain = c.newMode(p.dir, &b.st)
	if b.dst, err = sys.Create(p.dst, n, mode); err != nil {
		return StageCopy, c.nameError(err, n)
	}
	stage, err := c.finishSmall(ctx, p, &b, n)
	if errors.Is(err, errNotCloned) {
		return c.makeBig(ctx, p, e, n, src, &b.st)
	}
	return stage, err
}
