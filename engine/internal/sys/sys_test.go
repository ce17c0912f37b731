package sys_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"drover/engine/enginetest"
	"drover/engine/internal/sys"
)

func name(s string) sys.Name { return sys.Name(s + "\x00") }

// folder returns a fresh folder and a descriptor of it.
func folder(t testing.TB, entries ...enginetest.Entry) (string, int) {
	t.Helper()
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, entries...)
	return dir, open(t, dir)
}

func open(t testing.TB, dir string) int {
	t.Helper()
	fd, err := sys.OpenDir(sys.CWD, name(dir), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sys.Close(fd) })
	return fd
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}

func TestNames(t *testing.T) {
	n, err := sys.MakeName("\xff/x")
	if err != nil || n.String() != "\xff/x" || sys.Name("").String() != "" {
		t.Errorf("%q %v", n, err)
	}
	if _, err := sys.MakeName("a\x00b"); err == nil {
		t.Error("took a NUL")
	}
}

func TestReadDirSeesWhatIsThere(t *testing.T) {
	dir, fd := folder(t, enginetest.Dir("d"), enginetest.Symlink("l", "x"), enginetest.FIFO("p"), enginetest.Socket("s"), enginetest.File("\xff\n", ""))
	for i := range 3000 {
		must(t, os.WriteFile(fmt.Sprintf("%s/%s%d", dir, strings.Repeat("n", i%200), i), nil, 0o600))
	}
	want, err := os.ReadDir(dir)
	must(t, err)
	var got []string
	kinds := map[string]sys.Kind{}
	buf := make([]byte, 1000)
	for more := true; more; {
		var out []sys.Dirent
		out, more, err = sys.ReadDir(fd, buf, nil)
		must(t, err)
		for _, d := range out {
			got = append(got, d.Name.String())
			kinds[d.Name.String()] = d.Kind
		}
	}
	slices.Sort(got)
	if len(got) != len(want) {
		t.Fatalf("%d names, want %d", len(got), len(want))
	}
	for i, w := range want {
		if got[i] != w.Name() {
			t.Fatalf("%q, want %q", got[i], w.Name())
		}
	}
	for n, k := range map[string]sys.Kind{"d": sys.Dir, "l": sys.Symlink, "p": sys.FIFO, "s": sys.Socket, "\xff\n": sys.Regular} {
		if kinds[n] != k && kinds[n] != 0 {
			t.Errorf("%q is %o", n, kinds[n])
		}
	}
}

// Lookup and Fstat say the same as the standard library, and as each other.
func TestStat(t *testing.T) {
	dir, fd := folder(t, enginetest.Zoo(os.Geteuid() == 0)...)
	names, err := os.ReadDir(dir)
	must(t, err)
	for _, d := range names {
		var st sys.Stat
		must(t, sys.Lookup(fd, name(d.Name()), false, &st))
		fi, err := os.Lstat(dir + "/" + d.Name())
		must(t, err)
		want := fi.Sys().(*syscall.Stat_t)
		if st.FileMode() != fi.Mode() || st.Size != fi.Size() || !st.Mtime.Std().Equal(fi.ModTime()) || st.Ino != want.Ino || st.Dev != uint64(want.Dev) ||
			uint64(st.Nlink) != uint64(want.Nlink) || st.UID != want.Uid || st.GID != want.Gid || st.Blocks != want.Blocks || st.Rdev != uint64(want.Rdev) {
			t.Errorf("%s: %+v, want %v %+v", d.Name(), st, fi.Mode(), want)
		}
		if !fi.Mode().IsRegular() && !fi.IsDir() || fi.Mode().Perm()&0o400 == 0 {
			continue
		}
		f, err := sys.OpenRead(fd, name(d.Name()), false)
		must(t, err)
		var own sys.Stat
		must(t, sys.Fstat(f, &own))
		own.Atime = st.Atime
		if own != st {
			t.Errorf("%s: Fstat says %+v, Lookup %+v", d.Name(), own, st)
		}
		_ = sys.Close(f)
	}
	var st sys.Stat
	is(t, sys.Lookup(fd, name("missing"), false, &st), syscall.ENOENT)
	is(t, sys.Lookup(fd, name("dangling"), true, &st), syscall.ENOENT)
	must(t, sys.Lookup(fd, name("link"), true, &st))
	if st.Kind() != sys.Regular {
		t.Errorf("through the link: %+v", st)
	}
}

