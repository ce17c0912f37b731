package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// A file that becomes shorter and longer all the time, where the kernel clones: a clone is of one moment, so whatever length it has is
// right, and that it is not the one seen a moment before is no error of the device (E3).
func TestFileThatChangesWhileItIsCloned(t *testing.T) {
	for _, most := range []int64{20_000, 4 << 20} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.MountKind(t, dir+"/m", "btrfs")
			enginetest.Build(t, dir+"/m", enginetest.Random("src/f", int(most)), enginetest.Dir("dst"))
			r := rand.New(rand.NewPCG(5, 6))
			stop := meddle(func(int) { _ = os.Truncate(dir+"/m/src/f", 1+r.Int64N(most)) })
			defer stop()
			e := newEngine(t, 2)
			for range 300 {
				j := start(t, e, engine.Request{Sources: []string{dir + "/m/src/f"}, Dest: dir + "/m/dst", Rule: engine.RuleReplace})
				res := wait(t, j)
				fi, err := os.Stat(dir + "/m/dst/f")
				if res.State != engine.StateDone || res.Files != 1 || err != nil || fi.Size() != res.Bytes {
					t.Fatalf("%+v, %v, %v", res, j.Failures(0, 1), fi.Size())
				}
				if s := j.Snapshot(); s.Bytes > s.TotalBytes || s.Fraction != 1 {
					t.Fatalf("%+v", s)
				}
				e.Forget(j)
			}
		})
	}
}
