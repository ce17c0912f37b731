package trash_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"drover/engine/enginetest"
	"drover/engine/internal/sys"
	"drover/engine/internal/trash"
)

func name(s string) sys.Name { return sys.Name(s + "\x00") }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

func open(t testing.TB, dir string) int {
	t.Helper()
	fd, err := sys.OpenDir(sys.CWD, name(dir), true)
	must(t, err)
	t.Cleanup(func() { _ = sys.Close(fd) })
	return fd
}

// ground is a folder to put things away from, with the trash for it.
type ground struct {
	*testing.T
	dir  string
	fd   int
	data string // $XDG_DATA_HOME
	bin  *trash.Bin
}

// homeGround is one that lies where the home does.
func homeGround(t *testing.T, entries ...enginetest.Entry) *ground {
	t.Helper()
	g := groundAt(t, enginetest.WorkDir(t), entries...)
	g.open()
	return g
}

// groundAt is one below a given folder, with the home below that, too.
func groundAt(t *testing.T, top string, entries ...enginetest.Entry) *ground {
	t.Helper()
	g := &ground{T: t, dir: top + "/d", data: top + "/home/share"}
	enginetest.Build(t, g.dir, entries...)
	must(t, os.MkdirAll(top+"/home", 0o700))
	t.Setenv("XDG_DATA_HOME", g.data)
	g.fd = open(t, g.dir)
	return g
}

// awayGround is one in a file system of its own at top, so that the trash of the home is not for it.
func awayGround(t *testing.T, top string, entries ...enginetest.Entry) *ground {
	t.Helper()
	g := &ground{T: t, dir: top + "/d", data: enginetest.WorkDir(t) + "/share"}
	t.Setenv("XDG_DATA_HOME", g.data)
	enginetest.Build(t, g.dir, entries...)
	g.fd = open(t, g.dir)
	return g
}

// open finds the trash.
func (g *ground) open() {
	g.Helper()
	b, err := trash.For(g.fd)
	must(g, err)
	g.Cleanup(func() { _ = b.Close() })
	g.bin = b
}

var noon = time.Date(2026, 3, 4, 12, 34, 56, 789, time.Local)

func (g *ground) path(n string) []byte { return []byte(g.dir + "/" + n) }

// put puts one entry into the trash under its own name.
func (g *ground) put(n string) trash.Ticket {
	g.Helper()
	t, err := g.bin.Put(g.fd, name(n), g.path(n), noon)
	must(g, err)
	if _, err := os.Lstat(g.dir + "/" + n); !errors.Is(err, fs.ErrNotExist) {
		g.Errorf("%q is still there: %v", n, err)
	}
	if _, err := os.Lstat(t.Path()); err != nil {
		g.Errorf("%q is not in the trash: %v", n, err)
	}
	return t
}

func (g *ground) restore(t trash.Ticket, n string) {
	g.Helper()
	must(g, g.bin.Restore(t, g.fd, name(n)))
}

// left returns the names that the trash has, of things and of infos without the suffix.
func (g *ground) left() (files, infos []string) {
	g.Helper()
	read := func(dir string) (out []string) {
		all, err := os.ReadDir(dir)
		must(g, err)
		for _, e := range all {
			out = append(out, e.Name())
		}
		return out
	}
	files = read(g.bin.Path() + "/files")
	for _, n := range read(g.bin.Path() + "/info") {
		bare, ok := strings.CutSuffix(n, ".trashinfo")
		if !ok {
			g.Errorf("%q is no name of an info", n)
		}
		infos = append(infos, bare)
	}
	slices.Sort(infos)
	return files, infos
}

// empty fails the test if anything is in the trash.
func (g *ground) empty() {
	g.Helper()
	if files, infos := g.left(); len(files) > 0 || len(infos) > 0 {
		g.Errorf("left in the trash: %q, infos %q", files, infos)
	}
}