func TestOpenDoesNotFollowOrWait(t *testing.T) {
	dir, fd := folder(t, enginetest.File("f", "f"), enginetest.Symlink("l", "f"), enginetest.FIFO("p"), enginetest.File("d/e/f", ""), enginetest.Symlink("dl", "d"))
	_, err := sys.OpenRead(fd, name("l"), false)
	is(t, err, syscall.ELOOP)
	for _, n := range []sys.Name{name("f"), name("p")} { // nobody writes to p, and it is opened all the same
		f, err := sys.OpenRead(fd, n, false)
		must(t, err)
		_ = sys.Close(f)
	}
	if f, err := sys.OpenRead(fd, name("l"), true); err != nil {
		t.Error(err)
	} else {
		_ = sys.Close(f)
	}
	_, err = sys.OpenDir(fd, name("f"), false)
	is(t, err, syscall.ENOTDIR)
	if _, err = sys.OpenDir(fd, name("dl"), false); err == nil {
		t.Error("went through a link")
	}
	for rel, good := range map[string]bool{"d/e": true, "dl/e": false, "d/x": false} {
		f, err := sys.OpenBeneath(fd, name(rel))
		if errors.Is(err, sys.ErrUnsupported) {
			t.Skip("no openat2 here")
		}
		if (err == nil) != good {
			t.Errorf("%s: %v", rel, err)
		}
		if err == nil {
			_ = sys.Close(f)
		}
	}
	if got := enginetest.OpenFiles(dir + "/d"); len(got) > 0 {
		t.Errorf("open: %q", got)
	}
}

// What is created was not there before, and nothing is ever replaced by it.
func TestCreateReplacesNothing(t *testing.T) {
	dir, fd := folder(t, enginetest.File("f", "old"), enginetest.Symlink("l", "evil"), enginetest.Dir("d"))
	for _, n := range []string{"f", "l", "d"} {
		_, err := sys.Create(fd, name(n), 0o600)
		is(t, err, syscall.EEXIST)
		is(t, sys.Mkdir(fd, name(n), 0o700), syscall.EEXIST)
		is(t, sys.MakeSymlink("x", fd, name(n)), syscall.EEXIST)
		is(t, sys.Mknod(fd, name(n), syscall.S_IFIFO|0o600, 0), syscall.EEXIST)
		is(t, sys.Link(fd, name("f"), fd, name(n)), syscall.EEXIST)
	}
	if _, err := os.Lstat(dir + "/evil"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("created through a link")
	}
	f, err := sys.Create(fd, name("new"), 0o640)
	must(t, err)
	must(t, sys.Write(f, []byte("hello")))
	must(t, sys.WriteAt(f, []byte("J"), 0))
	buf := make([]byte, 10)
	if n, err := sys.ReadAt(f, buf, 0); n != 5 || string(buf[:5]) != "Jello" || err != nil {
		t.Errorf("%q %v", buf[:n], err)
	}
	must(t, sys.Truncate(f, 2))
	must(t, sys.Close(f))
	if data, _ := os.ReadFile(dir + "/new"); string(data) != "Je" {
		t.Errorf("%q", data)
	}
	// A hard link to a link is one to the link, not to what it points to.
	must(t, sys.Link(fd, name("l"), fd, name("l2")))
	if text, err := sys.Readlink(fd, name("l2")); text != "evil" || err != nil {
		t.Errorf("%q %v", text, err)
	}
}

func TestUnnamed(t *testing.T) {
	dir, fd := folder(t, enginetest.File("f", "old"))
	f, handled, err := sys.CreateUnnamed(fd, 0o600)
	must(t, err)
	if !handled {
		t.Skip("no unnamed files here")
	}
	defer sys.Close(f)
	must(t, sys.Write(f, []byte("x")))
	is(t, sys.LinkUnnamed(f, fd, name("f")), syscall.EEXIST)
	must(t, sys.LinkUnnamed(f, fd, name("g")))
	if data, _ := os.ReadFile(dir + "/g"); string(data) != "x" {
		t.Errorf("%q", data)
	}
}

// lacking shows a folder as a file system without a thing.
func lacking(t *testing.T, faults ...enginetest.Fault) (string, int) {
	t.Helper()
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir+"/back", enginetest.File("f", "f"), enginetest.File("g", "g"), enginetest.File("d/x", "x"), enginetest.Dir("e"))
	enginetest.Fuse(t, dir+"/back", dir+"/front", faults...)
	return dir + "/front", open(t, dir+"/front")
}

