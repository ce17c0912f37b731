package journal

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"drover/engine/enginetest"
)

func TestDir(t *testing.T) {
	for _, tt := range []struct{ state, home, want string }{
		{"/s", "/h", "/s/drover/jobs"},
		{"/s/", "", "/s/drover/jobs"},
		{"", "/h", "/h/.local/state/drover/jobs"},
		{"relative", "/h", "/h/.local/state/drover/jobs"},
		{"/\xff\n", "/h", "/\xff\n/drover/jobs"},
		{"", "", ""},
		{"relative", "relative", ""},
	} {
		t.Setenv("XDG_STATE_HOME", tt.state)
		t.Setenv("HOME", tt.home)
		got, err := Dir()
		if got != tt.want || errors.Is(err, ErrNoHome) != (tt.want == "") {
			t.Errorf("%+v: %q, %v", tt, got, err)
		}
	}
}

func TestCreate(t *testing.T) {
	s := store(t)
	before := time.Now()
	w, err := s.Create("mb1-1", Begin{ID: "another", Version: "v", Request: []byte("r")})
	must(t, err)
	defer w.Close()
	b := read(t, s, "mb1-1")[0].(*Begin)
	if b.ID != "mb1-1" || b.PID != os.Getpid() || b.Boot != BootID() || len(b.Boot) < 30 || b.Time.Before(before) || b.Version != "v" || string(b.Request) != "r" {
		t.Errorf("%+v", b)
	}
	for path, want := range map[string]fs.FileMode{"": fs.ModeDir | 0o700, "/..": fs.ModeDir | 0o700, "/mb1-1.journal": 0o600} {
		st, err := os.Stat(s.dir + path)
		must(t, err)
		if st.Mode() != want {
			t.Errorf("%q is %v", path, st.Mode())
		}
	}
	if _, err := s.Create("mb1-1", Begin{}); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if _, err := s.Create("two", Begin{Request: make([]byte, maxFrame+1)}); !errors.Is(err, ErrRecord) {
		t.Error(err)
	}
	given := Begin{ID: "three", PID: 1, Boot: "b", Time: someTime}
	w3, err := s.Create("three", given)
	must(t, err)
	defer w3.Close()
	equal(t, read(t, s, "three"), []Record{&given})
	if names, err := s.names(); err != nil || len(names) != 2 {
		t.Errorf("left %q, %v", names, err)
	}
}

func TestCreateWhereNothingCanBe(t *testing.T) {
	dir := enginetest.WorkDir(t)
	must(t, os.WriteFile(dir+"/file", nil, 0o600))
	if _, err := Open(dir+"/file/jobs").Create("a", Begin{}); !errors.Is(err, syscall.ENOTDIR) {
		t.Error(err)
	}
	if _, err := Open(dir+"/file").Create("a", Begin{}); !errors.Is(err, syscall.ENOTDIR) {
		t.Error(err)
	}
	if _, err := Open(dir + "/file").List(); !errors.Is(err, syscall.ENOTDIR) {
		t.Error(err)
	}
	if _, err := Open(dir+"/file").Prune(0, 0, nil); !errors.Is(err, syscall.ENOTDIR) {
		t.Error(err)
	}
}

func TestCreateWithoutTheRight(t *testing.T) {
	if !enginetest.As(t, enginetest.Process{User: true}) {
		return
	}
	s := store(t)
	must(t, create(t, s, "one").Close())
	must(t, os.Chmod(s.dir+"/one.journal", 0))
	must(t, os.Chmod(s.dir, 0o500))
	for _, err := range s.Read("one") {
		if !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	}
	if _, err := s.Create("two", Begin{}); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	if _, err := s.Reopen("one"); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	if all, err := s.List(); err != nil || len(all) != 1 || !errors.Is(all[0].Err, fs.ErrPermission) || all[0].ID != "one" {
		t.Errorf("%+v, %v", all, err)
	}
	must(t, os.Chmod(s.dir+"/one.journal", 0o600))
	w, err := s.Reopen("one")
	must(t, err)
	must(t, w.Append(&State{Ended: true}))
	must(t, w.Close())
	if gone, err := s.Prune(0, 1, nil); !errors.Is(err, fs.ErrPermission) || len(gone) > 0 {
		t.Errorf("%v, %v", gone, err)
	}
	must(t, os.Chmod(s.dir, 0o300))
	if _, err := s.List(); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	must(t, os.Chmod(s.dir, 0o700))
}

func TestIDs(t *testing.T) {
	s := store(t)
	for _, id := range []string{"", ".", "..", "a/b", "../x", "a.b", "a\x00", "ä", " ", strings.Repeat("a", maxID+1)} {
		_, create := s.Create(id, Begin{})
		_, reopen := s.Reopen(id)
		_, look := s.Look(id)
		var reading error
		for _, reading = range s.Read(id) {
			continue
		}
		for _, err := range []error{create, reopen, look, reading, s.Remove(id)} {
			if !errors.Is(err, ErrID) {
				t.Errorf("%q: %v", id, err)
			}
		}
	}
	must(t, create(t, s, strings.Repeat("a", maxID)).Close())
}

func TestNoJournal(t *testing.T) {
	s := store(t)
	for range 2 { // first without the folder
		_, reopen := s.Reopen("none")
		_, look := s.Look("none")
		var reading error
		for _, reading = range s.Read("none") {
			continue
		}
		for _, err := range []error{reopen, look, reading, s.Remove("none")} {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
		}
		all, err := s.List()
		gone, err2 := s.Prune(1, 1, nil)
		if err != nil || err2 != nil || len(all)+len(gone) > 0 {
			t.Error(all, err, gone, err2)
		}
		must(t, os.MkdirAll(s.dir, 0o700))
	}
}

