package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"drover/engine"
	"drover/engine/enginetest"
)

// across are the two situations of a move: one file system, and two.
func across(t *testing.T, run func(t *testing.T, dir string)) {
	t.Run("one file system", func(t *testing.T) { run(t, enginetest.WorkDir(t)) })
	t.Run("two file systems", func(t *testing.T) {
		dir := enginetest.WorkDir(t)
		enginetest.Tmpfs(t, dir+"/dst", enginetest.Sized(256<<20))
		run(t, dir)
	})
}

// Every kind of thing onto every kind of thing, with every answer, as in TestMatrix: the destination is what a copy makes of it, and the
// source is gone or, if nothing was done with it, as it was.
func TestMoveMatrix(t *testing.T) {
	across(t, func(t *testing.T, dir string) {
		n := 0
		for _, src := range kinds {
			for _, dst := range kinds {
				for _, answer := range []string{"skip", "replace", "newer", "older", "keep-both", "rename-old"} {
					n++
					at := fmt.Sprint("/", n)
					t.Run(fmt.Sprintf("%s onto %s, %s", src.name, dst.name, answer), func(t *testing.T) {
						older, newer := time.Unix(1000, 1), time.Unix(1000, 2)
						srcTime, key := newer, answer
						if answer == "older" {
							srcTime, key = older, "newer"
						}
						enginetest.Build(t, dir+"/src"+at, dated(src.at("x", "new"), srcTime)...)
						enginetest.Build(t, dir+"/dst"+at, dated(dst.at("x", "old"), older)...)
						want, open := expected(src.name, dst.name, answer)
						stays := open || answer == "skip" || answer == "older"
						switch merged := src.name == "folder" && dst.name == "folder"; {
						case merged:
							stays = false
						case answer == "older" && src.name == "folder" != (dst.name == "folder"):
							stays = true
						}
						for name, what := range want {
							for _, k := range kinds {
								switch what {
								case "new " + k.name:
									enginetest.Build(t, dir+"/want"+at, k.at(name, "new")...)
								case "old " + k.name:
									enginetest.Build(t, dir+"/want"+at, k.at(name, "old")...)
								}
							}
							if what == "both" {
								enginetest.Build(t, dir+"/want"+at, enginetest.File(name+"/new", "new"), enginetest.File(name+"/old", "old"))
							}
						}
						before := listing(t, dir+"/src"+at)
						j := start(t, newEngine(t, 1), engine.Request{Move: true, Sources: []string{dir + "/src" + at + "/x"}, Dest: dir + "/dst" + at, Rule: rules[key]})
						j.Leave()
						r := wait(t, j)
						if wantState := map[bool]engine.State{false: engine.StateDone, true: engine.StateWaiting}[open]; r.State != wantState {
							t.Errorf("%+v, %v", r, j.Failures(0, 9))
						}
						if got, want := listing(t, dir+"/dst"+at), listing(t, dir+"/want"+at); got != want {
							t.Errorf("there is\n%s\nwant\n%s", got, want)
						}
						if !stays {
							before = ""
						}
						if got := listing(t, dir+"/src"+at); got != before {
							t.Errorf("the source is %q, want %q", got, before)
						}
					})
				}
			}
		}
	})
}

func dated(entries []enginetest.Entry, at time.Time) []enginetest.Entry {
	for i := range entries {
		entries[i] = entries[i].Mtime(at)
	}
	return entries
}

// While a job is paused nothing at the source is taken away.
func TestMovePaused(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	valve := enginetest.NewValve()
	enginetest.Build(t, dir, enginetest.File("src/d/f", "f"), enginetest.File("src/d/g", "g"))
	enginetest.Fuse(t, dir+"/back", dir+"/dst", enginetest.HangSync(valve, "d"))
	j := start(t, newEngine(t, 2), engine.Request{Move: true, Sources: []string{dir + "/src/d"}, Dest: dir + "/dst"})
	valve.Await(t)
	j.Pause()
	valve.Open()
	timer := time.NewTimer(100 * time.Millisecond) // nothing tells that nothing happens
	<-timer.C
	if _, err := os.Stat(dir + "/src/d/f"); err != nil {
		t.Error(err)
	}
	if s := j.Snapshot(); s.Files != 0 || s.State != engine.StatePaused {
		t.Errorf("%+v", s)
	}
	j.Resume()
	if r := wait(t, j); r.State != engine.StateDone || r.Files != 2 {
		t.Errorf("%+v", r)
	}
}