func TestRenames(t *testing.T) {
	kinds := map[string][]enginetest.Fault{
		"as it is": nil, "without flags": {enginetest.NoRenameFlags()}, "without flags and links": {enginetest.NoRenameFlags(), enginetest.NoLinks()},
	}
	for kind, faults := range kinds {
		t.Run(kind, func(t *testing.T) {
			dir, fd := lacking(t, faults...)
			content := func(n, want string) {
				t.Helper()
				if data, err := os.ReadFile(dir + "/" + n); string(data) != want {
					t.Errorf("%s is %q, want %q (%v)", n, data, want, err)
				}
			}
			is(t, sys.RenameNew(fd, name("f"), fd, name("g")), syscall.EEXIST)
			is(t, sys.RenameNew(fd, name("d"), fd, name("e")), syscall.EEXIST)
			is(t, sys.RenameNew(fd, name("f"), fd, name("e")), syscall.EEXIST)
			is(t, sys.RenameNew(fd, name("missing"), fd, name("h")), syscall.ENOENT)
			content("f", "f")
			content("g", "g")
			must(t, sys.RenameNew(fd, name("f"), fd, name("h")))
			must(t, sys.RenameNew(fd, name("d"), fd, name("i")))
			content("h", "f")
			content("i/x", "x")
			if _, err := os.Lstat(dir + "/f"); !errors.Is(err, fs.ErrNotExist) {
				t.Error("the old name is still there")
			}
			handled, err := sys.Exchange(fd, name("g"), name("h"))
			must(t, err)
			if handled != (kind == "as it is") {
				t.Errorf("exchange handled: %v", handled)
			}
			if handled {
				content("g", "f")
				content("h", "g")
			}
			must(t, sys.RenameOver(fd, name("h"), fd, name("g")))
		})
	}
}

// The techniques move what they say, and say where they cannot.
func TestTechniques(t *testing.T) {
	for _, kind := range enginetest.Kinds {
		t.Run(kind, func(t *testing.T) {
			dir := enginetest.WorkDir(t) + "/m"
			enginetest.MountKind(t, dir, kind)
			enginetest.Build(t, dir, enginetest.Random("src", 300_000))
			fd := open(t, dir)
			src, err := sys.OpenRead(fd, name("src"), false)
			must(t, err)
			defer sys.Close(src)
			want, err := os.ReadFile(dir + "/src")
			must(t, err)

			dst, err := sys.Create(fd, name("cloned"), 0o600)
			must(t, err)
			defer sys.Close(dst)
			handled, _, err := sys.Clone(dst, src)
			must(t, err)
			if got, _ := os.ReadFile(dir + "/cloned"); handled != (kind == "xfs" || kind == "btrfs") || handled && !bytes.Equal(got, want) || !handled && len(got) > 0 {
				t.Errorf("handled %v, %d bytes", handled, len(got))
			}

			dst, err = sys.Create(fd, name("ranged"), 0o600)
			must(t, err)
			defer sys.Close(dst)
			for off := int64(0); ; {
				k, handled, err := sys.CopyRange(dst, src, off, 100_000)
				must(t, err)
				if !handled {
					t.Skip("no copy_file_range here")
				}
				if k == 0 {
					break
				}
				off += k
			}
			if got, _ := os.ReadFile(dir + "/ranged"); !bytes.Equal(got, want) {
				t.Errorf("%d bytes differ", len(got))
			}
			if n, err := sys.Read(src, make([]byte, 10)); n != 10 || err != nil {
				t.Errorf("the place of the source moved: %d, %v", n, err)
			}
		})
	}
}

