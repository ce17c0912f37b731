package engine

import "sync"

// helpers are the goroutines of a run beside its workers: scans and counts. They may report outcomes, so a run ends after all of
// them, and none begins after that: an answer may come at the very moment of a cancel. The zero value is ready.
type helpers struct {
	mu sync.Mutex
	// guarded by mu
	over bool

	all sync.WaitGroup
}

// start runs f on a goroutine of its own. It returns false, and does not, if the run is over.
func (h *helpers) start(f func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return false
	}
	h.all.Go(f)
	return true
}

// end has none begin any more, and waits for those that have.
func (h *helpers) end() {
	h.mu.Lock()
	h.over = true
	h.mu.Unlock()
	h.all.Wait()
}
