package engine

import (
	"context"
	"errors"
	"syscall"

	"drover/engine/internal/sys"
)

// entry carries one entry out: blindly first, and by rule or answer where something is in the way. On a nil error the
// entry has its fate.
func (c *copier) entry(ctx context.Context, p pair, e *entry) (Stage, error) {
	if c.mayHaveTwin(p.dir, e) {
		c.twins.mu.Lock()
		defer c.twins.mu.Unlock()
		defer c.remember(p, e)
	}
	if c.renames(p.dir) {
		stage, err := c.carryOut(ctx, p, e)
		if !errors.Is(err, errApart) {
			return stage, err
		}
		c.lone = true
		defer func() { c.lone = false }()
	}
	if e.blind {
		if err := c.see(p, e); err != nil {
			return StageCopy, err
		}
	}
	if e.links == nil || c.req.DryRun {
		return c.carryOut(ctx, p, e)
	}
	t, twin := e.links.enter(c.meter, p.dir, e)
	for t == turnLink && !(c.stands(twin) && c.unchanged(p, e, twin)) { // moved away or changed since: this one becomes the first
		e.links.lost(twin)
		t, twin = e.links.enter(c.meter, p.dir, e)
	}
	switch t {
	case turnWait:
		c.tree.hold(p.dir)
		e.fate = fateDeferred
		return StageCopy, nil
	case turnLink:
		c.twin = twin
		defer func() { c.twin = linkTarget{} }()
		return c.carryOut(ctx, p, e)
	}
	c.found = linkTarget{}
	stage, err := c.carryOut(ctx, p, e)
	made := c.found
	var st sys.Stat
	if err == nil && e.fate == fateDone && sys.Lookup(p.dst, e.target(), false, &st) == nil {
		made = linkTarget{dir: p.dir, name: e.target(), id: st.ID, took: e.took}
	}
	if e.fate != fateDone {
		e.links.giveBack(c.meter, e)
	}
	c.again(e.links.settle(c.meter, made))
	return stage, err
}

// stands reports whether the copy that a link is to be made to is where it was put, and, if it was there before, as it was.
func (c *copier) stands(t linkTarget) bool {
	_, dst, err := c.tree.acquire(t.dir)
	if err != nil {
		return false
	}
	defer c.tree.release(t.dir)
	var st sys.Stat
	return sys.Lookup(dst, t.name, false, &st) == nil && st.ID == t.id && (t.mtime == sys.Time{} || st.Mtime == t.mtime)
}

func (c *copier) carryOut(ctx context.Context, p pair, e *entry) (Stage, error) {
	if c.req.DryRun {
		return StageCopy, c.pretend(p, e)
	}
	if e.has && e.act != ActionRename && e.act != ActionRetry {
		return c.settle(ctx, p, e, e.act)
	}
	for range 3 { // what was in the way may vanish between two looks
		stage, err := c.make(ctx, p, e, e.target())
		if !errors.Is(err, syscall.EEXIST) {
			if err == nil {
				e.fate = fateDone
			}
			return stage, err
		}
		o, err := c.inWay(p, e)
		switch {
		case err != nil:
			return StageResolve, err
		case !o.there:
			continue
		case c.duplicates(p, e):
			return c.settle(ctx, p, e, ActionKeepBoth)
		}
		if act, has := c.ruleAt(p.dir, e, o.id); has && fits(o.why, act) {
			return c.settle(ctx, p, e, act)
		}
		if o.same {
			return c.dropName(p, e)
		}
		return StageResolve, &clashError{o.why}
	}
	return StageResolve, syscall.EEXIST
}

// obstacle is what has the name of an entry. The zero value: nothing has, any more.
type obstacle struct {
	there bool
	same  bool // it is another name of the source, which only a move takes
	why   Why  // the question that it is
	id    sys.ID
}

