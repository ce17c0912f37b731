package engine_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"drover/engine"
	"drover/engine/enginetest"
)

// herd is a tree with files of many sizes, some with several names, whose content tells who they are.
type herd map[string][]byte // by path

func newHerd(n int, mark string) herd {
	h := herd{}
	for i := range n {
		size := []int{0, 10, 3000, 20_000, 80_000}[i%5]
		if i%97 == 96 {
			size = 2 << 20
		}
		name := fmt.Sprintf("d%d/e%d/f%d", i%7, i%3, i)
		h[name] = bytes.Repeat([]byte(fmt.Sprintf("%s %d\n", mark, i)), size/8+1)
	}
	return h
}

func (h herd) write(tb testing.TB, dir string) {
	tb.Helper()
	for name, data := range h {
		if err := errors.Join(os.MkdirAll(filepath.Dir(dir+"/"+name), 0o755), os.WriteFile(dir+"/"+name, data, 0o644)); err != nil {
			tb.Fatal(err)
		}
	}
}

// check sees to it that every file is whole on one side at least, and returns how many are on which. What replaces something old may not
// have lost that before.
func (h herd) check(tb testing.TB, src, dst string, old herd) (atSrc, atDst, both int) {
	tb.Helper()
	for name, data := range h {
		a, errA := os.ReadFile(src + "/" + name)
		b, errB := os.ReadFile(dst + "/" + name)
		inSrc, inDst := errA == nil && bytes.Equal(a, data), errB == nil && bytes.Equal(b, data)
		switch {
		case inSrc && inDst:
			both++
		case inSrc:
			atSrc++
		case inDst:
			atDst++
		default:
			tb.Errorf("%s is lost: %d bytes (%v) and %d bytes (%v) of %d", name, len(a), errA, len(b), errB, len(data))
		}
		if old[name] != nil && !inDst && !bytes.Equal(b, old[name]) {
			tb.Errorf("the old %s is lost: %d bytes of %d (%v)", name, len(b), len(old[name]), errB)
		}
	}
	return atSrc, atDst, both
}

// A move that is cancelled at any moment leaves every file whole on one side at least, and nothing half-made on the other.
func TestMoveCancelled(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 5
	}
	across(t, func(t *testing.T, dir string) {
		fresh, old := newHerd(600, "new"), newHerd(200, "old")
		seen := map[string]int{}
		for round := range rounds {
			r := rand.New(rand.NewPCG(uint64(round), 3))
			at := fmt.Sprint("/", round)
			fresh.write(t, dir+"/src"+at+"/h")
			old.write(t, dir+"/dst"+at+"/h")
			e := newEngine(t, 1+r.IntN(3))
			j := start(t, e, engine.Request{Move: true, Sources: []string{dir + "/src" + at + "/h"}, Dest: dir + "/dst" + at, Rule: engine.RuleReplace})
			size, files := int64(r.IntN(15<<20)), int64(r.IntN(500))
			for s := j.Snapshot(); !s.Ended && s.Bytes < size && s.Files < files; s = j.Snapshot() {
				runtime.Gosched()
			}
			j.Cancel()
			res := wait(t, j)
			if err := e.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			seen[res.State.String()]++
			fresh.check(t, dir+"/src"+at+"/h", dir+"/dst"+at+"/h", old)
			for _, side := range []string{"/src", "/dst"} {
				for _, l := range enginetest.Fingerprint(t, dir+side+at) {
					if strings.Contains(l.Path, ".drover-") {
						t.Errorf("left behind: %s", l.Path)
					}
				}
			}
			// What is there of the rest is all of it or nothing.
			for name, data := range fresh {
				if got, err := os.ReadFile(dir + "/dst" + at + "/h/" + name); err == nil && !bytes.Equal(got, data) && !bytes.Equal(got, old[name]) {
					t.Errorf("%s is half-made: %d bytes of %d", name, len(got), len(data))
				}
			}
			if err := errors.Join(os.RemoveAll(dir+"/src"+at), os.RemoveAll(dir+"/dst"+at)); err != nil {
				t.Fatal(err)
			}
		}
		t.Log(seen)
	})
}

const (
	killEnv    = "DROVER_TEST_KILLED"
	killBegins = "it begins"
)