// info reads the info to a ticket as other programs do.
func (g *ground) info(t trash.Ticket) (path, date string) {
	g.Helper()
	dir, base := filepath.Split(t.Path())
	text, err := os.ReadFile(filepath.Join(dir, "../info", base+".trashinfo"))
	must(g, err)
	lines := strings.Split(string(text), "\n")
	if len(lines) != 4 || lines[0] != "[Trash Info]" || lines[3] != "" {
		g.Fatalf("an info is %q", text)
	}
	escaped, ok1 := strings.CutPrefix(lines[1], "Path=")
	date, ok2 := strings.CutPrefix(lines[2], "DeletionDate=")
	path, err = url.PathUnescape(escaped)
	if !ok1 || !ok2 || err != nil {
		g.Fatalf("an info is %q: %v", text, err)
	}
	return path, date
}

// Everything that can lie in a folder goes into the trash and comes back as it was.
func TestThereAndBack(t *testing.T) {
	for _, user := range []bool{false, true} {
		t.Run(map[bool]string{false: "as it is", true: "user"}[user], func(t *testing.T) {
			if user && !enginetest.As(t, enginetest.Process{User: true}) {
				return
			}
			thereAndBack(t, enginetest.WorkDir(t))
		})
	}
	for _, kind := range enginetest.Kinds {
		t.Run(kind, func(t *testing.T) {
			dir := enginetest.WorkDir(t) + "/m"
			enginetest.MountKind(t, dir, kind)
			thereAndBack(t, dir)
		})
	}
}

func thereAndBack(t *testing.T, top string) {
	g := groundAt(t, top, enginetest.Zoo(os.Geteuid() == 0)...)
	g.open()
	look := func() []enginetest.Line { // without what the user may not read
		return slices.DeleteFunc(enginetest.Fingerprint(t, g.dir)[1:], func(l enginetest.Line) bool { return l.Err != nil })
	}
	before := look()
	all, err := os.ReadDir(g.dir)
	must(t, err)
	tickets := map[string]trash.Ticket{}
	for _, e := range all {
		if fi, err := e.Info(); err == nil && e.IsDir() && fi.Mode()&0o200 == 0 && os.Geteuid() != 0 {
			continue // what is in it has "..", so that its own right to write is needed
		}
		tk := g.put(e.Name())
		tickets[e.Name()] = tk
		path, date := g.info(tk)
		if path != g.dir+"/"+e.Name() || date != "2026-03-04T12:34:56" {
			t.Errorf("%q was at %q on %q", e.Name(), path, date)
		}
	}
	if len(tickets) < 5 {
		t.Fatalf("only %d were put away", len(tickets))
	}
	for n, tk := range tickets {
		packed, err := tk.AppendBinary(nil)
		must(t, err)
		again, err := trash.ParseTicket(packed)
		must(t, err)
		g.restore(again, n)
	}
	if d := enginetest.Diff(before, look(), enginetest.All); len(d) > 0 {
		t.Errorf("after coming back:\n\t%s", strings.Join(d, "\n\t"))
	}
	g.empty()
	for _, dir := range []string{"", "/files", "/info"} {
		if fi, err := os.Lstat(g.bin.Path() + dir); err != nil || fi.Mode().Perm() != 0o700 {
			t.Errorf("the trash%s: %v %v", dir, fi.Mode(), err)
		}
	}
}

// oddNames are names that something might stumble over.
func oddNames() []string {
	return []string{
		"a", "photo 1.jpg", " ", "%", "%41", "%%", "x.trashinfo", ".trashinfo", "x.trashinfo.trashinfo", ".hidden", "...", "-rf", "\xff\n\r\t\x01", "ä€\u0301日本",
		"a=b", "[Trash Info]", "\nPath=etc", "#?;&+", "\\", "*", "a.2", "\x7f",
		strings.Repeat("x", 255), strings.Repeat("x", 245), strings.Repeat("x", 246), strings.Repeat("日", 85), strings.Repeat("\xff", 255),
		strings.Repeat("y", 245) + ".trashinfo",
	}
}

