package engine_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/fsnotify/fsnotify"

	"drover/engine/change"
	"drover/engine/enginetest"
)

func (s *script) tree(args []string) error {
	if len(args) < 2 {
		return errors.New("want: tree DIR WANT [ASPECT…]")
	}
	var got []string
	for _, l := range enginetest.Fingerprint(s, s.abs(args[0]))[1:] {
		got = append(got, treeLine(l, args[2:]))
	}
	return s.compare(args[1:2], got)
}

// treeLine tells an entry with the aspects asked for.
func treeLine(l enginetest.Line, aspects []string) string {
	out := []string{quoted(l.Path)}
	if l.Kind == syscall.S_IFDIR {
		out[0] += "/"
	}
	for _, a := range aspects {
		switch {
		case a == "mode" && l.Kind != syscall.S_IFLNK:
			out = append(out, fmt.Sprintf("%04o", l.Perm))
		case a == "owner":
			out = append(out, fmt.Sprintf("%d:%d", l.UID, l.GID))
		case a == "links" && l.Kind == syscall.S_IFREG:
			out = append(out, fmt.Sprintf("#%d", l.Group))
		case a == "time":
			out = append(out, time.Unix(l.Mtime[0], l.Mtime[1]).UTC().Format("2006-01-02T15:04:05.999999999"))
		}
	}
	if l.Err != nil {
		return strings.Join(append(out, causeOf(l.Err)), "  ")
	}
	switch l.Kind {
	case syscall.S_IFREG:
		out = append(out, told(l))
	case syscall.S_IFLNK:
		out = append(out, "-> "+quoted(l.Link))
	case syscall.S_IFIFO:
		out = append(out, "fifo")
	case syscall.S_IFSOCK:
		out = append(out, "socket")
	case syscall.S_IFCHR, syscall.S_IFBLK:
		out = append(out, fmt.Sprintf("device %d:%d", l.Rdev>>8, l.Rdev&0xff))
	}
	return strings.Join(out, "  ")
}

// told is the content of a file: itself, if it is one short line.
func told(l enginetest.Line) string {
	text := strings.TrimSuffix(l.Text, "\n")
	switch {
	case l.Size == 0:
		return "(empty)"
	case l.Text == "" || text == "" || text != strings.TrimSpace(text) || quoted(text) != text:
		return fmt.Sprintf("%d bytes %s", l.Size, l.Sum[:8])
	}
	return text
}

// quoted writes a name so that it takes one column of one line.
func quoted(name string) string {
	plain := utf8.ValidString(name) && strings.TrimSpace(name) == name && !strings.Contains(name, "  ")
	for _, r := range name {
		plain = plain && r >= ' ' && r != 0x7f && r != '"'
	}
	if plain {
		return name
	}
	return strconv.Quote(name)
}

var aspects = map[string]enginetest.Aspect{
	"mode": enginetest.Modes, "owner": enginetest.Owners, "time": enginetest.Times, "links": enginetest.Names,
	"xattr": enginetest.Xattrs, "none": 0,
}

func (s *script) same(args []string) error {
	if len(args) < 2 {
		return errors.New("want: same A B [ASPECT…]")
	}
	by := enginetest.All
	if len(args) > 2 {
		by = 0
	}
	for _, a := range args[2:] {
		bit, ok := aspects[a]
		if !ok {
			return fmt.Errorf("%q is no aspect", a)
		}
		by |= bit
	}
	read := func(dir string) []enginetest.Line { return enginetest.Fingerprint(s, s.abs(dir))[1:] }
	if d := enginetest.Diff(read(args[0]), read(args[1]), by); len(d) > 0 {
		return fmt.Errorf("differs:\n\t%s", strings.Join(d[:min(len(d), 20)], "\n\t"))
	}
	return nil
}

// state is all that changes when a file is touched in any way, for a whole tree.
func (s *script) state(name string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(s.abs(name), func(p string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var st syscall.Stat_t
		if err := syscall.Lstat(p, &st); err != nil {
			return err
		}
		fmt.Fprintln(&b, p, st.Dev, st.Ino, st.Mode, st.Uid, st.Gid, st.Size, st.Mtim, st.Ctim)
		return nil
	})
	return b.String(), err
}

