package change

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// view does what a folder view does: it lists, then follows the batches, and looks at the disk for every name.
type view struct {
	dir   string
	sizes map[string]int64
}

func (v *view) list() error {
	v.sizes = map[string]int64{}
	all, err := os.ReadDir(v.dir)
	for _, e := range all {
		v.look(e.Name())
	}
	return err
}

func (v *view) look(name string) {
	if IsTemp(name) {
		return
	}
	fi, err := os.Lstat(join(v.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		delete(v.sizes, name)
	} else if err == nil {
		v.sizes[name] = fi.Size()
	}
}

func (v *view) follow(b Batch) {
	if b.LookAgain {
		_ = v.list()
	}
	for _, e := range b.Events {
		if e.Name != v.dir {
			v.look(filepath.Base(e.Name))
		}
	}
}

// Whatever happens in the folder, by the engine and by others, calmly or in floods: in the end the view shows what is there.
func TestViewShowsWhatIsThere(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 1))
			dir := t.TempDir()
			h := NewHub()
			w := watch(t, h, dir, recheck)
			v := &view{dir: dir}
			must(t, v.list())

			acted := make(chan struct{})
			go func() {
				defer close(acted)
				act(t, rnd, h, dir)
			}()
			for done := false; !done; {
				select {
				case b := <-w.Batches():
					v.follow(b)
				case <-acted:
					done = true
				}
			}
			want := &view{dir: dir}
			must(t, want.list())
			deadline := time.After(patience)
			for !maps.Equal(v.sizes, want.sizes) {
				select {
				case b := <-w.Batches():
					v.follow(b)
				case <-deadline:
					t.Fatalf("the view shows %d names, the folder has %d", len(v.sizes), len(want.sizes))
				}
			}
		})
	}
}

// act changes the folder at random, as the engine (which posts) and as other programs.
func act(t *testing.T, rnd *rand.Rand, h *Hub, dir string) {
	for round := range 150 {
		n := 1
		if rnd.IntN(40) == 0 {
			n = 500 // a flood
		}
		for i := range n {
			name := fmt.Sprint("f", rnd.IntN(30))
			if n > 1 {
				name = fmt.Sprint("flood", round, "-", i)
			}
			path := dir + "/" + name
			posts := rnd.IntN(2) == 0
			switch rnd.IntN(5) {
			case 0:
				if os.Remove(path) == nil && posts {
					h.Post(dir, remove, name)
				}
			case 1:
				other := fmt.Sprint("f", rnd.IntN(30))
				if os.Rename(path, dir+"/"+other) == nil && posts {
					h.Post(dir, rename, name)
					h.Post(dir, create, other)
				}
			case 2: // as the engine replaces a file
				tmp := dir + "/" + TempPrefix + name
				if err := os.WriteFile(tmp, make([]byte, rnd.IntN(1000)), 0o600); err != nil {
					t.Error(err)
				}
				if err := os.Rename(tmp, path); err != nil {
					t.Error(err)
				}
				if posts {
					h.Post(dir, create, name)
				}
			default:
				if err := os.WriteFile(path, make([]byte, rnd.IntN(1000)), 0o600); err != nil {
					t.Error(err)
				}
				if posts {
					h.Post(dir, create|write, name)
				}
			}
		}
		if rnd.IntN(3) == 0 {
			pause := time.NewTimer(time.Duration(rnd.IntN(20)) * time.Millisecond)
			<-pause.C
		}
	}
}