func TestNames(t *testing.T) {
	names := oddNames()
	g := homeGround(t)
	type put struct {
		name, content string
		ticket        trash.Ticket
	}
	var puts []put
	for round := range 3 { // the second and third find the name taken
		for _, n := range names {
			content := n + strconv.Itoa(round)
			must(t, os.WriteFile(g.dir+"/"+n, []byte(content), 0o600))
			tk := g.put(n)
			if path, _ := g.info(tk); path != g.dir+"/"+n {
				t.Errorf("%q was at %q", n, path)
			}
			puts = append(puts, put{n, content, tk})
		}
	}
	if files, infos := g.left(); len(files) != len(puts) || !slices.Equal(files, infos) {
		t.Errorf("%d files and %d infos, want %d", len(files), len(infos), len(puts))
	}
	for _, p := range puts {
		g.restore(p.ticket, p.name)
		if data, err := os.ReadFile(g.dir + "/" + p.name); string(data) != p.content {
			t.Errorf("%q came back as %q, want %q (%v)", p.name, data, p.content, err)
		}
		must(t, os.Remove(g.dir+"/"+p.name))
	}
	g.empty()
}

// An entry that has a temporary name by now is in the trash under the one it had.
func TestTemporaryName(t *testing.T) {
	g := homeGround(t, enginetest.File("tmp-7", "old"), enginetest.File("report.txt", "new"))
	tk, err := g.bin.Put(g.fd, name("tmp-7"), g.path("report.txt"), noon)
	must(t, err)
	if path, _ := g.info(tk); path != g.dir+"/report.txt" || filepath.Base(tk.Path()) != "report.txt" || tk.Trash() != g.data+"/Trash" {
		t.Errorf("it was at %q and is at %q", path, tk.Path())
	}
	is(t, g.bin.Restore(tk, g.fd, name("report.txt")), fs.ErrExist)
	if data, _ := os.ReadFile(g.dir + "/report.txt"); string(data) != "new" {
		t.Errorf("replaced by %q", data)
	}
	must(t, g.bin.Holds(tk))
	g.restore(tk, "report (old).txt")
	if data, _ := os.ReadFile(g.dir + "/report (old).txt"); string(data) != "old" {
		t.Errorf("%q came back", data)
	}
	g.empty()
}

func TestBadPaths(t *testing.T) {
	g := homeGround(t, enginetest.File("f", "f"))
	for _, p := range []string{"", "f", "d/f", "/", g.dir + "/", g.dir + "/.", g.dir + "/..", g.dir + "/f\x00"} {
		_, err := g.bin.Put(g.fd, name("f"), []byte(p), noon)
		is(t, err, syscall.EINVAL)
	}
	_, err := g.bin.Put(g.fd, name("missing"), g.path("missing"), noon)
	is(t, err, fs.ErrNotExist)
	g.empty()
	if _, err := os.Lstat(g.dir + "/f"); err != nil {
		t.Error(err)
	}
}

// A file without an info, or an info without a file, keeps its name.
func TestTakenByHalf(t *testing.T) {
	g := homeGround(t, enginetest.File("f", "mine"))
	must(t, os.WriteFile(g.bin.Path()+"/files/f", []byte("a file without an info"), 0o600))
	must(t, os.WriteFile(g.bin.Path()+"/info/f.2.trashinfo", []byte("an info without a file"), 0o600))
	tk := g.put("f")
	if got := filepath.Base(tk.Path()); got != "f.3" {
		t.Errorf("it is called %q", got)
	}
	if files, infos := g.left(); !slices.Equal(files, []string{"f", "f.3"}) || !slices.Equal(infos, []string{"f.2", "f.3"}) {
		t.Errorf("files %q, infos %q", files, infos)
	}
	g.restore(tk, "f")
	if data, err := os.ReadFile(g.bin.Path() + "/files/f"); !bytes.HasPrefix(data, []byte("a file")) {
		t.Errorf("%q %v", data, err)
	}
}