func TestReopenGoesOn(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	if _, err := s.Reopen("one"); !errors.Is(err, ErrBusy) {
		t.Fatal(err)
	}
	if err := s.Remove("one"); !errors.Is(err, ErrBusy) {
		t.Fatal(err)
	}
	must(t, w.Append(&Synced{}))
	must(t, w.Close())
	again, err := s.Reopen("one")
	must(t, err)
	if again.Size() != w.Size() || again.ID() != "one" {
		t.Errorf("%d, %q", again.Size(), again.ID())
	}
	must(t, again.Append(&Begin{ID: "one", Version: "undo"}))
	must(t, again.Sync())
	must(t, again.Close())
	got := read(t, s, "one")
	if len(got) != 3 || got[2].(*Begin).Version != "undo" {
		t.Errorf("%d records", len(got))
	}
	if i, err := s.Look("one"); err != nil || i.Begin.Version != "test" { // that of the job
		t.Errorf("%+v", i)
	}
	must(t, s.Remove("one"))
	if err := s.Remove("one"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// Who opens a journal while somebody else removes it does not write into a file without a name.
func TestReopenOfWhatIsJustRemoved(t *testing.T) {
	s := store(t)
	must(t, create(t, s, "one").Close())
	path := s.dir + "/one.journal"
	f, _, err := openRegular(path, os.O_RDWR)
	must(t, err)
	defer f.Close()
	must(t, s.Remove("one"))
	must(t, lock(f))
	if _, err := stillNamed(f); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	must(t, create(t, s, "one").Close())
	if _, err := stillNamed(f); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestLockFails(t *testing.T) {
	s := store(t)
	must(t, create(t, s, "one").Close())
	f, _, err := openRegular(s.dir+"/one.journal", os.O_RDONLY)
	must(t, err)
	defer f.Close()
	if err := lock(f); !errors.Is(err, syscall.EBADF) || errors.Is(err, ErrBusy) { // it is not open for writing
		t.Error(err)
	}
}

// Links, folders, FIFOs and foreign files among the journals hurt nobody.
func TestForeignThings(t *testing.T) {
	s := store(t)
	must(t, create(t, s, "a").Close())
	must(t, os.Mkdir(s.dir+"/folder.journal", 0o700))
	must(t, syscall.Mkfifo(s.dir+"/fifo.journal", 0o600))
	must(t, os.Symlink("a.journal", s.dir+"/link.journal"))
	put(t, s, "text", []byte("0123456789abcdef"))
	for _, n := range []string{"/b", "/.journal", "/b.journal.bak", "/b c.journal"} {
		must(t, os.WriteFile(s.dir+n, nil, 0o600))
	}
	want := map[string]error{"a": nil, "folder": ErrFormat, "fifo": ErrFormat, "link": syscall.ELOOP, "text": ErrFormat}
	all, err := s.List()
	must(t, err)
	for _, i := range all {
		err, ok := want[i.ID]
		if !ok || !errors.Is(i.Err, err) || i.Alive {
			t.Errorf("%+v", i)
		}
		delete(want, i.ID)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	for _, id := range []string{"folder", "fifo", "link", "text"} {
		for r, err := range s.Read(id) {
			if err == nil {
				t.Errorf("%s: %v", id, r)
			}
		}
		if _, err := s.Reopen(id); err == nil {
			t.Errorf("opens %s", id)
		}
	}
	if gone, err := s.Prune(1, 1, nil); err != nil || len(gone) > 0 {
		t.Error(gone, err)
	}
}

// The place can be on file systems of all sorts: locks, names that must be free, and appending work there.
func TestFileSystems(t *testing.T) {
	for _, kind := range append(slices.Clone(enginetest.Kinds), "exfat", "ntfs") {
		t.Run(kind, func(t *testing.T) {
			dir := enginetest.WorkDir(t) + "/at"
			if slices.Contains(enginetest.Kinds, kind) {
				enginetest.MountKind(t, dir, kind)
			} else {
				enginetest.Loop(t, dir, kind, 64<<20)
			}
			whereStored(t, Open(dir+"/jobs"))
		})
	}
	t.Run("overlay", func(t *testing.T) {
		dir := enginetest.WorkDir(t)
		for _, d := range []string{"/upper", "/lower", "/work", "/at"} {
			must(t, os.Mkdir(dir+d, 0o700))
		}
		enginetest.NeedsRoot(t)
		at := dir + "/at"
		if out, err := exec.Command("mount", "-t", "overlay", "overlay", "-o", "lowerdir="+dir+"/lower,upperdir="+dir+"/upper,workdir="+dir+"/work", at).CombinedOutput(); err != nil {
			t.Skipf("no overlay here: %s", out)
		}
		t.Cleanup(func() { _ = syscall.Unmount(at, 0) })
		whereStored(t, Open(at+"/jobs"))
	})
}

func whereStored(t *testing.T, s *Store) {
	t.Helper()
	w := create(t, s, "one")
	if _, err := s.Create("one", Begin{}); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	must(t, w.Append(samples()...))
	if i, err := s.Look("one"); err != nil || !i.Alive {
		t.Errorf("%+v", i)
	}
	if _, err := s.Reopen("one"); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	must(t, w.Sync())
	must(t, w.Close())
	equal(t, read(t, s, "one")[1:], samples())
	if i, err := s.Look("one"); err != nil || i.Alive {
		t.Errorf("%+v", i)
	}
	must(t, s.Remove("one"))
	if names, err := s.names(); err != nil || len(names) > 0 {
		t.Errorf("left %q, %v", names, err)
	}
}