// A job that is cancelled while a device keeps the removal waiting ends at once, and nothing at the source goes any more when it answers.
func TestMoveCancelledWhileWriting(t *testing.T) {
	dir := enginetest.WorkDir(t)
	valve := enginetest.NewValve()
	enginetest.Build(t, dir, enginetest.File("src/d/f", "f"), enginetest.File("src/d/e/g", "g"))
	enginetest.Fuse(t, dir+"/back", dir+"/dst", enginetest.HangSync(valve, "d"))
	before := listing(t, dir+"/src")
	e := newEngine(t, 2)
	j := start(t, e, engine.Request{Move: true, Sources: []string{dir + "/src/d"}, Dest: dir + "/dst"})
	valve.Await(t)
	begin := time.Now()
	j.Cancel()
	if r := wait(t, j); r.State != engine.StateCancelled || r.Files != 0 {
		t.Errorf("%+v", r)
	}
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("cancelling took %v", took)
	}
	valve.Open()
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, dir+"/src"); got != before {
		t.Errorf("the source is\n%s\nand was\n%s", got, before)
	}
}

// A name that is another name of the source only because the file is mounted there is the source itself.
func TestMoveOntoMountOfItself(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.File("src/f", "f"), enginetest.File("dst/f", ""))
	enginetest.Mount(t, dir+"/src/f", dir+"/dst/f", "", syscall.MS_BIND, "")
	for _, rule := range []engine.Rule{engine.RuleAsk, engine.RuleReplace} {
		j := start(t, newEngine(t, 1), engine.Request{Move: true, Sources: []string{dir + "/src/f"}, Dest: dir + "/dst", Rule: rule})
		if r := wait(t, j); r.State != engine.StateFailed || !errors.Is(r.Err, engine.ErrSameFile) {
			t.Errorf("%+v", r)
		}
	}
	if data, err := os.ReadFile(dir + "/src/f"); string(data) != "f" {
		t.Errorf("%q, %v", data, err)
	}
}

// On an overlay a folder of the lower layer may refuse to be renamed, and what is in it does not: it moves piece by piece.
func TestMoveOnOverlay(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	enginetest.Tmpfs(t, dir+"/t", enginetest.Sized(50<<20))
	enginetest.Build(t, dir+"/t", enginetest.File("low/src/d/e/f", "f"), enginetest.File("low/src/g", "g"), enginetest.Dir("low/dst"), enginetest.Dir("up"), enginetest.Dir("work"))
	enginetest.Build(t, dir, enginetest.Dir("m"))
	enginetest.Mount(t, "overlay", dir+"/m", "overlay", 0, "redirect_dir=off,lowerdir="+dir+"/t/low,upperdir="+dir+"/t/up,workdir="+dir+"/t/work")
	j := start(t, newEngine(t, 1), engine.Request{Move: true, Sources: []string{dir + "/m/src/d", dir + "/m/src/g"}, Dest: dir + "/m/dst"})
	if r := wait(t, j); r.State != engine.StateDone || r.Files != 2 || len(j.Failures(0, 9)) > 0 {
		t.Errorf("%+v %v", r, j.Failures(0, 9))
	}
	if got, want := listing(t, dir+"/m"), "dst/  0755\ndst/d/  0755\ndst/d/e/  0755\ndst/d/e/f  0644  f\ndst/g  0644  g\nsrc/  0755"; got != want {
		t.Errorf("there is\n%s\nwant\n%s", got, want)
	}
}

// In a sticky folder nobody may remove what is another's. The old file that is replaced belongs to another one, and would come to lie there.
func TestMoveFromStickyFolder(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	uid, other := enginetest.Ordinary, enginetest.Ordinary+1
	enginetest.Build(t, dir, enginetest.File("tmp/mine", "new").Owner(uid, uid), enginetest.File("tmp/theirs", "theirs").Owner(other, other),
		enginetest.Dir("tmp").Mode(0o1777), enginetest.File("dst/mine", "old").Owner(other, other), enginetest.Dir("dst").Mode(0o777))
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DROVER_TEST_STICKY", dir)
	runAs(t, "TestMoveFromStickyFolderAsUser", uid)
	if got, want := listing(t, dir), "dst/  0777\ndst/mine  0644  new\ntmp/  1777\ntmp/theirs  0644  theirs"; got != want {
		t.Errorf("there is\n%s\nwant\n%s", got, want)
	}
}

