package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"drover/engine/internal/sys"
)

// targets knows where the job writes, so that it never reads there.
type targets struct {
	above map[sys.ID]bool // the destination folder and those above it; set once

	mu sync.Mutex
	// guarded by mu
	inside map[sys.ID]bool // the destination folder, and what the job made right in it
}

// has reports whether a source folder is where the job writes; for one that the user named also whether it lies above.
func (t *targets) has(id sys.ID, named bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.inside[id] || named && t.above[id]
}

func (t *targets) add(id sys.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.inside[id] = true
}

// destination is the folder that the job writes into, and the name there if it is not the source's own.
type destination struct {
	path string
	as   string
	id   sys.ID
}

// refusal says that the job cannot begin.
func refusal(path string, err error) *RefusedError {
	return &RefusedError{Items: []*ItemError{{Stage: StageScan, Src: path, Dst: path, Err: err}}}
}

// destine finds out what Request.Dest stands for.
func (s *scanner) destine() (destination, error) {
	dest := s.req.Dest
	d := destination{path: dest}
	fd, err := openPath(sys.CWD, dest)
	if err != nil {
		if errors.Is(err, syscall.ENOTDIR) && len(s.req.Sources) > 1 {
			return d, refusal(dest, ErrNotFolder)
		}
		if !errors.Is(err, syscall.ENOENT) && !errors.Is(err, syscall.ENOTDIR) {
			return d, refusal(dest, err)
		}
		if len(s.req.Sources) > 1 {
			return d, refusal(dest, ErrNoParent)
		}
		trimmed := strings.TrimRight(dest, "/")
		d.path, d.as = filepath.Split(trimmed)
		if d.path == "" {
			d.path = "/"
		}
		if err := CheckName(d.as); err != nil {
			return d, refusal(dest, err)
		}
		if trimmed != dest && !s.isFolder(s.req.Sources[0]) {
			return d, refusal(dest, ErrNotFolder)
		}
		if fd, err = openPath(sys.CWD, d.path); err != nil {
			if errors.Is(err, syscall.ENOENT) {
				err = ErrNoParent
			} else if errors.Is(err, syscall.ENOTDIR) {
				err = ErrNotFolder
			}
			return d, refusal(d.path, err)
		}
	}
	defer func() { _ = sys.Close(fd) }()
	var st sys.Stat
	if err := sys.Fstat(fd, &st); err != nil {
		return d, refusal(d.path, err)
	}
	d.id, s.device = st.ID, st.Dev
	if err := sys.Writable(fd); err != nil { // a dry run is refused, too: it says what would happen
		return d, refusal(d.path, err)
	}
	if !s.req.DryRun {
		s.twins.foreign = !sys.Native(fd)
		s.twins.caseless = s.twins.foreign && caseless(fd)
	}
	return d, s.climb(fd, st.ID)
}

func (s *scanner) isFolder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// climb notes the identity of the destination and of every folder above it. Names would not do: links and bind mounts lead there too.
func (s *scanner) climb(fd int, id sys.ID) error {
	s.targets = &targets{above: map[sys.ID]bool{id: true}, inside: map[sys.ID]bool{id: true}}
	at, err := sys.Search(fd, ".\x00")
	for err == nil {
		var up int
		var st sys.Stat
		up, err = sys.Search(at, "..\x00")
		_ = sys.Close(at)
		if err != nil {
			break
		}
		if err = sys.Fstat(up, &st); err != nil || s.targets.above[st.ID] {
			_ = sys.Close(up)
			break
		}
		s.targets.above[st.ID] = true
		at = up
	}
	if errors.Is(err, syscall.EACCES) { // what may not be searched cannot be a source either
		err = nil
	}
	return err
}

// sources looks at what the user named, folder by folder: a run of files of one folder becomes batches, as if the folder had been scanned.
func (s *scanner) sources(ctx context.Context, d destination) {
	roots := map[string]*folder{}
	twins := s.namesakes()
	var at opened // the folder of the last source: a selection is mostly of one
	defer func() { at.leave(s) }()
	for _, src := range s.req.Sources {
		if s.gate.pass(ctx) != nil {
			return
		}
		dir, name, content := splitSource(src)
		if content && d.as == "" {
			s.content(ctx, dir, d, s.mixed)
			continue
		}
		if content {
			dir, name = filepath.Split(dir)
		}
		e := entry{name: sys.Name(name + "\x00"), slash: endsInSlash(src), twin: s.mixed || twins[name] > 1, stays: content}
		if d.as != "" {
			e.as = sys.Name(d.as + "\x00")
		}
		root := roots[dir]
		if root == nil {
			var err error
			if root, err = s.root(dir, d); err != nil {
				s.hand(s.unopened(dir, d), &e, err)
				continue
			}
			roots[dir] = root
		}
		if at.root != root {
			at.leave(s)
			if err := at.enter(s, root); err != nil {
				s.hand(root, &e, err)
				continue
			}
		}
		if !s.source(at, name, e) {
			return
		}
	}
	s.batcher.flush()
	slices.Reverse(s.named) // the last is walked first: in the order of their naming
	s.todo = append(s.todo, s.named...)
}

