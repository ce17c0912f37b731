package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// A file like a journal that is being written: space is reserved ahead, records land anywhere, what is old is punched out. Its holes
// and data are elsewhere whenever one asks, and five hundred copies to another file system come to their end all the same (E2).
func TestLiveFileWithHoles(t *testing.T) {
	const size, block, copies = 8 << 20, 4096, 500
	dir := enginetest.WorkDir(t)
	enginetest.Loop(t, dir+"/ext4", "ext4", 64<<20)
	enginetest.Tmpfs(t, dir+"/dst", "size=64m")
	enginetest.Build(t, dir+"/ext4", enginetest.Sparse("j", size, 0, 1<<20, 5<<20))
	f, err := os.OpenFile(dir+"/ext4/j", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := rand.New(rand.NewPCG(1, 2))
	record := bytes.Repeat([]byte("record "), block/7)
	stop := meddle(func(i int) {
		const keepSize, punchHole = 1, 2
		_, _ = f.WriteAt(record, r.Int64N(size/block)*block)
		_ = syscall.Fallocate(int(f.Fd()), punchHole|keepSize, r.Int64N(size/block-16)*block, 16*block)
		if i%50 == 0 {
			_ = syscall.Fallocate(int(f.Fd()), 0, 0, size)
		}
	})
	defer stop()
	e := newEngine(t, 2)
	for range copies {
		j := start(t, e, engine.Request{Sources: []string{dir + "/ext4/j"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
		if r := wait(t, j); r.State != engine.StateDone || r.Files != 1 || r.Bytes != size {
			t.Fatalf("%+v, %v", r, j.Failures(0, 1))
		}
		e.Forget(j)
		if fi, err := os.Stat(dir + "/dst/j"); err != nil || fi.Size() != size {
			t.Fatalf("%v, %v", fi, err)
		}
	}
}

// A log that grows all the time: the copy is what the log was at one moment, the progress stays within its total, and that the file
// changed is a warning and no failure (E3).
func TestGrowingLog(t *testing.T) {
	for name, begin := range map[string]int{"short": 100, "long": 3 << 20} {
		t.Run(name, func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			line := []byte("this line has thirty-two bytes.\n")
			enginetest.Build(t, dir, enginetest.File("src/log", string(bytes.Repeat(line, begin/len(line)))), enginetest.Dir("dst"))
			f, err := os.OpenFile(dir+"/src/log", os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			stop := meddle(func(int) { _, _ = f.Write(line) })
			defer stop()
			e := newEngine(t, 2)
			for range 20 {
				if err := f.Truncate(int64(begin / len(line) * len(line))); err != nil {
					t.Fatal(err)
				}
				j := start(t, e, engine.Request{Sources: []string{dir + "/src/log"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
				w := watchProgress(t, j)
				r := wait(t, j)
				w.end()
				if r.State != engine.StateDone || r.Files != 1 {
					t.Fatalf("%+v, %v", r, j.Failures(0, 1))
				}
				e.Forget(j)
				data, err := os.ReadFile(dir + "/dst/log")
				if err != nil || int64(len(data)) != r.Bytes || len(data)%len(line) != 0 || !bytes.Equal(data, bytes.Repeat(line, len(data)/len(line))) {
					t.Fatalf("%d bytes of %d, %v", len(data), r.Bytes, err)
				}
			}
		})
	}
}

// A thousand files, of which a hundred vanish after they were found: nine hundred arrive, a hundred are listed as gone, nothing empty is
// made in their place, and the totals know (E5).
func TestFilesThatVanish(t *testing.T) {
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			enginetest.Build(t, dir+"/back", enginetest.File("held/h", "held"))
			names := enginetest.Many(t, dir+"/back/many", 1000, 10)
			valve := enginetest.NewValve()
			enginetest.Fuse(t, dir+"/back", dir+"/src", enginetest.HangRead(valve, "h", 0))
			enginetest.Build(t, dir, enginetest.Dir("dst"))
			e := newEngine(t, workers)
			// Every worker is held by a file of its own, until all is found and some of it is gone.
			sources := []string{dir + "/src/held"}
			for i := 1; i < workers; i++ {
				name := fmt.Sprintf("held%d", i)
				enginetest.Build(t, dir+"/back", enginetest.File(name+"/h", "held"))
				sources = append(sources, dir+"/src/"+name)
			}
			j := start(t, e, engine.Request{Sources: append(sources, dir+"/src/many"), Dest: dir + "/dst"})
			until(t, j, "all files to be found", func(s engine.Snapshot) bool { return s.TotalKnown && s.TotalFiles == int64(1000+workers) })
			gone := map[string]bool{}
			for _, i := range rand.New(rand.NewPCG(3, 4)).Perm(1000)[:100] {
				gone[names[i]] = true
				if err := os.Remove(dir + "/back/many/" + names[i]); err != nil {
					t.Fatal(err)
				}
			}
			valve.Open()
			r := wait(t, j)
			if r.State != engine.StateDone || r.Files != int64(900+workers) || r.Bytes != int64(9000+4*workers) {
				t.Errorf("%+v", r)
			}
			failures := j.Failures(0, 2000)
			if len(failures) != 100 {
				t.Errorf("%d are listed", len(failures))
			}
			for _, f := range failures {
				if name := f.Src[len(dir+"/src/many/"):]; !gone[name] || !errors.Is(f.Err, syscall.ENOENT) {
					t.Errorf("%s: %v", name, f.Err)
				}
			}
			if s := j.Snapshot(); s.TotalFiles != r.Files || s.TotalBytes != r.Bytes || s.Files != r.Files || s.Bytes != r.Bytes || s.Fraction != 1 {
				t.Errorf("%+v", s)
			}
			enginetest.Same(t, dir+"/back/many", dir+"/dst/many", enginetest.All&^enginetest.Times)
		})
	}
}