// Forget and a Restore that comes too late take away their own info, and no other.
func TestForget(t *testing.T) {
	g := homeGround(t, enginetest.File("f", "1"), enginetest.File("g", "2"))
	tk, err := g.bin.Reserve(g.fd, g.path("f"), noon)
	must(t, err)
	if tk.Moved() || g.bin.Holds(tk) == nil {
		t.Error("nothing was moved yet")
	}
	packed, _ := tk.AppendBinary([]byte("before"))
	again, err := trash.ParseTicket(packed[len("before"):])
	must(t, err)
	if again != tk {
		t.Errorf("%v, want %v", again, tk)
	}
	must(t, g.bin.Forget(again))
	g.empty()

	// A crash after Move: the ticket of Reserve is enough.
	tk, err = g.bin.Reserve(g.fd, g.path("f"), noon)
	must(t, err)
	moved, err := g.bin.Move(tk, g.fd, name("f"))
	must(t, err)
	if !moved.Moved() || moved == tk {
		t.Error("it was moved")
	}
	must(t, g.bin.Forget(tk)) // something is there
	must(t, g.bin.Holds(moved))
	g.restore(tk, "f")
	g.empty()

	// The name belongs to somebody else by now.
	stale := g.put("f")
	must(t, os.Remove(stale.Path()))
	must(t, g.bin.Forget(stale))
	g.empty()
	must(t, os.WriteFile(g.bin.Path()+"/info/f.trashinfo", []byte("another's"), 0o600))
	must(t, g.bin.Forget(stale))
	is(t, g.bin.Restore(stale, g.fd, name("f")), trash.ErrGone)
	if _, infos := g.left(); len(infos) != 1 {
		t.Error("the info of another was removed")
	}
	is(t, g.bin.Restore(trash.Ticket{}, g.fd, name("f")), trash.ErrGone)
	_, err = trash.Find(g.fd, trash.Ticket{})
	is(t, err, trash.ErrGone)
}

func TestRestoreFindsChanges(t *testing.T) {
	past := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	write := func(t *testing.T, path, content string, at time.Time) {
		must(t, os.WriteFile(path, []byte(content), 0o600))
		must(t, os.Chtimes(path, at, at))
	}
	for what, tt := range map[string]struct {
		change func(t *testing.T, path string)
		want   error
	}{
		"nothing":     {func(*testing.T, string) {}, nil},
		"permissions": {func(t *testing.T, p string) { must(t, os.Chmod(p, 0o400)) }, nil},
		"emptied":     {func(t *testing.T, p string) { must(t, os.Remove(p)) }, trash.ErrGone},
		"longer":      {func(t *testing.T, p string) { write(t, p, "longer", past) }, trash.ErrChanged},
		"touched":     {func(t *testing.T, p string) { must(t, os.Chtimes(p, past, past.Add(1))) }, trash.ErrChanged},
		"another that looks like it": {func(t *testing.T, p string) {
			write(t, p+"~", "12345", past)
			must(t, os.Rename(p+"~", p))
		}, trash.ErrChanged},
		"a link to it": {func(t *testing.T, p string) {
			must(t, os.Rename(p, p+"~"))
			must(t, os.Symlink(p+"~", p))
		}, trash.ErrChanged},
		"a folder": {func(t *testing.T, p string) {
			must(t, os.Remove(p))
			must(t, os.Mkdir(p, 0o700))
		}, trash.ErrChanged},
		"no info": {func(t *testing.T, p string) {
			must(t, os.Remove(filepath.Join(filepath.Dir(p), "../info", filepath.Base(p)+".trashinfo")))
		}, nil},
	} {
		t.Run(what, func(t *testing.T) {
			g := homeGround(t, enginetest.File("f", "12345").Mtime(past), enginetest.File("other", ""))
			if !sys.Native(g.fd) {
				t.Skip("inodes have no lasting numbers here")
			}
			tk := g.put("f")
			tt.change(t, tk.Path())
			is(t, g.bin.Holds(tk), tt.want)
			is(t, g.bin.Restore(tk, g.fd, name("f")), tt.want)
			_, err := os.Lstat(g.dir + "/f")
			if (err == nil) != (tt.want == nil) {
				t.Errorf("afterwards: %v", err)
			}
			if tt.want == nil || errors.Is(tt.want, trash.ErrGone) {
				g.empty()
			}
		})
	}
}

// A folder that was looked into is the same; one in which something was changed is not.
func TestFolders(t *testing.T) {
	g := homeGround(t, enginetest.File("a/b/c", "c"), enginetest.File("x/y", "y"))
	a, x := g.put("a"), g.put("x")
	_ = enginetest.Fingerprint(t, g.bin.Path())
	must(t, os.Remove(x.Path()+"/y"))
	is(t, g.bin.Restore(x, g.fd, name("x")), trash.ErrChanged)
	g.restore(a, "a")
	if data, err := os.ReadFile(g.dir + "/a/b/c"); string(data) != "c" {
		t.Errorf("%q %v", data, err)
	}
}
