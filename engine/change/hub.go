package change

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"
)

// Hub passes on what the engine changes. It lives as long as the engine and holds nothing but the open watches.
type Hub struct {
	// inboxes is replaced as a whole and never changed, so that Watched and Post, which the engine calls thousands of times a
	// second, read it without a lock.
	inboxes atomic.Pointer[map[string][]*inbox]

	mu sync.Mutex // serialises replacing inboxes
}

// NewHub returns a hub without subscribers.
func NewHub() *Hub { return &Hub{} }

// Watched reports whether anyone looks at the folder dir (absolute, clean path). It is cheap: the engine asks once per batch.
func (h *Hub) Watched(dir string) bool {
	m := h.inboxes.Load()
	return m != nil && len((*m)[dir]) > 0
}

// Post tells the subscribers of folder dir that the engine did op to these names in it. It never blocks.
func (h *Hub) Post(dir string, op fsnotify.Op, names ...string) {
	m := h.inboxes.Load()
	if m == nil {
		return
	}
	for _, in := range (*m)[dir] {
		in.post(op, names)
	}
}

// Watch begins to watch one folder, not what lies below it. List the folder after Watch has returned: from then on nothing is missed.
//
// If dir is not absolute, Watch returns an error; it returns none if there is no such folder (the first batch says Gone) or if the
// kernel has no watch to give (see Watch.Err). It waits for a file system that does not answer no longer than 20 ms.
func (h *Hub) Watch(dir string) (*Watch, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("watch %q: not an absolute path", dir)
	}
	w := h.subscribe(filepath.Clean(dir))
	w.read(recheck, setupWait)
	return w, nil
}

// subscribe returns a watch that delivers the engine's posts only.
func (h *Hub) subscribe(dir string) *Watch {
	w := newWatch(h, dir)
	h.replace(func(m map[string][]*inbox) { m[dir] = append(slices.Clone(m[dir]), w.in) })
	return w
}

func (h *Hub) unsubscribe(dir string, in *inbox) {
	h.replace(func(m map[string][]*inbox) {
		m[dir] = slices.DeleteFunc(slices.Clone(m[dir]), func(x *inbox) bool { return x == in })
		if len(m[dir]) == 0 {
			delete(m, dir)
		}
	})
}

func (h *Hub) replace(edit func(map[string][]*inbox)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := map[string][]*inbox{}
	if m := h.inboxes.Load(); m != nil {
		for k, v := range *m {
			next[k] = v
		}
	}
	edit(next)
	h.inboxes.Store(&next)
}
