package lane

import (
	"sync"
	"sync/atomic"
	"time"
)

// Pair remembers what a source and a destination device refused, so that a call that cannot work is made once and not once per file.
type Pair struct {
	Clones    atomic.Bool // a clone worked: refusals are about one file, not the pair
	NoClone   atomic.Bool // blocks cannot be shared
	NoRange   atomic.Bool // copy_file_range does not work
	Unnamed   atomic.Bool // O_TMPFILE, and linking its file, works
	NoUnnamed atomic.Bool // it does not
	NoXattr   atomic.Bool // the source has no extended attributes at all
	NoLink    atomic.Bool // the destination has no hard links
	Honest    atomic.Bool // what the destination takes without an error it keeps
	Forgetful atomic.Bool // it may not: what it has kept is to be looked at

	width atomic.Int32 // see Width
}

// The time in which the files that one worker has begun together are to be created: what a cancel has to wait for, and
// then as long again to remove them.
const createTogether = 8 * time.Millisecond

// Width is how many small files a worker may begin together: few where creating takes long, as over a network. It starts
// low and follows what Created reports.
func (p *Pair) Width() int { return max(2, int(p.width.Load())) }

// Created reports how long creating n files took. most bounds the width.
func (p *Pair) Created(n int, took time.Duration, most int) {
	if n > 0 && took > 0 {
		p.width.Store(int32(min(int64(createTogether)*int64(n)/int64(took), int64(most))))
	}
}

// Pairs finds the Pair of two devices. The zero value is ready.
type Pairs struct {
	mu sync.Mutex
	// guarded by mu
	known map[[2]uint64]*Pair
}

// Of returns the one Pair for two device numbers.
func (p *Pairs) Of(src, dst uint64) *Pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := [2]uint64{src, dst}
	x := p.known[k]
	if x == nil {
		if p.known == nil {
			p.known = map[[2]uint64]*Pair{}
		}
		x = new(Pair)
		p.known[k] = x
	}
	return x
}
