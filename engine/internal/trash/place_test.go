package trash_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"drover/engine/enginetest"
	"drover/engine/internal/sys"
	"drover/engine/internal/trash"
)

// topEnv tells the process of the ordinary user where root has mounted something for it.
const topEnv = "DROVER_TRASH_TOP"

// mountFor mounts a file system as root, lets scene arrange it for the user uid, and then returns its mount point: to root or, in a process of its
// own, to the ordinary user. ok is false in a process that has nothing more to do.
func mountFor(t *testing.T, user bool, kind string, scene func(top string, uid int)) (top string, ok bool) {
	t.Helper()
	uid := os.Geteuid()
	if user {
		uid = enginetest.Ordinary
	}
	top = os.Getenv(topEnv)
	if top == "" {
		work := enginetest.WorkDir(t)
		top = work + "/a mount"
		if kind == "tmpfs" {
			enginetest.Tmpfs(t, top, "size=16m,mode=755")
		} else {
			enginetest.Loop(t, top, kind, 16<<20)
		}
		must(t, os.Chmod(work, 0o711))
		must(t, os.MkdirAll(top+"/d", 0o755))
		must(t, os.WriteFile(top+"/d/f", []byte("content"), 0o644))
		must(t, os.Lchown(top+"/d", uid, uid))
		must(t, os.Lchown(top+"/d/f", uid, uid))
		scene(top, uid)
		if user {
			t.Setenv(topEnv, top)
		}
	}
	return top, !user || enginetest.As(t, enginetest.Process{User: true})
}

// mk makes a folder with exactly that owner and mode.
func mk(t *testing.T, path string, uid int, mode os.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(path, 0o700))
	must(t, os.Chown(path, uid, uid))
	must(t, os.Chmod(path, mode))
}

const stranger = 4711

func TestTopFolders(t *testing.T) {
	const shared, own = ".Trash/UID", ".Trash-UID" // where it goes
	for _, tt := range []struct {
		name  string
		scene func(t *testing.T, top string, uid int)
		want  string // "" for ErrNoTrash, then with
		err   error
	}{
		{"nothing there", func(t *testing.T, top string, uid int) { mk(t, top, uid, 0o755) }, own, nil},
		{"nothing there, group may write", func(t *testing.T, top string, _ int) { must(t, os.Chmod(top, 0o1777)) }, own, nil},
		{"used before", func(t *testing.T, top string, uid int) { mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o700) }, own, nil},
		{"open to readers", func(t *testing.T, top string, uid int) { mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o755) }, own, nil},
		{"sticky", func(t *testing.T, top string, _ int) { mk(t, top+"/.Trash", 0, 0o777|os.ModeSticky) }, shared, nil},
		{"sticky and not readable", func(t *testing.T, top string, _ int) { mk(t, top+"/.Trash", 0, 0o733|os.ModeSticky) }, shared, nil},
		{"sticky, used before", func(t *testing.T, top string, uid int) {
			mk(t, top+"/.Trash", 0, 0o755|os.ModeSticky)
			mk(t, top+"/.Trash/"+strconv.Itoa(uid), uid, 0o700)
		}, shared, nil},
		{"not sticky", func(t *testing.T, top string, uid int) {
			mk(t, top, uid, 0o755)
			mk(t, top+"/.Trash", 0, 0o777)
		}, own, nil},
		{"a link to a sticky one", func(t *testing.T, top string, uid int) {
			mk(t, top, uid, 0o755)
			mk(t, top+"/elsewhere", 0, 0o777|os.ModeSticky)
			must(t, os.Symlink("elsewhere", top+"/.Trash"))
		}, own, nil},
		{"a file", func(t *testing.T, top string, uid int) {
			mk(t, top, uid, 0o755)
			must(t, os.WriteFile(top+"/.Trash", nil, 0o666))
		}, own, nil},
		{"sticky, of a stranger", func(t *testing.T, top string, uid int) {
			mk(t, top, uid, 0o755)
			mk(t, top+"/.Trash", stranger, 0o777|os.ModeSticky)
		}, own, nil},
		{"sticky, a stranger was first", func(t *testing.T, top string, uid int) {
			mk(t, top, uid, 0o755)
			mk(t, top+"/.Trash", 0, 0o777|os.ModeSticky)
			mk(t, top+"/.Trash/"+strconv.Itoa(uid), stranger, 0o777)
		}, own, nil},
		{"sticky, with a link in it", func(t *testing.T, top string, uid int) {
			mk(t, top, uid, 0o755)
			mk(t, top+"/.Trash", 0, 0o777|os.ModeSticky)
			mk(t, top+"/d/mine", uid, 0o700)
			must(t, os.Symlink("../d/mine", top+"/.Trash/"+strconv.Itoa(uid)))
		}, own, nil},
		{"of a stranger", func(t *testing.T, top string, uid int) {
			mk(t, top, 0, 0o777)
			mk(t, top+"/.Trash-"+strconv.Itoa(uid), stranger, 0o777)
		}, "", trash.ErrUnsafe},
		{"a link", func(t *testing.T, top string, uid int) {
			mk(t, top+"/d/mine", uid, 0o700)
			must(t, os.Symlink("d/mine", top+"/.Trash-"+strconv.Itoa(uid)))
		}, "", trash.ErrUnsafe},
		{"others may write", func(t *testing.T, top string, uid int) { mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o702) }, "", trash.ErrUnsafe},
		{"the group may write", func(t *testing.T, top string, uid int) { mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o770) }, "", trash.ErrUnsafe},
		{"files is a link", func(t *testing.T, top string, uid int) {
			mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o700)
			mk(t, top+"/d/mine", uid, 0o700)
			must(t, os.Symlink("../d/mine", top+"/.Trash-"+strconv.Itoa(uid)+"/files"))
		}, "", trash.ErrUnsafe},
		{"info of a stranger", func(t *testing.T, top string, uid int) {
			mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o700)
			mk(t, top+"/.Trash-"+strconv.Itoa(uid)+"/info", stranger, 0o755)
		}, "", trash.ErrUnsafe},
		{"another file system within", func(t *testing.T, top string, uid int) {
			mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o700)
			enginetest.Tmpfs(t, top+"/.Trash-"+strconv.Itoa(uid)+"/files", "uid="+strconv.Itoa(uid)+",mode=700")
		}, "", syscall.EXDEV},
		{"the same file system within", func(t *testing.T, top string, uid int) {
			mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o700)
			mk(t, top+"/.Trash-"+strconv.Itoa(uid)+"/files", uid, 0o700)
			enginetest.Bind(t, top+"/.Trash-"+strconv.Itoa(uid)+"/files", top+"/.Trash-"+strconv.Itoa(uid)+"/files")
		}, "", syscall.EXDEV},
		{"read-only", func(t *testing.T, top string, uid int) {
			mk(t, top+"/.Trash-"+strconv.Itoa(uid), uid, 0o700)
			enginetest.Remount(t, top, syscall.MS_RDONLY, "")
		}, "", syscall.EROFS},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, user := range []bool{false, true} {
				t.Run(map[bool]string{false: "root", true: "user"}[user], func(t *testing.T) {
					top, ok := mountFor(t, user, "ext4", func(top string, uid int) { tt.scene(t, top, uid) })
					if ok {
						checkTop(t, top, strings.ReplaceAll(tt.want, "UID", strconv.Itoa(os.Geteuid())), tt.err)
					}
				})
			}
		})
	}
}

