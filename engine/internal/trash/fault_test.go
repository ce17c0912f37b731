package trash_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"drover/engine/enginetest"
	"drover/engine/internal/sys"
	"drover/engine/internal/trash"
)

// faulty shows a ground with a trash through a file system that has faults.
func faulty(t *testing.T, faults ...enginetest.Fault) *ground {
	t.Helper()
	work := enginetest.WorkDir(t)
	enginetest.Build(t, work+"/back/d", enginetest.File("f", "f"), enginetest.File("g", "g"), enginetest.File("dir/x", "x"), enginetest.Symlink("l", "f"))
	enginetest.Fuse(t, work+"/back", work+"/front", faults...)
	g := groundAt(t, work+"/front")
	g.open()
	return g
}

// stays fails the test unless f is where it was and nothing is in the trash.
func (g *ground) stays() {
	g.Helper()
	if data, err := os.ReadFile(g.dir + "/f"); string(data) != "f" {
		g.Errorf("f is %q: %v", data, err)
	}
	g.empty()
}

func TestFileSystemsThatLack(t *testing.T) {
	for lacks, faults := range map[string][]enginetest.Fault{
		"nothing":         nil,
		"flags":           {enginetest.NoRenameFlags()},
		"flags and links": {enginetest.NoRenameFlags(), enginetest.NoLinks()},
		"fine times":      {enginetest.CoarseTimes(2)},
		"long writes":     {enginetest.ShortWrites("*.trashinfo", 3)},
		"long reads":      {enginetest.ShortReads("*.trashinfo", 3)},
	} {
		t.Run(lacks, func(t *testing.T) {
			g := faulty(t, faults...)
			before := enginetest.Fingerprint(t, g.dir)[1:]
			tickets := map[string]trash.Ticket{}
			for _, n := range []string{"f", "g", "dir", "l"} {
				tickets[n] = g.put(n)
			}
			for n, tk := range tickets {
				g.restore(tk, n)
			}
			if d := enginetest.Diff(before, enginetest.Fingerprint(t, g.dir)[1:], enginetest.All&^enginetest.Xattrs); len(d) > 0 {
				t.Errorf("%q", d)
			}
			g.empty()
			tk := g.put("f")
			must(t, os.WriteFile(g.dir+"/f", []byte("new"), 0o600))
			is(t, g.bin.Restore(tk, g.fd, name("f")), fs.ErrExist)
			if data, _ := os.ReadFile(g.dir + "/f"); string(data) != "new" {
				t.Errorf("replaced by %q", data)
			}
		})
	}
}

// Where inodes have no lasting numbers, the info stands for them.
func TestWithoutLastingInodes(t *testing.T) {
	g := faulty(t)
	if sys.Native(g.fd) {
		t.Fatal("FUSE keeps inodes?")
	}
	tk := g.put("f")
	// What such a file system shows after it was mounted again: another number, and a time that is rounded.
	fi, err := os.Lstat(tk.Path())
	must(t, err)
	must(t, os.Rename(tk.Path(), tk.Path()+"~"))
	must(t, os.WriteFile(tk.Path(), []byte("f"), 0o600))
	must(t, os.Chtimes(tk.Path(), fi.ModTime(), fi.ModTime().Add(-1500e6)))
	must(t, g.bin.Holds(tk))
	must(t, os.Chtimes(tk.Path(), fi.ModTime(), fi.ModTime().Add(3e9)))
	is(t, g.bin.Holds(tk), trash.ErrChanged)
	must(t, os.Chtimes(tk.Path(), fi.ModTime(), fi.ModTime()))
	info := filepath.Join(filepath.Dir(tk.Path()), "../info/f.trashinfo")
	must(t, os.Rename(info, info+"~"))
	is(t, g.bin.Restore(tk, g.fd, name("f")), trash.ErrChanged)
	must(t, os.WriteFile(info, []byte("another"), 0o600))
	is(t, g.bin.Holds(tk), trash.ErrChanged)
	must(t, os.Rename(info+"~", info))
	must(t, os.Remove(tk.Path()+"~"))
	g.restore(tk, "f")
	g.empty()
}

