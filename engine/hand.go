package engine

import (
	"slices"
	"sync"

	"drover/engine/internal/sys"
)

// hand is what a worker has in hand, for others to see. It is a name and no entry: that one is used again.
type hand struct {
	mu   sync.Mutex
	name sys.Name
}

func (h *hand) set(n sys.Name) {
	h.mu.Lock()
	h.name = n
	h.mu.Unlock()
}

func (h *hand) get() sys.Name {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.name
}

// inHand lists the names that workers have in hand.
func (r *run) inHand() []string {
	var out []string
	for _, c := range r.copiers {
		if n := c.hand.get(); n != "" && !slices.Contains(out, n.String()) {
			out = append(out, n.String())
		}
	}
	return out
}