// checkTop looks which trash there is at a mount point, and whether it works.
func checkTop(t *testing.T, top, want string, wantErr error) {
	t.Helper()
	g := &ground{T: t, dir: top + "/d", fd: open(t, top+"/d"), data: enginetest.WorkDir(t)}
	t.Setenv("XDG_DATA_HOME", g.data)
	if want == "" {
		b, err := trash.For(g.fd)
		is(t, err, trash.ErrNoTrash)
		is(t, err, wantErr)
		if b != nil {
			t.Fatalf("found %q", b.Path())
		}
		if data, err := os.ReadFile(g.dir + "/f"); string(data) != "content" {
			t.Error(err)
		}
		if open := enginetest.OpenFiles(top); len(open) > 1 {
			t.Errorf("left open: %q", open)
		}
		return
	}
	g.open()
	if g.bin.Path() != top+"/"+want {
		t.Fatalf("found %q, want %q", g.bin.Path(), want)
	}
	if all, _ := os.ReadDir(g.data); len(all) > 0 {
		t.Errorf("made in the home: %v", all)
	}
	tk := g.put("f")
	if path, _ := g.info(tk); path != "d/f" {
		t.Errorf("it was at %q", path)
	}
	other, err := trash.Find(g.fd, tk)
	must(t, err)
	must(t, other.Restore(tk, g.fd, name("f")))
	must(t, other.Close())
	g.empty()
	if fi, err := os.Stat(g.bin.Path() + "/files"); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", fi, err)
	}
	if open := enginetest.OpenFiles(top); len(open) != 3 {
		t.Errorf("open: %q", open)
	}
}

// A user who may not make anything at the mount point has no trash there, and no trouble either.
func TestNoRights(t *testing.T) {
	top, ok := mountFor(t, true, "tmpfs", func(string, int) {})
	if ok {
		checkTop(t, top, "", fs.ErrPermission)
	}
}

