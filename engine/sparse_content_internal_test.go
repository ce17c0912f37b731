package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"drover/engine/change"
	"drover/engine/enginetest"
	"drover/engine/internal/lane"
	"drover/engine/internal/sys"
)

// A file arrives with all its bytes and its length whatever the option, also where it ends in zeros.
func TestContent(t *testing.T) {
	const g = holeGrain
	dir := enginetest.WorkDir(t)
	ending := append(bytes.Repeat([]byte{1}, 2*g), make([]byte, 5*g+17)...)
	for name, data := range map[string][]byte{"ends-in-zeros": ending, "zeros": make([]byte, 7*g+1), "data": bytes.Repeat([]byte{1}, 3*g+5)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	enginetest.Build(t, dir, enginetest.Sparse("holes", 9*g+3, 0, 5*g), enginetest.Sparse("all-hole", 9*g+3))
	for _, s := range []Sparse{SparseAuto, SparseAlways, SparseNever} {
		for name, want := range map[string][3]int64{ // bytes of data in the copy
			"ends-in-zeros": {7*g + 17, 2 * g, 7*g + 17}, "zeros": {7*g + 1, 0, 7*g + 1}, "data": {3*g + 5, 3*g + 5, 3*g + 5},
			"holes": {2 * g, 2 * g, 9*g + 3}, "all-hole": {0, 0, 9*g + 3},
		} {
			r := newRun(t.Context(), &Job{req: Request{Sparse: s, Reflink: ReflinkNever}}, 1, change.NewHub())
			src, dst := openFile(t, filepath.Join(dir, name), syscall.O_RDONLY), openFile(t, filepath.Join(dir, "copy"), syscall.O_RDWR|syscall.O_CREAT|syscall.O_TRUNC)
			var st sys.Stat
			if err := sys.Fstat(src, &st); err != nil {
				t.Fatal(err)
			}
			p := pair{dir: &folder{pair: new(lane.Pair)}}
			n, err := r.copiers[0].content(t.Context(), p, &entry{size: st.Size}, dst, src, &st)
			if err != nil || n != st.Size {
				t.Errorf("%s with sparse %d: %d, %v", name, s, n, err)
			}
			data, _ := os.ReadFile(filepath.Join(dir, name))
			got, err := os.ReadFile(filepath.Join(dir, "copy"))
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s with sparse %d: other bytes (%v)", name, s, err)
			}
			if held := dataOf(t, dst, st.Size); held != want[s] && s != SparseAuto {
				t.Errorf("%s with sparse %d: %d bytes are data, want %d", name, s, held, want[s])
			}
		}
	}
}