// An info that cannot be written is an error, and leaves nothing.
func TestInfoCannotBeWritten(t *testing.T) {
	for what, tt := range map[string]struct {
		fault enginetest.Fault
		err   error
	}{
		"full at once":       {enginetest.WriteError("*.trashinfo", 0, syscall.ENOSPC, -1), syscall.ENOSPC},
		"full in the middle": {enginetest.WriteError("*.trashinfo", 20, syscall.ENOSPC, -1), syscall.ENOSPC},
		"full at the end":    {enginetest.CloseError("*.trashinfo", syscall.EDQUOT), syscall.EDQUOT},
		"broken":             {enginetest.WriteError("*.trashinfo", 0, syscall.EIO, -1), syscall.EIO},
		"interrupted":        {enginetest.WriteError("*.trashinfo", 0, syscall.EINTR, 3), nil},
	} {
		t.Run(what, func(t *testing.T) {
			g := faulty(t, tt.fault)
			tk, err := g.bin.Put(g.fd, name("f"), g.path("f"), noon)
			is(t, err, tt.err)
			if tt.err == nil {
				g.restore(tk, "f")
			}
			g.stays()
			if errors.Is(err, trash.ErrNoTrash) {
				t.Error("there is a trash")
			}
		})
	}
}

// A name that the file system takes for a file and not with a suffix more becomes one that it takes.
func TestNameRefused(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENAMETOOLONG, syscall.EINVAL} {
		g := faulty(t, enginetest.RefuseNames("G", errno)) // no random name has one
		tk, err := g.bin.Put(g.fd, name("f"), g.path("G"), noon)
		must(t, err)
		if path, _ := g.info(tk); path != g.dir+"/G" {
			t.Errorf("it was at %q", path)
		}
		g.restore(tk, "f")
		g.stays()
	}
	g := faulty(t, enginetest.RefuseNames(".", syscall.ENAMETOOLONG))
	_, err := g.bin.Put(g.fd, name("f"), g.path("f"), noon)
	is(t, err, syscall.ENAMETOOLONG)
	g.stays()
}

func TestFull(t *testing.T) {
	work := enginetest.WorkDir(t)
	enginetest.Tmpfs(t, work+"/m", "size=64k,nr_inodes=16")
	g := awayGround(t, work+"/m", enginetest.File("f", "f"))
	fill := func() (made []string) {
		for i := range 100 {
			n := fmt.Sprint(work, "/m/fill", i)
			if err := os.WriteFile(n, nil, 0o600); errors.Is(err, syscall.ENOSPC) {
				return made
			}
			made = append(made, n)
		}
		t.Fatal("it does not fill")
		return nil
	}
	made := fill()
	_, err := trash.For(g.fd)
	is(t, err, syscall.ENOSPC)
	if errors.Is(err, trash.ErrNoTrash) {
		t.Error("there would be a trash, with more room")
	}
	for _, n := range made {
		must(t, os.Remove(n))
	}
	g.open()
	made = fill()
	_, err = g.bin.Put(g.fd, name("f"), g.path("f"), noon)
	is(t, err, syscall.ENOSPC)
	g.stays()
	must(t, os.Remove(made[0]))
	tk := g.put("f")
	g.restore(tk, "f")
	g.stays()
	must(t, os.Remove(made[1]))
	is(t, os.WriteFile(work+"/m/blocks", make([]byte, 128<<10), 0o600), syscall.ENOSPC) // every block, and one inode is free
	_, err = g.bin.Put(g.fd, name("f"), g.path("f"), noon)
	is(t, err, syscall.ENOSPC)
	g.stays()
}

// A file of which a hard link lies in the trash is another name of the same file, and no less moved.
func TestHardLinks(t *testing.T) {
	g := homeGround(t, enginetest.File("f", "f"), enginetest.Hardlink("g", "f"))
	a := g.put("f")
	b, err := g.bin.Put(g.fd, name("g"), g.path("f"), noon)
	must(t, err)
	if a.ID() != b.ID() || a == b {
		t.Errorf("%v %v", a, b)
	}
	g.restore(b, "g")
	g.restore(a, "f")
	g.stays()
}