// TestMoveKilledProcess is the process that TestMoveKilled kills.
func TestMoveKilledProcess(t *testing.T) {
	dir := os.Getenv(killEnv)
	if dir == "" {
		t.Skip("run by TestMoveKilled")
	}
	e := newEngine(t, 2)
	fmt.Println(killBegins)
	j := start(t, e, engine.Request{Move: true, Sources: []string{dir + "/src/h"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
	if r := wait(t, j); r.State != engine.StateDone {
		t.Errorf("%+v", r)
	}
	fmt.Println("it ended")
}

// A move that is killed (kill -9) at any moment leaves every file whole on one side at least. Whoever begins again gets all of it moved.
func TestMoveKilled(t *testing.T) {
	rounds := 24
	if testing.Short() {
		rounds = 4
	}
	across(t, func(t *testing.T, dir string) {
		fresh, old := newHerd(500, "new"), newHerd(100, "old")
		run := func() (*exec.Cmd, *bufio.Scanner) { // returns when the move begins
			cmd := exec.Command(os.Args[0], "-test.run=^TestMoveKilledProcess$", "-test.count=1")
			cmd.Env = append(os.Environ(), killEnv+"="+dir, "GORACE=atexit_sleep_ms=0")
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			for lines.Scan() {
				if lines.Text() == killBegins {
					break
				}
			}
			return cmd, lines
		}
		prepare := func() {
			t.Helper()
			if err := errors.Join(os.RemoveAll(dir+"/src"), os.RemoveAll(dir+"/dst/h")); err != nil {
				t.Fatal(err)
			}
			fresh.write(t, dir+"/src/h")
			old.write(t, dir+"/dst/h")
		}
		prepare()
		cmd, lines := run()
		begin := time.Now()
		lines.Scan()
		whole := time.Since(begin)
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		var ended, begun int
		for round := range rounds {
			r := rand.New(rand.NewPCG(uint64(round), 4))
			prepare()
			cmd, _ := run()
			timer := time.NewTimer(time.Duration(r.Int64N(int64(whole))))
			<-timer.C
			_ = cmd.Process.Kill()
			if cmd.Wait() == nil {
				ended++
			}
			if n, _, _ := fresh.check(t, dir+"/src/h", dir+"/dst/h", old); n < len(fresh) {
				begun++
			}
			if t.Failed() {
				return
			}
		}
		t.Logf("of %d moves of %v each %d were cut short, %d had ended", rounds, whole, begun-ended, ended)
		if _, err := os.Stat(dir + "/src/h"); err == nil {
			cmd, _ = run()
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		}
		if _, n, _ := fresh.check(t, dir+"/src/h", dir+"/dst/h", nil); n != len(fresh) {
			t.Errorf("%d of %d were moved in the end", n, len(fresh))
		}
	})
}

// A disk that fills in the middle of a move: what is on it has gone from the source, what is not is there (B5, B6), whether the job stands
// still, is cancelled then, or goes on and fails.
func TestMoveOntoFullDiskB5B6(t *testing.T) {
	enginetest.NeedsRoot(t)
	for _, onError := range []engine.OnError{engine.OnErrorSkip, engine.OnErrorStop} {
		t.Run(fmt.Sprint(onError), func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.Loop(t, dir+"/dst", "ext4", 40<<20)
			h := newHerd(1000, "new")
			h.write(t, dir+"/src/h")
			e := newEngine(t, 2)
			j := start(t, e, engine.Request{Move: true, Sources: []string{dir + "/src/h"}, Dest: dir + "/dst", OnError: onError})
			if onError == engine.OnErrorSkip {
				until(t, j, "the disk to be full", func(s engine.Snapshot) bool { return s.State == engine.StateStalled })
				j.Cancel()
			}
			wait(t, j)
			if err := e.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			a, b, both := h.check(t, dir+"/src/h", dir+"/dst/h", nil)
			t.Logf("%d are at the source, %d at the destination, %d at both", a, b, both)
			if a == 0 || b == 0 || both > 0 {
				t.Errorf("%d are at the source, %d at the destination, %d at both", a, b, both)
			}
		})
	}
}

// A disk that takes what is written and loses it on the way to the medium: what is lost, and what may be, stays at the source.
func TestMoveOntoDiskThatLoses(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	enginetest.Tmpfs(t, dir+"/small", enginetest.Sized(24<<20))
	// The image is larger than what it lies in, so that writing it out fails at some point.
	image := dir + "/small/image"
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 200<<20), os.Mkdir(dir+"/dst", 0o755)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-O", "^has_journal", "-E", "lazy_itable_init=1,nodiscard", image).CombinedOutput(); err != nil {
		t.Skipf("mkfs.ext4: %v %s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "loop,errors=continue", image, dir+"/dst").CombinedOutput(); err != nil {
		t.Skipf("mount: %v %s", err, out)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir+"/dst", 0); err != nil {
			t.Logf("unmount: %v", err)
			_ = syscall.Unmount(dir+"/dst", syscall.MNT_DETACH)
		}
	})
	h := newHerd(1000, "new")
	h.write(t, dir+"/src/h")
	e := newEngine(t, 2)
	j := start(t, e, engine.Request{Move: true, Sources: []string{dir + "/src/h"}, Dest: dir + "/dst"})
	enginetest.Await(t, "the end or a stall", func() bool {
		s := j.Snapshot()
		return s.Ended || s.State == engine.StateStalled
	})
	j.Cancel()
	wait(t, j)
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, f := range j.Failures(0, 1<<20) {
		if f.Stage == engine.StageRemove && errors.Is(f.Err, syscall.EIO) {
			lost++
		}
	}
	if lost == 0 {
		t.Skip("nothing was lost here")
	}
	// What the page cache still has would hide what the medium has not.
	if err := os.WriteFile("/proc/sys/vm/drop_caches", []byte("3"), 0); err != nil {
		t.Skip(err)
	}
	a, b, both := h.check(t, dir+"/src/h", dir+"/dst/h", nil)
	t.Logf("%d failures; %d are at the source, %d at the destination, %d at both", lost, a, b, both)
}