// inWay looks at what has the entry's name. The source itself is never a question: ErrSameFile, but for a duplicate. Any
// other error is about looking, at the source among others.
func (c *copier) inWay(p pair, e *entry) (obstacle, error) {
	var old, own sys.Stat
	if err := sys.Lookup(p.dst, e.target(), false, &old); errors.Is(err, syscall.ENOENT) {
		return obstacle{}, nil
	} else if err != nil {
		return obstacle{}, err
	}
	o := obstacle{there: true, why: WhyExists, id: old.ID}
	if old.Kind() == sys.Dir {
		o.why = WhyFolderInWay
	}
	if err := lookSource(p.src, e.name, p.dir.follow, &own); err != nil {
		return o, err
	}
	same := old.ID == own.ID && !c.duplicates(p, e)
	if same && c.req.Move && otherName(p, e, &own) {
		o.same = true
		return o, nil
	}
	if own.Kind() == sys.Symlink && !same { // a link to what is in the way would destroy it, and point at itself
		var to sys.Stat
		same = sys.Lookup(p.src, e.name, true, &to) == nil && to.ID == old.ID
	}
	if same {
		return o, ErrSameFile
	}
	return o, nil
}

// lookSource looks at a source. A link to nowhere is what it is, also where links are followed.
func lookSource(dir int, n sys.Name, follow bool, st *sys.Stat) error {
	err := sys.Lookup(dir, n, follow, st)
	if follow && errors.Is(err, syscall.ENOENT) {
		err = sys.Lookup(dir, n, false, st)
	}
	return fromSource(err)
}

// duplicates reports whether an entry is to be copied beside itself.
func (c *copier) duplicates(p pair, e *entry) bool {
	return c.req.Duplicate && p.dir.root && p.dir.dstID == p.dir.meta.ID && e.target() == e.name
}

// fits says which answers a question takes.
func fits(why Why, act Action) bool {
	switch act {
	case ActionSkip, ActionRename:
		return true
	case ActionKeepBoth, ActionRenameOld:
		return why != WhyBadName
	case ActionReplace, ActionNewer:
		return why == WhyExists
	case ActionRetry:
		return true
	}
	return false
}

// settle carries an answer out.
func (c *copier) settle(ctx context.Context, p pair, e *entry, act Action) (Stage, error) {
	switch act {
	case ActionSkip:
		c.skip(e)
		return StageResolve, nil
	case ActionNewer:
		newer, there, err := c.newer(p, e)
		if err != nil {
			return StageResolve, err
		}
		c.found = there
		if !newer {
			c.skip(e)
			return StageResolve, nil
		}
		return c.replace(ctx, p, e)
	case ActionReplace:
		return c.replace(ctx, p, e)
	case ActionKeepBoth:
		return c.keepBoth(ctx, p, e)
	case ActionRenameOld:
		return c.renameOld(ctx, p, e)
	}
	return StageResolve, ErrNotAnswerable
}

// newer reports whether the source was modified after what is in the way. Nothing in the way is older than everything. If what is there is
// the copy that would be made, further names of the source may become names of it.
func (c *copier) newer(p pair, e *entry) (newer bool, there linkTarget, err error) {
	var own, old sys.Stat
	if err := lookSource(p.src, e.name, p.dir.follow, &own); err != nil {
		return false, there, err
	}
	err = sys.Lookup(p.dst, e.target(), false, &old)
	if errors.Is(err, syscall.ENOENT) {
		return true, there, nil
	}
	if err != nil {
		return false, there, err
	}
	if isNewer(&own, &old) {
		return !isHourOff(&own, &old) || sys.Native(p.dst), there, nil
	}
	if !c.req.Move && c.isCopy(&own, &old) { // a source is removed only for a copy that this job has made
		there = linkTarget{dir: p.dir, name: e.target(), id: old.ID, mtime: old.Mtime}
	}
	return false, there, nil
}

// isCopy reports whether an existing file is by all signs the copy of a file: of its size and time, and with the mode and owner that a
// copy would be given.
func (r *run) isCopy(own, old *sys.Stat) bool {
	return own.Kind() == sys.Regular && old.Kind() == sys.Regular && own.Size == old.Size && asKept(own, old) == old.Mtime &&
		(!r.keepMode || own.Perm() == old.Perm()) && (!r.keepOwner || own.UID == old.UID && own.GID == old.GID)
}