func TestWhereNothingCanBeMade(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", enginetest.WorkDir(t))
	b, err := trash.For(open(t, "/proc"))
	if b != nil {
		t.Error(b.Path())
	}
	is(t, err, trash.ErrNoTrash)
	_, err = trash.For(9999)
	is(t, err, syscall.EBADF)
}

// The path in an info is relative to the mount point, also where the caller came by another way.
func TestPathsOfTopFolders(t *testing.T) {
	top, ok := mountFor(t, false, "tmpfs", func(string, int) {})
	if !ok {
		return
	}
	links := enginetest.WorkDir(t)
	enginetest.Build(t, links, enginetest.Symlink("way", top), enginetest.Dir("x"))
	g := awayGround(t, top, enginetest.File("a", ""), enginetest.File("b", ""), enginetest.File("c", ""))
	g.open()
	for n, path := range map[string]string{"a": links + "/way/d/a", "b": top + "/./d//b", "c": links + "/x/../way/d/c"} {
		tk, err := g.bin.Put(g.fd, name(n), []byte(path), noon)
		must(t, err)
		if got, _ := g.info(tk); got != "d/"+n {
			t.Errorf("%q was at %q", path, got)
		}
	}
	// As deep as no path can say: relative where the caller says so, else as it is.
	deep, path := g.fd, g.dir
	for range 20 {
		n := strings.Repeat("d", 250)
		path += "/" + n
		must(t, sys.Mkdir(deep, name(n), 0o700))
		next, err := sys.OpenDir(deep, name(n), false)
		must(t, err)
		t.Cleanup(func() { _ = sys.Close(next) })
		deep = next
	}
	for _, from := range []string{path + "/f", links + "/way" + strings.TrimPrefix(path, top) + "/f"} {
		fd, err := sys.Create(deep, name("f"), 0o600)
		must(t, err)
		must(t, sys.Close(fd))
		tk, err := g.bin.Put(deep, name("f"), []byte(from), noon)
		must(t, err)
		want := strings.TrimPrefix(from, top+"/")
		if got, _ := g.info(tk); got != want {
			t.Errorf("it was at %q, want %q", got, want)
		}
		must(t, g.bin.Restore(tk, deep, name("f")))
		must(t, sys.Unlink(deep, name("f")))
	}
}

// A bind mount has the device of what it shows, and a trash of its own all the same.
func TestBindMount(t *testing.T) {
	work := enginetest.WorkDir(t)
	g := groundAt(t, work, enginetest.File("f", "f"), enginetest.File("sub/g", "g"))
	g.open()
	enginetest.Bind(t, g.dir, work+"/bound")
	b := *g
	b.dir, b.fd = work+"/bound/sub", open(t, work+"/bound/sub")
	_, err := g.bin.Put(b.fd, name("g"), b.path("g"), noon)
	is(t, err, trash.ErrNoTrash)
	is(t, err, syscall.EXDEV)
	g.empty()
	b.open()
	if want := work + "/bound/.Trash-" + strconv.Itoa(os.Geteuid()); b.bin.Path() != want {
		t.Fatalf("found %q, want %q", b.bin.Path(), want)
	}
	tk := b.put("g")
	if path, _ := b.info(tk); path != "sub/g" {
		t.Errorf("it was at %q", path)
	}
	is(t, b.bin.Restore(tk, g.fd, name("g")), syscall.EXDEV)
	b.restore(tk, "g")
	g.restore(g.put("f"), "f")
}

// A btrfs subvolume that is mounted has a trash at its mount point; one within another has none, for nothing can be renamed out of it.
func TestSubvolumes(t *testing.T) {
	work := enginetest.WorkDir(t)
	enginetest.NeedsProgram(t, "btrfs")
	enginetest.Loop(t, work+"/m", "btrfs", 512<<20)
	for _, args := range [][]string{{"subvolume", "create", work + "/m/vol"}, {"subvolume", "create", work + "/m/other"}} {
		run(t, "btrfs", args...)
	}
	g := awayGround(t, work+"/m/vol", enginetest.File("f", "f"))
	b, err := trash.For(g.fd)
	if b != nil {
		t.Fatalf("found %q", b.Path())
	}
	is(t, err, trash.ErrNoTrash)
	is(t, err, syscall.EXDEV)
	if _, err := os.Lstat(work + "/m/.Trash-0"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a trash was made for nothing")
	}
	run(t, "mount", "-o", "subvol=vol", run(t, "findmnt", "-no", "SOURCE", "-T", work+"/m"), mkdir(t, work+"/vol"))
	t.Cleanup(func() { must(t, syscall.Unmount(work+"/vol", 0)) })
	v := awayGround(t, work+"/vol")
	defer sys.Close(v.fd)
	v.bin, err = trash.For(v.fd)
	must(t, err)
	defer v.bin.Close()
	if v.bin.Path() != work+"/vol/.Trash-0" {
		t.Errorf("found %q", v.bin.Path())
	}
	v.restore(v.put("f"), "f")
}

