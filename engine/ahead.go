package engine

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"time"

	"drover/engine/internal/sys"
)

// ahead walks the sources only to count, because the scan does not look up sizes and has to wait for the copy when it is
// too far ahead. It keeps the names of the folders on its way and nothing else.
type ahead struct {
	*run
	files, bytes int64
	seen         map[sys.ID]bool // files with several names, whose content is counted once
	buf          []byte
}

func (r *run) newAhead() *ahead {
	return &ahead{run: r, buf: make([]byte, direntBuffer), seen: map[sys.ID]bool{}}
}

// countAhead counts, if the job has not ended soon and somebody looks how it goes: it takes time from the copy, for
// totals that nobody else needs. ctx ends with the work.
func (r *run) countAhead(ctx context.Context) {
	soon := time.NewTimer(aheadAfter)
	defer soon.Stop()
	select {
	case <-ctx.Done():
		return
	case <-soon.C:
	}
	select {
	case <-ctx.Done():
		return
	case <-r.looked:
	}
	a := r.newAhead()
	if r.moves {
		a.files, a.bytes = r.meter.Done() // what has been moved is not there any more to be counted
	}
	if err := a.sources(ctx); err == nil {
		r.meter.Ahead(a.files, a.bytes)
	}
}

// sources counts what each source holds. What cannot be read is left out: the scan will report it.
func (a *ahead) sources(ctx context.Context) error {
	above, fd := "", -1 // the folder of the last source: a selection is mostly of one
	follow := a.req.Links == LinksFollow
	var root *folder
	defer func() { closeBoth(fd, -1) }()
	for _, src := range a.req.Sources {
		if err := cmp.Or(a.gate.pass(ctx), ctx.Err()); err != nil {
			return err
		}
		dir, name, content := splitSource(src)
		at := filepath.Join(dir, name)
		if content {
			at = dir
		}
		if up := filepath.Dir(at); up != above || fd < 0 {
			closeBoth(fd, -1)
			var err error
			if fd, err = openPath(sys.CWD, up); err != nil {
				continue
			}
			above, root = up, &folder{name: sys.Name(up + "\x00"), root: true}
		}
		n := sys.Name(filepath.Base(at) + "\x00")
		var st sys.Stat
		err := lookNamed(fd, n, follow || content, endsInSlash(src), &st)
		switch {
		case err != nil, !content && a.excluded(root, n, st.Kind() == sys.Dir):
		case st.Kind() != sys.Dir:
			a.count(&st)
		default: // what is in a folder is named from there on, as in the scan
			err = a.folder(ctx, fd, &folder{parent: root, name: n, root: content, content: content, follow: follow})
		}
		if errors.Is(err, context.Canceled) {
			return err
		}
	}
	return nil
}

func (a *ahead) count(st *sys.Stat) {
	a.files++
	if st.Kind() != sys.Regular || a.seen[st.ID] {
		return
	}
	a.bytes += st.Size
	if a.hasNames(st) {
		a.seen[st.ID] = true
	}
}

// folder counts one folder and those below it. Only cancelling is an error.
func (a *ahead) folder(ctx context.Context, dir int, f *folder) error {
	fd, err := sys.OpenDir(dir, f.name, f.follow || f.content)
	if err != nil {
		return nil
	}
	defer func() { _ = sys.Close(fd) }()
	if sys.Fstat(fd, &f.meta) != nil {
		return nil
	}
	if left, err := a.leftOut(f.parent, f); left || err != nil {
		return nil
	}
	var below []sys.Name
	var ents []sys.Dirent
	for {
		if err := cmp.Or(a.gate.pass(ctx), ctx.Err()); err != nil {
			return err
		}
		var more bool
		ents, more, err = sys.ReadDir(fd, a.buf, ents[:0])
		if err != nil || !more {
			break
		}
		for _, d := range ents {
			if a.excluded(f, d.Name, d.Kind == sys.Dir) {
				continue
			}
			if d.Kind == sys.Dir {
				below = append(below, d.Name)
				continue
			}
			var st sys.Stat
			if lookSource(fd, d.Name, f.follow, &st) != nil {
				continue
			}
			switch {
			case st.Kind() != sys.Dir:
				a.count(&st)
			case !a.excluded(f, d.Name, true): // behind a link, or on a file system that does not tell kinds with names
				below = append(below, d.Name)
			}
		}
	}
	for _, d := range below {
		if err := a.folder(ctx, fd, &folder{parent: f, name: d, follow: f.follow}); err != nil {
			return err
		}
	}
	return nil
}