// TestMoveFromStickyFolderAsUser is the process of an ordinary user in TestMoveFromStickyFolder.
func TestMoveFromStickyFolderAsUser(t *testing.T) {
	dir := os.Getenv("DROVER_TEST_STICKY")
	if dir == "" {
		t.Skip("run by TestMoveFromStickyFolder")
	}
	j := start(t, newEngine(t, 1), engine.Request{Move: true, Sources: []string{dir + "/tmp/mine", dir + "/tmp/theirs"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
	r := wait(t, j)
	f := j.Failures(0, 9)
	if r.State != engine.StateDone || r.Files != 1 || len(f) != 1 || f[0].Stage != engine.StageCommit || !errors.Is(f[0].Err, syscall.EPERM) {
		t.Errorf("%+v %v", r, f)
	}
}

// runAs runs another test of this program as an ordinary user.
func runAs(t *testing.T, name string, uid int) {
	t.Helper()
	exe, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer exe.Close()
	cmd := exec.Command("/proc/self/fd/3", "-test.run=^"+name+"$", "-test.count=1")
	cmd.ExtraFiles = []*os.File{exe}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("SKIP")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// otherDevice is a folder on another device than dir that an ordinary user finds without mounting anything.
func otherDevice(t *testing.T, dir string) string {
	t.Helper()
	at, err := os.MkdirTemp("/dev/shm", "drover-test-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(at) })
	var a, b unix.Stat_t
	if err := errors.Join(unix.Stat(dir, &a), unix.Stat(at, &b)); err != nil || a.Dev == b.Dev {
		t.Skipf("no second device here (%v)", err)
	}
	return at
}

// An ordinary user who may read a folder and not change it: everything is copied, and all that stays is told. When it may be changed, another
// try takes the sources away and copies nothing.
func TestMoveFromReadOnlyFolder(t *testing.T) {
	if !enginetest.As(t, enginetest.Process{User: true}) {
		return
	}
	dir := enginetest.WorkDir(t)
	dst := otherDevice(t, dir)
	enginetest.Build(t, dir, enginetest.File("src/d/f", "f"), enginetest.File("src/d/e/g", "g"), enginetest.Dir("src/d").Mode(0o555))
	j := start(t, newEngine(t, 2), engine.Request{Move: true, Sources: []string{dir + "/src/d"}, Dest: dst})
	r := wait(t, j)
	f := j.Failures(0, 9)
	if r.State != engine.StateDone || r.Files != 1 || len(f) != 2 {
		t.Errorf("%+v %v", r, f)
	}
	for _, x := range f {
		if x.Stage != engine.StageRemove || !errors.Is(x.Err, syscall.EACCES) {
			t.Error(x)
		}
	}
	if got, want := listing(t, dir+"/src"), "d/  0555\nd/e/  0755\nd/f  0644  f"; got != want {
		t.Errorf("there is\n%s\nwant\n%s", got, want)
	}
	if err := os.Chmod(dir+"/src/d", 0o755); err != nil {
		t.Fatal(err)
	}
	again, err := j.Retry(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r := wait(t, again); r.State != engine.StateDone || r.Files != 1 || len(again.Failures(0, 9)) > 0 {
		t.Errorf("%+v %v", r, again.Failures(0, 9))
	}
	if got := listing(t, dir+"/src"); got != "" {
		t.Errorf("there is still %s", got)
	}
	if got, want := listing(t, dst), "d/  0555\nd/e/  0755\nd/e/g  0644  g\nd/f  0644  f"; got != want {
		t.Errorf("there is\n%s\nwant\n%s", got, want)
	}
}

// Views of the folder that is left are told when a source has been removed, and those of the other one when its copy is there.
func TestMoveTellsBothFolders(t *testing.T) {
	if !enginetest.As(t, enginetest.Process{Deaf: true}) {
		return
	}
	dir := enginetest.WorkDir(t)
	dst := otherDevice(t, dir)
	enginetest.Build(t, dir, enginetest.File("src/f", "f"), enginetest.File("src/d/g", "g"))
	s := &script{T: t, engine: newEngine(t, 1), want: map[string]string{"want": fmt.Sprintf(
		"remove %s/src/f\nremove %[1]s/src/d\ncreate %s/f\ncreate %[2]s/d\n", strings.TrimPrefix(dir, "/"), strings.TrimPrefix(dst, "/"))}}
	if err := s.watch([]string{dir + "/src", dst}); err != nil {
		t.Fatal(err)
	}
	wait(t, start(t, s.engine, engine.Request{Move: true, Sources: []string{dir + "/src/f", dir + "/src/d"}, Dest: dst}))
	if err := s.events([]string{"want"}); err != nil && !errors.Is(err, errOnceMore) {
		t.Error(err)
	}
}
