// Package change tells folder views what changed, in the terms of fsnotify.
package change

import "github.com/fsnotify/fsnotify"

// Hub passes on what the engine changes.
type Hub struct{}

// NewHub returns a hub without subscribers.
func NewHub() *Hub { return &Hub{} }

// Watched reports whether anyone looks at the folder dir (absolute, clean path). It is cheap: the engine asks once per batch.
func (h *Hub) Watched(dir string) bool { return false }

// Post tells the subscribers of folder dir that the engine did op to these names in it. It never blocks.
func (h *Hub) Post(dir string, op fsnotify.Op, names ...string) {}
