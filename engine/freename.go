package engine

import (
	"errors"
	"sync"
	"syscall"

	"drover/engine/internal/sys"
)

// numbering remembers which numbers a job has given to names of one kind, so that the hundredth copy of a name does not try the 99
// before it again. It only says where to look first: what is in the way shows when the name is taken. The zero value is ready.
type numbering struct {
	mu sync.Mutex
	// guarded by mu
	last map[numbered]int
}

// numbered is a name in a folder.
type numbered struct {
	dir  sys.ID
	name sys.Name
}

// first returns the number to begin with.
func (x *numbering) first(n numbered) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.last[n] + 1
}

// gave notes that a name got the number k. What is found by trying a few is not worth remembering.
func (x *numbering) gave(n numbered, k int) {
	if k <= freeNamesInTurn {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.last == nil || len(x.last) >= numberedNames {
		x.last = map[numbered]int{}
	}
	x.last[n] = k
}

// nextNumber returns a number after k, which is taken, that seems to be free: the next one where there are few, else one
// found by leaps, of which only the one before it is sure to be taken. The number of looks grows with the logarithm of what is there.
func nextNumber(k int, taken func(k int) bool) int {
	if k < freeNamesInTurn || !taken(k+1) {
		return k + 1
	}
	low, step := k+1, 1
	for taken(low + step) {
		low += step
		step *= 2
	}
	for step > 1 {
		step /= 2
		if taken(low + step) {
			low += step
		}
	}
	return low + 1
}

// freeNames finds free names beside one that is taken, number after number.
type freeNames struct {
	numbers *numbering
	dst     int // the folder
	key     numbered
	isDir   bool
	k       int // the number that was tried last; 0: none
}

func (r *run) freeNames(dir *folder, dst int, n sys.Name, isDir bool) *freeNames {
	return &freeNames{&r.numbers, dst, numbered{dir.dstID, n}, isDir, 0}
}

// next returns the next name that seems to be free.
func (f *freeNames) next() sys.Name {
	if f.k == 0 {
		f.k = f.numbers.first(f.key)
	} else {
		f.k = nextNumber(f.k, func(k int) bool {
			var st sys.Stat
			return k < maxNumber && sys.Lookup(f.dst, f.name(k), false, &st) == nil
		})
	}
	return f.name(f.k)
}

func (f *freeNames) name(k int) sys.Name { return freeName(f.key.name, f.isDir, k) }

// took notes that the name that next returned last is taken now.
func (f *freeNames) took() { f.numbers.gave(f.key, f.k) }

// use takes the first name that take does not say EEXIST to, and returns that.
func (f *freeNames) use(take func(sys.Name) error) (sys.Name, error) {
	for range freeNameTries {
		n := f.next()
		err := take(n)
		if err == nil {
			f.took()
			return n, nil
		}
		if !errors.Is(err, syscall.EEXIST) {
			return "", err
		}
	}
	return "", syscall.EEXIST
}