// isHourOff reports whether two files that are as long differ by exactly one hour, in steps of two seconds. On FAT, which keeps
// local time, that is the copy of one made before the clocks went forward; elsewhere it is a newer file.
func isHourOff(own, old *sys.Stat) bool {
	o := old.Mtime
	return own.Size == old.Size && o.Nsec == 0 && o.Sec%2 == 0 && own.Mtime.Sec&^1-o.Sec == 3600
}

// isNewer compares times as coarsely as the copy may have been kept. Otherwise the same files would be copied time after time.
func isNewer(own, old *sys.Stat) bool { return asKept(own, old).After(old.Mtime) }

// asKept is the time of a file as old may have kept it, if the sizes agree: in steps of two seconds (FAT), one second (ext4 with small
// inodes) or 100 ns (NTFS).
func asKept(own, old *sys.Stat) sys.Time {
	t, o := own.Mtime, old.Mtime
	if own.Size == old.Size {
		switch {
		case o.Nsec == 0 && o.Sec%2 == 0:
			t.Sec, t.Nsec = t.Sec&^1, 0
		case o.Nsec == 0:
			t.Nsec = 0
		case o.Nsec%100 == 0:
			t.Nsec -= t.Nsec % 100
		}
	}
	return t
}

// replace makes the copy beside the old file and exchanges the two. The old one is whole until then, and a link in the way is replaced, never written through.
func (c *copier) replace(ctx context.Context, p pair, e *entry) (Stage, error) {
	switch o, err := c.inWay(p, e); {
	case err != nil:
		return StageResolve, err
	case o.same:
		return c.dropName(p, e)
	case o.there && o.why != WhyExists:
		return StageResolve, &clashError{o.why}
	}
	if c.renames(p.dir) {
		return c.renameOver(p, e)
	}
	tmp := tempName()
	if stage, err := c.make(ctx, p, e, tmp); err != nil {
		return stage, err
	}
	if err := c.gate.pass(ctx); err != nil {
		_ = sys.Unlink(p.dst, tmp)
		return StageCommit, err
	}
	left, err := exchange(p.dst, tmp, e.target())
	if err != nil {
		_ = sys.Unlink(p.dst, tmp)
		return StageCommit, err
	}
	if left != nil {
		c.warnOf(WarnLeftover, func() string { return p.dir.dstPath(tmp) }, left)
	}
	e.replaces()
	e.fate = fateDone
	return StageCommit, nil
}

// exchange puts tmp in the place of n and removes what was there, if it is no folder. left says why that could not be removed: it has the
// name tmp then, and the new one is in its place all the same. To take the new one back would need the disk to do what it has just refused.
func exchange(dir int, tmp, n sys.Name) (left, err error) {
	handled, err := sys.Exchange(dir, tmp, n)
	if errors.Is(err, syscall.ENOENT) { // nothing in the way any more
		return nil, sys.RenameNew(dir, tmp, dir, n)
	}
	if err != nil {
		return nil, err
	}
	var old sys.Stat
	at := n
	if handled {
		at = tmp
	}
	if err := sys.Lookup(dir, at, false, &old); err == nil && old.Kind() == sys.Dir {
		if handled {
			_, err = sys.Exchange(dir, tmp, n)
		}
		return nil, errors.Join(&clashError{WhyFolderInWay}, err)
	}
	if !handled {
		return nil, sys.RenameOver(dir, tmp, dir, n)
	}
	if left = sys.Unlink(dir, tmp); errors.Is(left, syscall.ENOENT) {
		left = nil
	}
	return left, nil
}

