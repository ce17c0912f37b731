package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// private is a tree of things with the names of their modes. Others never have more rights on a copy than the name says.
func private(big int) []enginetest.Entry {
	var tree []enginetest.Entry
	for _, mode := range []uint32{0o600, 0o400, 0o640, 0o604, 0o700, 0o751, 0o000} {
		name := fmt.Sprintf("%04o", mode)
		tree = append(tree, enginetest.Random("big"+name, big).Mode(mode), enginetest.File("small"+name, "secret").Mode(mode),
			enginetest.FIFO("fifo"+name).Mode(mode), enginetest.File("dir"+name+"/f0600", "secret").Mode(0o600), enginetest.Dir("dir"+name).Mode(mode))
	}
	return tree
}

// At no moment does anybody else have a right on a copy, under whatever name, that he does not have on its source: neither with a umask
// that takes nothing away, nor while something is replaced, nor where files have a name from the start (F5, D3).
func TestOthersNeverGetMore(t *testing.T) {
	if !enginetest.As(t, enginetest.Process{Umask: "000"}) {
		return
	}
	for _, name := range []string{"unnamed", "named"} {
		t.Run(name, func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.Build(t, dir+"/src", private(4<<20)...)
			watched, dst := dir+"/dst", dir+"/dst"
			if name == "named" {
				watched, dst = dir+"/back", dir+"/front"
				enginetest.Fuse(t, watched, dst, enginetest.NoUnnamed())
			}
			enginetest.Build(t, dst, enginetest.Dir("copy").Mode(0o777))
			var over atomic.Bool
			var watch sync.WaitGroup
			looks := 0
			watch.Go(func() {
				for !over.Load() {
					looks += overexposed(t, watched+"/copy")
				}
			})
			e := newEngine(t, 2)
			for range 5 {
				j := start(t, e, engine.Request{Sources: []string{dir + "/src/."}, Dest: dst + "/copy", Rule: engine.RuleReplace, Reflink: engine.ReflinkNever})
				if r := wait(t, j); r.State != engine.StateDone {
					t.Errorf("%+v", r)
				}
			}
			over.Store(true)
			watch.Wait()
			if looks == 0 {
				t.Error("never looked in time")
			}
			t.Logf("%d looks", looks)
		})
	}
}

// overexposed reports whatever in a folder gives others more than its name says, and how many things it has looked at.
func overexposed(t *testing.T, dir string) (looks int) {
	names, _ := os.ReadDir(dir)
	for _, n := range names {
		var st syscall.Stat_t
		if syscall.Lstat(filepath.Join(dir, n.Name()), &st) != nil {
			continue
		}
		looks++
		most := uint32(0o055) // what is not whole yet may be any of them
		if !strings.HasPrefix(n.Name(), ".") {
			_, _ = fmt.Sscanf(n.Name()[len(n.Name())-4:], "%o", &most)
		}
		if more := st.Mode & 0o7077 &^ most; more != 0 {
			t.Errorf("%s has mode %o", n.Name(), st.Mode)
		}
	}
	return looks
}

// What a copy is made with, and what it becomes on the way, in the order of the calls: private while owner or ACL may still change, and
// set-uid only when it belongs to whom it should (F5, D3, set-uid).
func TestRightsInOrder(t *testing.T) {
	enginetest.NeedsRoot(t)
	if !enginetest.As(t, enginetest.Process{Umask: "000"}) {
		return
	}
	for name, e := range map[string]enginetest.Entry{
		"small":  enginetest.File("x", "s").Owner(1234, 2345).Mode(0o6755),
		"big":    enginetest.Random("x", 3<<20).Owner(1234, 2345).Mode(0o6755),
		"holes":  enginetest.Sparse("x", 3<<20, 5).Owner(1234, 2345).Mode(0o6755),
		"folder": enginetest.Dir("x").Owner(1234, 2345).Mode(0o2775),
		"fifo":   enginetest.FIFO("x").Owner(1234, 2345).Mode(0o666),
		"device": enginetest.Char("x", 1, 3).Owner(1234, 2345).Mode(0o666),
	} {
		for _, faults := range [][]enginetest.Fault{nil, {enginetest.NoUnnamed()}, {enginetest.LinkUnnamed()}, {enginetest.NoOwner(syscall.EPERM)}} {
			t.Run(fmt.Sprint(name, len(faults)), func(t *testing.T) {
				dir := enginetest.WorkDir(t)
				enginetest.Build(t, dir+"/src", e)
				var mu sync.Mutex
				var sets []enginetest.Set
				told := enginetest.Sets(func(s enginetest.Set) {
					mu.Lock()
					defer mu.Unlock()
					sets = append(sets, s)
				})
				enginetest.Fuse(t, dir+"/back", dir+"/dst", append([]enginetest.Fault{told}, faults...)...)
				j := start(t, newEngine(t, 1), engine.Request{Sources: []string{dir + "/src/x"}, Dest: dir + "/dst"})
				if r := wait(t, j); r.State != engine.StateDone || r.Files+r.Dirs != 1 {
					t.Fatalf("%+v, %v", r, j.Failures(0, 1))
				}
				mu.Lock()
				defer mu.Unlock()
				owned := false
				for _, s := range sets {
					switch {
					case s.UID != ^uint32(0):
						owned = true
					case s.Made && s.Mode&^0o700 != 0:
						t.Errorf("made with %o", s.Mode)
					case !owned && s.Mode&0o7077 != 0:
						t.Errorf("given %o before its owner", s.Mode)
					}
				}
				if !owned {
					t.Errorf("never given to its owner: %+v", sets)
				}
				var st syscall.Stat_t
				if err := syscall.Lstat(dir+"/back/x", &st); err != nil {
					t.Fatal(err)
				}
				if st.Uid == 0 && st.Mode&0o6000 != 0 {
					t.Errorf("root's, with mode %o", st.Mode)
				}
			})
		}
	}
}