// namesakes counts how many sources have each name. Beside a source that stands for what is in it, whose names nobody
// knows yet, every name may be taken.
func (s *scanner) namesakes() map[string]int {
	if len(s.req.Sources) < 2 {
		return nil
	}
	names := make(map[string]int, len(s.req.Sources))
	for _, src := range s.req.Sources {
		if _, name, content := splitSource(src); content {
			s.mixed = true
		} else {
			names[name]++
		}
	}
	return names
}

// splitSource parts a path into folder and name. content: it ends in "/." (or has no name of its own) and means what is in the folder, which is then dir.
func splitSource(path string) (dir, name string, content bool) {
	trimmed := strings.TrimRight(path, "/")
	dir, name = filepath.Split(trimmed)
	switch name {
	case ".", "..", "":
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil {
			resolved = trimmed
		}
		if name == ".." && resolved != "/" {
			dir, name = filepath.Split(resolved)
			return dir, name, false
		}
		return resolved, "", true
	}
	return dir, name, false
}

func endsInSlash(path string) bool { return path[len(path)-1] == '/' }

// lookNamed looks at what the user named. Where that ends in a slash a file is none (ENOTDIR), nor is a link to one.
func lookNamed(dir int, n sys.Name, follow, slash bool, st *sys.Stat) error {
	if err := lookSource(dir, n, follow, st); err != nil || !slash || st.Kind() == sys.Dir {
		return err
	}
	var to sys.Stat
	err := sys.Lookup(dir, n, true, &to)
	if err == nil && to.Kind() != sys.Dir {
		err = syscall.ENOTDIR
	}
	return fromSource(err)
}

// unopened is the folder pair in which a source lies, before it is opened, or if it cannot be.
func (s *scanner) unopened(dir string, d destination) *folder {
	return &folder{
		name: sys.Name(dir + "\x00"), as: sys.Name(d.path + "\x00"), root: true, dstID: d.id,
		follow: s.req.Links == LinksFollow, src: -1, dst: -1,
	}
}

// root opens the folder pair in which a source lies.
func (s *scanner) root(dir string, d destination) (*folder, error) {
	src, err := openPath(sys.CWD, dir)
	if err != nil {
		return nil, err
	}
	f := s.unopened(dir, d)
	if err := sys.Fstat(src, &f.meta); err != nil {
		_ = sys.Close(src)
		return nil, err
	}
	dst, err := openPath(sys.CWD, d.path)
	if err == nil {
		err = s.learn(dst, f)
	}
	if err == nil && f.dstID != d.id {
		err = fmt.Errorf("%q: %w", d.path, ErrChanged)
	}
	if err != nil {
		closeBoth(src, dst)
		return nil, err
	}
	f.pair = s.tree.pairs.Of(f.meta.Dev, f.dstID.Dev)
	s.tree.adopt(f, src, dst)
	s.tree.release(f)
	return f, nil
}

// opened is a root in use. The zero value is none.
type opened struct {
	root *folder
	src  int
}

func (o *opened) enter(s *scanner, root *folder) error {
	src, _, err := s.tree.acquire(root)
	if err == nil {
		*o = opened{root, src}
	}
	return err
}

func (o *opened) leave(s *scanner) {
	if o.root != nil {
		s.tree.release(o.root)
		o.root = nil
	}
}

// source takes one thing that the user named, of which e is what is known without a look. It returns false when the run is over.
func (s *scanner) source(at opened, name string, e entry) bool {
	root := at.root
	n, err := sys.MakeName(name)
	if name == "." || name == ".." { // a path too long to find out what its folder is called
		err = CheckName(name)
	}
	if err != nil {
		s.lost(root, sys.Name(strings.ReplaceAll(name, "\x00", "\ufffd")+"\x00"), err)
		return true
	}
	var st sys.Stat
	if err := lookNamed(at.src, n, root.follow, e.slash, &st); err != nil {
		s.hand(root, &e, err)
		return true
	}
	if s.excluded(root, n, st.Kind() == sys.Dir) {
		return true
	}
	e.size = s.identify(&e, &st)
	if st.Kind() == sys.Dir {
		e.mode = uint32(sys.Dir)
		s.tree.hold(root)
		s.named = append(s.named, step{root, e})
		return true
	}
	return s.batcher.add(root, e)
}

// content takes what is in a folder, into the destination itself. twin: another source may hold the same names.
func (s *scanner) content(ctx context.Context, dir string, d destination, twin bool) {
	// By these it is told of, and found again, if it cannot be read.
	e := entry{name: sys.Name(filepath.Base(dir) + "\x00"), mode: uint32(sys.Dir), twin: twin, into: true}
	up := s.unopened(filepath.Dir(dir), d)
	root, err := s.root(dir, d)
	if err == nil && root.meta.ID == d.id {
		err = ErrSameFile
	} else if err == nil && s.targets.has(root.meta.ID, true) {
		err = ErrInsideSelf
	}
	if err != nil {
		s.hand(up, &e, err)
		return
	}
	if _, _, err := s.tree.acquire(root); err != nil {
		s.hand(up, &e, err)
		return
	}
	defer s.tree.release(root)
	root.content, root.twin = true, twin
	s.read(ctx, root, up, &e)
}