func TestNextData(t *testing.T) {
	_, fd := folder(t, enginetest.Sparse("holes", 8<<20, 1<<20, 5<<20), enginetest.Sparse("all", 1<<20), enginetest.File("none", "data"), enginetest.File("empty", ""))
	stretches := func(n string, size int64) (out [][2]int64) {
		f, err := sys.OpenRead(fd, name(n), false)
		must(t, err)
		defer sys.Close(f)
		for off := int64(0); len(out) < 100; {
			from, to, ok, err := sys.NextData(f, off, size)
			must(t, err)
			if !ok {
				return out
			}
			if from < off || to <= from || to > size {
				t.Fatalf("%s from %d: %d to %d", n, off, from, to)
			}
			out = append(out, [2]int64{from, to})
			off = to
		}
		t.Fatalf("%s does not end", n)
		return nil
	}
	if got := stretches("holes", 8<<20); len(got) != 2 || got[0][0] > 1<<20 || got[0][1] <= 1<<20 || got[1][0] > 5<<20 {
		t.Errorf("%v", got)
	}
	if got := stretches("all", 1<<20); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := stretches("none", 4); !slices.Equal(got, [][2]int64{{0, 4}}) {
		t.Errorf("%v", got)
	}
	if got := stretches("empty", 0); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestMetadata(t *testing.T) {
	dir, fd := folder(t, enginetest.File("f", "f"), enginetest.Symlink("l", "f"), enginetest.FIFO("p"), enginetest.Dir("d"))
	f, err := sys.OpenRead(fd, name("f"), false)
	must(t, err)
	defer sys.Close(f)
	a, m := sys.Time{Sec: 5, Nsec: 6}, sys.Time{Sec: -7, Nsec: 999999999}
	must(t, sys.SetTimes(f, a, m))
	must(t, sys.Chmod(f, 0o4711))
	must(t, sys.LSetTimes(fd, name("l"), a, m))
	var st, ln sys.Stat
	must(t, sys.Lookup(fd, name("f"), false, &st))
	must(t, sys.Lookup(fd, name("l"), false, &ln))
	if st.Atime != a || st.Mtime != m || st.Perm() != 0o4711 || ln.Mtime != m || ln.Atime != a {
		t.Errorf("%+v %+v", st, ln)
	}
	for _, n := range []string{"p", "d", "f"} {
		h, err := sys.Handle(fd, name(n))
		must(t, err)
		must(t, sys.ChmodHandle(h, 0o700))
		// The handle stands for the thing, not for the name.
		must(t, os.Rename(dir+"/"+n, dir+"/"+n+"-moved"))
		must(t, os.Symlink("f-moved", dir+"/"+n))
		must(t, sys.ChmodHandle(h, 0o500))
		_ = sys.Close(h)
		if fi, err := os.Lstat(dir + "/" + n + "-moved"); err != nil || fi.Mode().Perm() != 0o500 {
			t.Errorf("%s: %v %v", n, fi.Mode(), err)
		}
	}
	must(t, sys.Writable(fd))
	if os.Geteuid() == 0 {
		must(t, sys.Chown(f, 12, sys.NoChange))
		must(t, sys.LChown(fd, name("l"), sys.NoChange, 13))
		must(t, sys.Lookup(fd, name("f-moved"), false, &st))
		must(t, sys.Lookup(fd, name("l"), false, &ln))
		if st.UID != 12 || st.GID != 0 || ln.UID != 0 || ln.GID != 13 {
			t.Errorf("%+v %+v", st, ln)
		}
	}
}

func TestWritableForUser(t *testing.T) {
	if !enginetest.As(t, enginetest.Process{User: true}) {
		return
	}
	dir, fd := folder(t)
	must(t, os.Chmod(dir, 0o555))
	is(t, sys.Writable(fd), syscall.EACCES)
	must(t, os.Chmod(dir, 0o755))
	must(t, sys.Writable(fd))
}

func TestXattrs(t *testing.T) {
	_, fd := folder(t, enginetest.File("f", ""), enginetest.File("g", ""))
	f, err := sys.OpenRead(fd, name("f"), false)
	must(t, err)
	defer sys.Close(f)
	values := map[string][]byte{"user.a": []byte("1"), "user.empty": {}, "user.zero": {0, 1, 0}, "user.long": bytes.Repeat([]byte("x"), 3000)}
	for n, v := range values {
		if err := sys.SetXattr(f, n, v); errors.Is(err, syscall.EOPNOTSUPP) {
			t.Skip("no attributes here")
		} else if err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 1000)
	n, handled, err := sys.ListXattr(f, buf)
	if err != nil || !handled {
		t.Fatal(handled, err)
	}
	seen := 0
	for n := range sys.XattrNames(buf[:n]) {
		if want, ok := values[n]; ok {
			seen++
			if got, err := sys.GetXattr(f, n); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is %q, %v", n, got, err)
			}
		}
	}
	if seen != len(values) {
		t.Errorf("%d attributes listed", seen)
	}
	if !sys.HasXattr(f, "user.a") || sys.HasXattr(f, "user.b") {
		t.Error("has what it has not")
	}
	must(t, sys.RemoveXattr(f, "user.a"))
	must(t, sys.RemoveXattr(f, "user.a"))
	if _, err := sys.GetXattr(f, "user.a"); !errors.Is(err, syscall.ENODATA) {
		t.Error(err)
	}
	_, _, err = sys.ListXattr(f, buf[:3])
	is(t, err, syscall.ERANGE)
	from, err := sys.Handle(fd, name("f"))
	must(t, err)
	defer sys.Close(from)
	to, err := sys.Handle(fd, name("g"))
	must(t, err)
	defer sys.Close(to)
	sys.CopyXattrHandle(to, from, func(n string) bool { return n == "user.zero" }, func(n string, err error) { t.Error(n, err) })
	g, err := sys.OpenRead(fd, name("g"), false)
	must(t, err)
	defer sys.Close(g)
	if got, err := sys.GetXattr(g, "user.zero"); !bytes.Equal(got, values["user.zero"]) || sys.HasXattr(g, "user.long") {
		t.Errorf("%q %v", got, err)
	}
}