// Another user's home is left alone, also by root, and a home that does not exist is made only by the user whose it is.
func TestHomes(t *testing.T) {
	work := enginetest.WorkDir(t)
	enginetest.Tmpfs(t, work+"/m", "size=1m")
	g := groundAt(t, work+"/m", enginetest.File("f", "f"))
	own := work + "/m/.Trash-0"
	for _, tt := range []struct {
		name, data, home string
		scene            func()
		want             string
	}{
		{"as usual", g.data, "", func() {}, g.data + "/Trash"},
		{"with a slash", g.data + "/", "", func() {}, g.data + "/Trash"},
		{"home", "", work + "/m/h", func() {}, work + "/m/h/.local/share/Trash"},
		{"relative", "share", work + "/m/h", func() {}, work + "/m/h/.local/share/Trash"},
		{"through a link", work + "/m/l", "", func() { must(t, os.Symlink("h", work+"/m/l")) }, work + "/m/l/Trash"},
		{"none", "", "", func() {}, own},
		{"of a stranger", work + "/m/s", "", func() { mk(t, work+"/m/s", stranger, 0o777) }, own},
		{"of a stranger, missing", work + "/m/s/x/y", "", func() {}, own},
		{"a file", work + "/m/d/f", "", func() {}, own},
		{"the trash is a link", work + "/m/t", "", func() {
			mk(t, work+"/m/t", 0, 0o700)
			must(t, os.Symlink("../h", work+"/m/t/Trash"))
		}, own},
		{"on another device", work + "/elsewhere/share", "", func() {}, own},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("XDG_DATA_HOME", tt.data)
			t.Setenv("HOME", tt.home)
			tt.scene()
			g := ground{T: t, dir: g.dir, fd: g.fd}
			g.open()
			if g.bin.Path() != tt.want {
				t.Errorf("found %q, want %q", g.bin.Path(), tt.want)
			}
			if fi, err := os.Stat(filepath.Dir(tt.want)); tt.want != own && (err != nil || fi.Mode().Perm() != 0o700) {
				t.Errorf("the folder above: %v %v", fi, err)
			}
			g.restore(g.put("f"), "f")
		})
	}
	if _, err := os.Lstat(work + "/elsewhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a trash was made for nothing")
	}
	if all, _ := os.ReadDir(work + "/m/s"); len(all) > 0 {
		t.Errorf("made at a stranger's: %v", all)
	}
}

// A disk is mounted elsewhere, or the home has moved: the ticket finds its trash.
func TestFind(t *testing.T) {
	work := enginetest.WorkDir(t)
	enginetest.Loop(t, work+"/here", "ext4", 16<<20)
	g := awayGround(t, work+"/here", enginetest.File("f", "f"))
	var err error
	g.bin, err = trash.For(g.fd)
	must(t, err)
	tk := g.put("f")
	must(t, g.bin.Close())

	enginetest.Bind(t, work+"/here", work+"/there")
	h := &ground{T: t, dir: work + "/there/d", fd: open(t, work+"/there/d")}
	b, err := trash.Find(h.fd, tk)
	must(t, err)
	if b.Path() != work+"/there/.Trash-0" {
		t.Errorf("found in %q", b.Path())
	}
	must(t, b.Restore(tk, h.fd, name("f")))
	must(t, b.Close())
	_, err = trash.Find(h.fd, tk)
	is(t, err, trash.ErrGone)

	home := homeGround(t, enginetest.File("f", "f"), enginetest.File("x", "x"))
	tk, first := home.put("f"), home.bin.Path()
	t.Setenv("XDG_DATA_HOME", home.data+"2")
	home.open()
	if home.bin.Path() == first {
		t.Fatal("the home did not move")
	}
	must(t, os.Rename(home.dir+"/x", home.dir+"/f"))
	home.put("f") // the new home has one of the same name
	b, err = trash.Find(home.fd, tk)
	must(t, err)
	defer b.Close()
	if b.Path() != first {
		t.Errorf("found in %q", b.Path())
	}
	must(t, os.WriteFile(tk.Path(), []byte("changed"), 0o600))
	_, err = trash.Find(home.fd, tk)
	is(t, err, trash.ErrChanged)
	must(t, os.Chmod(first, 0o777)) // not to be trusted any more: that is no "gone"
	must(t, os.RemoveAll(home.bin.Path()))
	_, err = trash.Find(home.fd, tk)
	is(t, err, trash.ErrUnsafe)
	must(t, os.RemoveAll(first))
	_, err = trash.Find(home.fd, tk)
	is(t, err, trash.ErrGone)
	if _, err := os.Lstat(first); !errors.Is(err, fs.ErrNotExist) {
		t.Error("looking for it made a trash")
	}
}