// keepBoth makes the copy under the first free name.
func (c *copier) keepBoth(ctx context.Context, p pair, e *entry) (Stage, error) {
	stage := StageResolve
	n, err := c.freeNames(p.dir, p.dst, e.target(), false).use(func(n sys.Name) (err error) {
		if stage, err = c.make(ctx, p, e, n); errors.Is(err, syscall.EEXIST) {
			c.rewind(e)
		}
		return err
	})
	if err == nil {
		e.as, e.fate = n, fateDone
	}
	return stage, err
}

// renameOld gives what is in the way the first free name, and the copy, or the source that moves, its place. A copy is whole before that:
// until then, and after any failure, the old one keeps its name.
func (c *copier) renameOld(ctx context.Context, p pair, e *entry) (Stage, error) {
	o, err := c.inWay(p, e)
	if err != nil {
		return StageResolve, err
	}
	if c.renames(p.dir) {
		err = c.giveWay(ctx, p, e, o, func() error { return c.rename(ctx, p, e, e.target()) })
	} else {
		tmp := tempName()
		if stage, err := c.make(ctx, p, e, tmp); err != nil {
			return stage, err
		}
		if err = c.giveWay(ctx, p, e, o, func() error { return sys.RenameNew(p.dst, tmp, p.dst, e.target()) }); err != nil {
			_ = sys.Unlink(p.dst, tmp)
		}
	}
	if errors.Is(err, syscall.EEXIST) { // somebody took the name at that moment: it is in the way now
		c.rewind(e)
		return c.carryOut(ctx, p, e)
	}
	return StageCommit, err
}

// giveWay gives an obstacle the first free name, and then has put fill its place. If that cannot be, the old one gets its name back.
func (c *copier) giveWay(ctx context.Context, p pair, e *entry, o obstacle, put func() error) error {
	n, free := e.target(), e.target()
	err := c.gate.pass(ctx)
	if err == nil && o.there {
		c.intend(intentRename, p.dir, []entry{*e})
		free, err = c.moveAway(p, n, o.why == WhyFolderInWay)
	}
	if err != nil {
		return err
	}
	if err := put(); err != nil {
		if free != n {
			err = errors.Join(err, sys.RenameNew(p.dst, free, p.dst, n))
		}
		return err
	}
	if free != n {
		e.replaces()
		c.announceRename(p.dir, n, free)
	}
	e.fate = fateDone
	return nil
}

// moveAway renames what stands under n to the first free name, and returns that; n itself if nothing stands there any more.
func (r *run) moveAway(p pair, n sys.Name, isDir bool) (sys.Name, error) {
	free, err := r.freeNames(p.dir, p.dst, n, isDir).use(func(free sys.Name) error { return sys.RenameNew(p.dst, n, p.dst, free) })
	switch {
	case err == nil:
		return free, nil
	case errors.Is(err, syscall.ENOENT):
		return n, nil
	}
	return n, err
}

// rewind forgets what was moved in vain: it stays in the progress and in the total, once.
func (r *run) rewind(e *entry) {
	if e.moved > 0 {
		r.meter.Restore(0, e.moved)
		e.moved = 0
	}
}

// pretend finds out what a dry run would do.
func (c *copier) pretend(p pair, e *entry) error {
	if p.dst >= 0 {
		o, err := c.inWay(p, e)
		switch {
		case err != nil:
			return err
		case !o.there, c.duplicates(p, e):
		default:
			act, has := c.ruleAt(p.dir, e, o.id)
			if (!has || !fits(o.why, act)) && !o.same {
				return &clashError{o.why}
			}
			if !has {
				act = ActionReplace
			}
			newer := true
			if act == ActionNewer {
				var there linkTarget
				if newer, there, err = c.newer(p, e); err != nil {
					return err
				}
				if e.links != nil && there.dir != nil {
					e.links.copied(c.meter)
				}
			}
			if act == ActionSkip || !newer {
				c.skip(e)
				return nil
			}
		}
	}
	if e.links != nil {
		e.link = !e.links.first(c.meter, e)
	}
	e.fate, e.link = fateDone, e.link || e.kind() == sys.Symlink
	c.progress(e, e.size)
	e.whole = e.size
	return nil
}
