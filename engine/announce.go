package engine

import (
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"drover/engine/internal/sys"
)

// announce tells the views of a folder what a batch has put there: one call per batch, and none if nobody looks.
func (r *run) announce(b *batch) {
	if b.removed {
		r.announceGone(b, fsnotify.Remove)
		return
	}
	if r.moves {
		r.announceGone(b, fsnotify.Rename)
	}
	if r.req.DryRun || !r.hub.Watched(r.place(b.dir)) {
		return
	}
	var names []string
	for i := range b.entries {
		if e := &b.entries[i]; e.fate == fateDone {
			names = append(names, e.target().String())
		}
	}
	// What took the place of an old file has come by a rename, too, and the kernel reports it so. Told as a write it would
	// wait for an echo, and take the next write of another program for it.
	r.post(b.dir, fsnotify.Create, names)
}

// announceFolder tells of a folder that was made.
func (r *run) announceFolder(f *folder) {
	r.post(f.parent, fsnotify.Create, []string{f.as.String()})
}

// announceGone tells the views of a source folder what has left it, by op.
func (r *run) announceGone(b *batch, op fsnotify.Op) {
	if !r.hub.Watched(r.origin(b.dir)) {
		return
	}
	var names []string
	for i := range b.entries {
		if e := &b.entries[i]; e.fate == fateDone && (b.removed || e.took == nil) {
			names = append(names, e.name.String())
		}
	}
	r.postAt(r.origin(b.dir), op, names)
}

// announceShift tells both sides of a folder that has moved as a whole.
func (r *run) announceShift(f *folder) {
	r.post(f.parent, fsnotify.Create, []string{f.as.String()})
	r.postAt(r.origin(f.parent), fsnotify.Rename, []string{f.name.String()})
}

// announceRename tells of an old file that made room.
func (r *run) announceRename(dir *folder, from, to sys.Name) {
	r.post(dir, fsnotify.Rename, []string{from.String()})
	r.post(dir, fsnotify.Create, []string{to.String()})
}

func (r *run) post(dir *folder, op fsnotify.Op, names []string) { r.postAt(r.place(dir), op, names) }

func (r *run) postAt(at string, op fsnotify.Op, names []string) {
	if len(names) > 0 && r.hub.Watched(at) {
		r.hub.Post(at, op, names...)
	}
}

// place is the path by which views know a destination folder. It is put together once and not for every batch.
func (r *run) place(dir *folder) string {
	if p := dir.place.Load(); p != nil {
		return *p
	}
	p := filepath.Clean(dir.dstPath(""))
	dir.place.Store(&p)
	return p
}

// origin is the same for the source.
func (r *run) origin(dir *folder) string {
	if p := dir.origin.Load(); p != nil {
		return *p
	}
	p := filepath.Clean(dir.srcPath(""))
	dir.origin.Store(&p)
	return p
}
