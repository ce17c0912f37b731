package lane

import (
	"sync"
	"sync/atomic"
)

// Pair remembers what a source and a destination device refused, so that a call that cannot work is made once and not once per file.
type Pair struct {
	NoClone   atomic.Bool // blocks cannot be shared
	NoRange   atomic.Bool // copy_file_range does not work
	NoUnnamed atomic.Bool // O_TMPFILE, or linking its file, does not work
	NoXattr   atomic.Bool // the source has no extended attributes at all
	NoLink    atomic.Bool // the destination has no hard links

	clones atomic.Bool // a clone worked: refusals are about one file, not the pair
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
