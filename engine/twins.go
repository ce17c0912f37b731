package engine

import (
	"hash/maphash"
	"maps"
	"strings"
	"sync"

	"drover/engine/internal/sys"
)

// twins are entries that several sources of a job may have under one name: named twice, or different only in case where
// the destination does not tell the two apart. They are carried out one at a time, and what comes of them is remembered,
// so that no rule lets one of a job's copies take the place of another without a word.
type twins struct {
	mu sync.Mutex
	// guarded by mu, which who carries a twin out holds
	made  map[sys.ID]bool
	names map[uint64]bool // hashes of paths without case, where the destination is caseless: inode numbers of FUSE may change

	foreign  bool // the destination is not one of Linux's own file systems; set by the first scan
	caseless bool // the destination does not tell letter case; set by the first scan
	seed     maphash.Seed
}

func newTwins() twins {
	return twins{made: map[sys.ID]bool{}, names: map[uint64]bool{}, seed: maphash.MakeSeed()}
}

// inherit takes over what a job that has ended knows, for one that tries again what failed. A worker that a device has kept may still
// have the lock; then it is only not known what was made.
func (t *twins) inherit(from *twins) {
	t.foreign, t.caseless, t.seed = from.foreign, from.caseless, from.seed
	if from.mu.TryLock() {
		defer from.mu.Unlock()
		t.made, t.names = maps.Clone(from.made), maps.Clone(from.names)
	}
}

// mayHaveTwin reports whether an entry may have one.
func (r *run) mayHaveTwin(dir *folder, e *entry) bool { return dir.twin || e.twin || r.twins.caseless }

// nameKey stands for a path in a destination that does not tell case. Two paths with one key cost a question too many.
func (r *run) nameKey(dir *folder, n sys.Name) uint64 {
	return maphash.String(r.twins.seed, strings.ToLower(dir.dstPath(n)))
}

// remember notes what a twin has become: a copy, or one that a job before has made and that is still up to date. The caller
// holds twins.mu.
func (c *copier) remember(p pair, e *entry) {
	if c.req.DryRun || e.fate != fateDone && !c.upToDate(e) {
		return
	}
	var st sys.Stat
	// Where many are up to date, a FUSE file system may give the number of one to another one later.
	if (e.fate == fateDone || !c.twins.caseless) && sys.Lookup(p.dst, e.target(), false, &st) == nil {
		c.twins.made[st.ID] = true
	}
	if c.twins.caseless {
		c.twins.names[c.nameKey(p.dir, e.target())] = true
	}
}

// upToDate reports whether an entry was left out because what is in its way is no older. A rule to skip may leave any number
// of twins out: it takes nothing away.
func (r *run) upToDate(e *entry) bool {
	act, has := e.act, e.has
	if !has {
		act, has = r.rule()
	}
	return e.fate == fateSkipped && has && act == ActionNewer
}

// ruleAt is the rule for one entry that old is in the way of. If the job itself has made that, a rule that keeps only one of
// the two does not hold.
func (r *run) ruleAt(dir *folder, e *entry, old sys.ID) (Action, bool) {
	act, has := r.rule()
	if !has || act == ActionKeepBoth || act == ActionRenameOld || !r.mayHaveTwin(dir, e) {
		return act, has
	}
	if r.twins.made[old] || r.twins.caseless && r.twins.names[r.nameKey(dir, e.target())] {
		return 0, false
	}
	return act, has
}

// caseless finds out whether a folder tells letter case in names apart, by trying.
func caseless(dir int) bool {
	n := tempName()
	fd, err := sys.Create(dir, n, 0o600)
	if err != nil {
		return false
	}
	defer (&partial{dir: dir, name: n, fd: fd}).discard()
	var st sys.Stat
	return sys.Lookup(dir, sys.Name(strings.ToUpper(string(n))), false, &st) == nil
}