// Many at once, of the same name and of different ones, from several goroutines.
func TestManyAtOnce(t *testing.T) {
	const workers, each = 8, 100
	g := homeGround(t)
	for w := range workers {
		for i := range each {
			enginetest.Build(t, fmt.Sprint(g.dir, "/", w), enginetest.File(fmt.Sprint("t", i), fmt.Sprint(w, i)))
		}
	}
	tickets := make([][]trash.Ticket, workers)
	var all sync.WaitGroup
	for w := range workers {
		fd := open(t, fmt.Sprint(g.dir, "/", w))
		all.Go(func() {
			for i := range each {
				tk, err := g.bin.Put(fd, name(fmt.Sprint("t", i)), fmt.Appendf(nil, "%s/%d/index %d.html", g.dir, w, i%2), noon)
				if err != nil {
					t.Error(err)
					return
				}
				tickets[w] = append(tickets[w], tk)
			}
		})
	}
	all.Wait()
	if files, infos := g.left(); len(files) != workers*each || !slices.Equal(files, infos) {
		t.Errorf("%d files, %d infos", len(files), len(infos))
	}
	for w := range workers {
		fd := open(t, fmt.Sprint(g.dir, "/", w))
		all.Go(func() {
			for i, tk := range tickets[w] {
				if err := g.bin.Restore(tk, fd, name(fmt.Sprint("t", i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for w := range workers {
		for i := range each {
			if data, err := os.ReadFile(fmt.Sprint(g.dir, "/", w, "/t", i)); string(data) != fmt.Sprint(w, i) {
				t.Errorf("%d/%d is %q: %v", w, i, data, err)
			}
		}
	}
	g.empty()
}

// Two that want to bring back the same thing: one does.
func TestRestoreRace(t *testing.T) {
	g := homeGround(t, enginetest.File("f", "f"))
	for range 100 {
		tk := g.put("f")
		var all sync.WaitGroup
		errs := make([]error, 4)
		for i := range errs {
			all.Go(func() { errs[i] = g.bin.Restore(tk, g.fd, name("f")) })
		}
		all.Wait()
		good := 0
		for _, err := range errs {
			switch {
			case err == nil:
				good++
			case errors.Is(err, trash.ErrGone), errors.Is(err, fs.ErrExist):
			default:
				t.Error(err)
			}
		}
		if good == 0 {
			t.Fatal("nobody brought it back")
		}
		g.stays()
	}
}

// FAT and its like: where everything belongs to root and is open to all there is no trash; where desktops mount it for a user there is one.
func TestFAT(t *testing.T) {
	for _, user := range []bool{false, true} {
		t.Run(map[bool]string{false: "open to all", true: "user"}[user], func(t *testing.T) {
			top := os.Getenv(topEnv)
			if top == "" {
				work := enginetest.WorkDir(t)
				must(t, os.Chmod(work, 0o711))
				top = work + "/m"
				enginetest.Loop(t, top, "exfat", 16<<20)
				options := "umask=0"
				if user {
					options = fmt.Sprintf("uid=%d,gid=%d,umask=022", enginetest.Ordinary, enginetest.Ordinary)
				}
				device := run(t, "findmnt", "-no", "SOURCE", top)
				must(t, syscall.Unmount(top, 0))
				run(t, "mount.exfat-fuse", "-o", options, device, top)
				enginetest.Build(t, top+"/d", enginetest.File("f", "f"))
				if user {
					t.Setenv(topEnv, top)
				}
			}
			if user && !enginetest.As(t, enginetest.Process{User: true}) {
				return
			}
			g := &ground{T: t, dir: top + "/d", fd: open(t, top+"/d")}
			t.Setenv("XDG_DATA_HOME", enginetest.WorkDir(t))
			if !user {
				_, err := trash.For(g.fd)
				is(t, err, trash.ErrNoTrash)
				is(t, err, trash.ErrUnsafe)
				return
			}
			g.open()
			must(t, os.WriteFile(g.dir+"/ä日本 1.txt", []byte("x"), 0o600))
			g.restore(g.put("ä日本 1.txt"), "b")
			tk, again := g.put("f"), g.put("b")
			must(t, os.WriteFile(g.dir+"/B", []byte("B"), 0o600))
			capital := g.put("B") // the same name as "b" there
			is(t, g.bin.Holds(again), nil)
			g.restore(capital, "c")
			g.restore(again, "b")
			g.restore(tk, "f")
			g.stays()
		})
	}
}

// BenchmarkPut moves files of one name and of different ones into a trash and back.
func BenchmarkPut(b *testing.B) {
	for _, same := range []bool{false, true} {
		b.Run(fmt.Sprintf("same=%v", same), func(b *testing.B) {
			dir := enginetest.WorkDir(b)
			b.Setenv("XDG_DATA_HOME", dir+"/share")
			enginetest.Build(b, dir, enginetest.File("f", "f"))
			fd := open(b, dir)
			bin, err := trash.For(fd)
			must(b, err)
			defer bin.Close()
			i := 0
			for b.Loop() {
				n := "x"
				if !same {
					i++
					n = fmt.Sprint(i)
				}
				fd2, err := sys.Create(fd, name(n), 0o600)
				must(b, err)
				must(b, sys.Close(fd2))
				_, err = bin.Put(fd, name(n), []byte(dir+"/"+n), noon)
				must(b, err)
			}
		})
	}
}