func (s *script) note(args []string) error {
	for _, a := range args {
		state, err := s.state(a)
		if err != nil {
			return err
		}
		s.notes[a] = state
		if s.inodes[a], err = os.Lstat(s.abs(a)); err != nil {
			return err
		}
	}
	return nil
}

func (s *script) renamed(args []string) error {
	if len(args) != 2 || s.inodes[args[0]] == nil {
		return errors.New("want: renamed A B, after note A")
	}
	if _, err := os.Lstat(s.abs(args[0])); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s is still there (%w)", args[0], err)
	}
	now, err := os.Lstat(s.abs(args[1]))
	if err == nil && !os.SameFile(now, s.inodes[args[0]]) {
		err = fmt.Errorf("%s is another file", args[1])
	}
	return err
}

func (s *script) unchanged(args []string) error {
	for _, a := range args {
		state, err := s.state(a)
		if err != nil {
			return err
		}
		if s.notes[a] == "" || state != s.notes[a] {
			return fmt.Errorf("%s was\n%sand is\n%s", a, cmp.Or(s.notes[a], "not noted\n"), state)
		}
	}
	return nil
}

func (s *script) allocated(args []string) error {
	most, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return err
	}
	var st syscall.Stat_t
	if err := syscall.Stat(s.abs(args[0]), &st); err != nil {
		return err
	}
	if st.Blocks*512 > most {
		return fmt.Errorf("%d bytes are allocated", st.Blocks*512)
	}
	return nil
}

// watcher gathers what is told of one folder.
type watcher struct {
	*change.Watch

	mu sync.Mutex
	// guarded by mu
	told  map[string]bool
	again bool // "look again" came in place of names
}

// watch begins to watch and waits until the watch has settled: what is posted comes as a name.
func (s *script) watch(args []string) error {
	for _, a := range args {
		w, err := s.engine.Changes().Watch(s.abs(a))
		if err != nil {
			return err
		}
		x := &watcher{Watch: w, told: map[string]bool{}}
		s.Cleanup(w.Close)
		go x.gather(s)
		for i := 0; ; i++ {
			probe := fmt.Sprintf("probe%d", i)
			s.engine.Changes().Post(w.Dir(), fsnotify.Create, probe)
			enginetest.Await(s, "the first news", func() bool {
				x.mu.Lock()
				defer x.mu.Unlock()
				return x.again || len(x.told) > 0
			})
			x.mu.Lock()
			again := x.again
			x.again = false
			clear(x.told)
			x.mu.Unlock()
			if !again {
				break
			}
		}
		s.watchers = append(s.watchers, x)
	}
	return nil
}

func (w *watcher) gather(s *script) {
	for b := range w.Batches() {
		w.mu.Lock()
		w.again = w.again || b.LookAgain
		for _, e := range b.Events {
			for op := range strings.SplitSeq(e.Op.String(), "|") {
				w.told[strings.ToLower(op)+" "+s.rel(path.Join(w.Dir(), path.Base(e.Name)))] = true
			}
		}
		w.mu.Unlock()
	}
}

// errOnceMore asks for the whole script once more. Without inotify the watch compares the folder whenever something is mounted
// anywhere, and every five seconds; it then says "look again", which is right, and names nothing.
var errOnceMore = errors.New("the watch said look again")

func (s *script) events(args []string) error {
	var err error
	enginetest.Await(s, "events", func() bool {
		var got []string
		again := false
		for _, w := range s.watchers {
			w.mu.Lock()
			for line := range w.told {
				got = append(got, line)
			}
			again = again || w.again
			w.mu.Unlock()
		}
		if err = s.compare(args, got); err != nil && again {
			err = errOnceMore
			return true
		}
		return err == nil || slices.ContainsFunc(got, func(line string) bool { return !strings.Contains(s.want[args[0]], line+"\n") })
	})
	return err
}