func TestNoXattrsIsNoError(t *testing.T) {
	_, fd := lacking(t, enginetest.NoXattrs())
	f, err := sys.OpenRead(fd, name("f"), false)
	must(t, err)
	defer sys.Close(f)
	if _, handled, err := sys.ListXattr(f, make([]byte, 100)); handled || err != nil {
		t.Error(handled, err)
	}
	must(t, sys.RemoveXattr(f, sys.ACLAccess))
}

func TestLongLinkText(t *testing.T) {
	dir, fd := folder(t)
	for _, n := range []int{1, 255, 256, 257, 1000} {
		text := strings.Repeat("x", n)
		must(t, sys.MakeSymlink(text, fd, name(fmt.Sprint(n))))
		if got, err := sys.Readlink(fd, name(fmt.Sprint(n))); got != text || err != nil {
			t.Errorf("%d bytes: %d bytes, %v", n, len(got), err)
		}
		if got, err := os.Readlink(fmt.Sprint(dir, "/", n)); got != text || err != nil {
			t.Errorf("%d bytes: %d bytes, %v", n, len(got), err)
		}
	}
}

func TestUmask(t *testing.T) {
	if !enginetest.As(t, enginetest.Process{Umask: "027"}) {
		return
	}
	if got := sys.Umask(); got != 0o027 {
		t.Errorf("%o", got)
	}
}

func TestTimeOrder(t *testing.T) {
	a := sys.Time{Sec: 1, Nsec: 5}
	for b, want := range map[sys.Time]bool{{Sec: 1, Nsec: 4}: true, {Sec: 1, Nsec: 5}: false, {Sec: 1, Nsec: 6}: false, {Sec: 0, Nsec: 9}: true, {Sec: 2}: false} {
		if a.After(b) != want {
			t.Errorf("%v after %v", a, b)
		}
	}
	if !a.Std().Equal(time.Unix(1, 5)) {
		t.Error(a.Std())
	}
}

// The calls on the way of a small file allocate nothing.
func TestNoAllocations(t *testing.T) {
	_, fd := folder(t, enginetest.File("f", "content"))
	src, n := name("f"), name("new")
	buf := make([]byte, 4096)
	var st sys.Stat
	allocs := testing.AllocsPerRun(100, func() {
		f, err := sys.OpenRead(fd, src, false)
		must(t, err)
		must(t, sys.Fstat(f, &st))
		d, err := sys.Create(fd, n, 0o600)
		must(t, err)
		k, err := sys.Read(f, buf)
		must(t, err)
		must(t, sys.Write(d, buf[:k]))
		_, _, err = sys.ListXattr(f, buf)
		must(t, err)
		must(t, sys.SetTimes(d, st.Atime, st.Mtime))
		must(t, sys.Lookup(fd, n, false, &st))
		must(t, sys.Close(d))
		must(t, sys.Close(f))
		if err := sys.Unlink(fd, n); err != nil { // may copy the name
			t.Fatal(err)
		}
	})
	if allocs > 1 {
		t.Errorf("%v allocations", allocs)
	}
}
