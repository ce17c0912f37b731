package engine

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"drover/engine/enginetest"
	"drover/engine/internal/lane"
	"drover/engine/internal/sys"
)

// Runs of data end where a whole block of zeros begins; a block is one in the file, not in the buffer.
func TestNextData(t *testing.T) {
	const g = holeGrain
	block := func(spec string) []byte { // z: a block of zeros, d: one of data, e: one with a single byte at its end
		var out []byte
		for _, c := range spec {
			b := make([]byte, g)
			switch c {
			case 'd':
				b = bytes.Repeat([]byte{1}, g)
			case 'e':
				b[g-1] = 1
			}
			out = append(out, b...)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		data  []byte
		place int64
		want  [][2]int
	}{
		{"nothing", nil, 0, nil},
		{"only zeros", block("zzz"), 0, nil},
		{"only data", block("dd"), 5 * g, [][2]int{{0, 2 * g}}},
		{"in between", block("zdeezdz"), 0, [][2]int{{g, 4 * g}, {5 * g, 6 * g}}},
		{"part of a block at the end", append(block("dz"), 0, 0, 1), 0, [][2]int{{0, g}, {2 * g, 2*g + 3}}},
		{"zeros in part of a block", append(block("d"), 0, 0), 0, [][2]int{{0, g}}},
		{"begins within a block", block("zd"), g - 10, [][2]int{{10, 2 * g}}},
		{"a byte before the next block", block("z")[:g-10], g + 10, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got [][2]int
			for at := 0; at < len(c.data); {
				from, to := nextData(c.data, at, c.place)
				if from < to {
					got = append(got, [2]int{from, to})
				}
				if to <= at {
					t.Fatalf("stays at %d", at)
				}
				at = to
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// sparseCopier is a worker of a job with an option, and nothing else.
func sparseCopier(s Sparse) *copier {
	r := Request{Sparse: s}
	if s != SparseAuto { // as Start does
		r.Reflink = ReflinkNever
	}
	return &copier{run: &run{req: r}, buf: make([]byte, 3*holeGrain)}
}

func openFile(t *testing.T, name string, flags int) int {
	t.Helper()
	fd, err := syscall.Open(name, flags|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	return fd
}

// Whatever the option, the copy has the bytes of the source; always has a block for no block of zeros, never for each of them.
func TestMove(t *testing.T) {
	dir := enginetest.WorkDir(t)
	const blocks = 300
	data := make([]byte, blocks*holeGrain+100)
	r := rand.New(rand.NewPCG(1, 2))
	full := 0
	for i := range blocks {
		if r.IntN(3) == 0 {
			data[i*holeGrain+r.IntN(holeGrain)] = 1
			full++
		}
	}
	data[len(data)-1] = 1
	if err := os.WriteFile(filepath.Join(dir, "src"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	src := openFile(t, dir+"/src", syscall.O_RDONLY)
	for _, s := range []Sparse{SparseAuto, SparseAlways, SparseNever} {
		dst := openFile(t, filepath.Join(dir, "dst"+string('0'+rune(s))), syscall.O_RDWR|syscall.O_CREAT)
		c := sparseCopier(s)
		for off := int64(0); ; {
			n, err := c.move(new(lane.Pair), dst, src, off, 10*holeGrain)
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				break
			}
			off += n
		}
		got, err := os.ReadFile(filepath.Join(dir, "dst"+string('0'+rune(s))))
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("sparse %d: other bytes (%v)", s, err)
		}
		held := dataOf(t, dst, int64(len(data)))
		if most := int64(full+1) * holeGrain; s == SparseAlways && held > most {
			t.Errorf("always: %d bytes are data, want at most %d", held, most)
		}
		if s == SparseNever && held != int64(len(data)) {
			t.Errorf("never: only %d of %d bytes are data", held, len(data))
		}
	}
}

// Errors say on which side they arose, as those of every technique do.
func TestMoveDataErrors(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Random("src", 10*holeGrain))
	c := sparseCopier(SparseAlways)
	src, dst := openFile(t, dir+"/src", syscall.O_RDONLY), openFile(t, dir+"/dst", syscall.O_RDWR|syscall.O_CREAT)
	var w *lane.WriteError
	if n, err := c.move(new(lane.Pair), src, src, 0, 100); n != 0 || !errors.As(err, &w) || !errors.Is(err, syscall.EBADF) {
		t.Errorf("writing: %d, %v", n, err)
	}
	if n, err := c.move(new(lane.Pair), dst, openFile(t, dir, syscall.O_RDONLY), 0, 100); n != 0 || errors.As(err, &w) || !errors.Is(err, syscall.EISDIR) {
		t.Errorf("reading: %d, %v", n, err)
	}
	if n, err := c.move(new(lane.Pair), dst, src, 11*holeGrain, 100); n != 0 || err != nil {
		t.Errorf("behind the end: %d, %v", n, err)
	}
}

// Which files go by chunks: big ones, those with holes, and those that shall get holes.
func TestInChunks(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Random("small", holeGrain), enginetest.Random("medium", 3*holeGrain), enginetest.Random("big", bigFile),
		enginetest.Sparse("holes", 100_000, 5))
	for name, want := range map[string][2]bool{"small": {false, false}, "medium": {false, true}, "big": {true, true}, "holes": {true, true}} {
		var st sys.Stat
		if err := sys.Fstat(openFile(t, dir+"/"+name, syscall.O_RDONLY), &st); err != nil {
			t.Fatal(err)
		}
		for i, s := range []Sparse{SparseAuto, SparseAlways} {
			if got := sparseCopier(s).inChunks(&st); got != want[i] {
				t.Errorf("%s with sparse %d: %v", name, s, got)
			}
		}
	}
}

// dataOf adds up what of a file is no hole.
func dataOf(t *testing.T, fd int, size int64) (held int64) {
	t.Helper()
	for off := int64(0); ; {
		from, to, ok, err := sys.NextData(fd, off, size)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return held
		}
		held, off = held+to-from, to
	}
}
