package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"drover/engine"
	"drover/ui/control"
)

// BenchmarkWindow says what the window costs: the time of a job in a window that is open already, from the drop to the end of the
// job, divided by that of drover-cli for the same copy as a whole process, a moment apart. The folder that is copied into is on
// view. Each of the b.N rounds has a new source and new targets, and another side begins each time.
//
//	go test ./app -run '^$' -bench Window -benchtime 15x
//
// It works in memory; DROVER_BENCH_DIR names another place. There nothing is deleted before the end, because some file systems are
// slow for a while after that. DROVER_CLI is the program to compare with, otherwise it is built.
func BenchmarkWindow(b *testing.B) {
	needWindow(b)
	cli := commandLine(b)
	for _, s := range costSets {
		for _, c := range []struct {
			name, source string // the view shows the folder that the copied one comes into, or the one that is filled
			shown        int    // what the folder on view has at the end
		}{
			{"view=around", "", 1},
			{"view=filled", "/.", s.entries},
		} {
			b.Run("set="+s.name+"/"+c.name, func(b *testing.B) {
				var pairs []pair
				for i := range b.N {
					b.StopTimer()
					g := newCostGround(b)
					src := filepath.Join(g.dir, s.name)
					if err := s.write(src); err != nil {
						b.Fatal(err)
					}
					src += c.source
					var p pair
					sides := []func(){
						func() { g.byWindow(b, src, s.files, c.shown, &p) },
						func() { g.byCommand(b, cli, src, &p) },
					}
					if i%2 == 1 {
						slices.Reverse(sides)
					}
					for _, side := range sides {
						side()
					}
					g.free(b)
					pairs = append(pairs, p)
				}
				report(b, pairs)
			})
		}
	}
}

// pair is one round: how long the window and the command took, how much time of the processors, and after how long the window
// showed everything.
type pair struct{ window, shown, cli, windowCPU, cliCPU time.Duration }

func report(b *testing.B, pairs []pair) {
	ratios := sorted(pairs, func(p pair) float64 { return p.window.Seconds() / p.cli.Seconds() })
	b.ReportMetric(0, "ns/op") // says nothing: it counts what is prepared, too
	b.ReportMetric(quantile(ratios, 0.5), "ratio")
	b.ReportMetric(quantile(ratios, 0.25), "ratio-q1")
	b.ReportMetric(quantile(ratios, 0.75), "ratio-q3")
	ms := func(of func(pair) time.Duration) float64 {
		return quantile(sorted(pairs, func(p pair) float64 { return of(p).Seconds() * 1000 }), 0.5)
	}
	b.ReportMetric(ms(func(p pair) time.Duration { return p.window }), "window-ms")
	b.ReportMetric(ms(func(p pair) time.Duration { return p.cli }), "cli-ms")
	b.ReportMetric(ms(func(p pair) time.Duration { return p.shown }), "shown-ms")
	b.ReportMetric(ms(func(p pair) time.Duration { return p.windowCPU }), "window-cpu-ms")
	b.ReportMetric(ms(func(p pair) time.Duration { return p.cliCPU }), "cli-cpu-ms")
}

func sorted(pairs []pair, of func(pair) float64) []float64 {
	var v []float64
	for _, p := range pairs {
		v = append(v, of(p))
	}
	slices.Sort(v)
	return v
}

func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

type costSet struct {
	name           string
	files, entries int // in all, and in its own folder
	write          func(dir string) error
}

var costSets = []costSet{
	flat("flat5k", 5000, 4096),
	flat("flat100k", 100_000, 1),
	{"tree20k", 20000, 20, func(dir string) error {
		src := rand.NewChaCha8([32]byte{})
		sizes := rand.New(rand.NewChaCha8([32]byte{1}))
		for i := range 20000 {
			name := filepath.Join(dir, fmt.Sprintf("d%02d", i/1000), fmt.Sprintf("e%02d", i/50%20), fmt.Sprintf("f%03d.txt", i%50))
			// log-normal around 3 KiB, as in a source tree
			if err := randomFile(name, src, int(min(math.Exp(8+1.4*sizes.NormFloat64()), 200_000))); err != nil {
				return err
			}
		}
		return nil
	}},
}

// flat is a set of files of one size in one folder.
func flat(name string, files, size int) costSet {
	return costSet{name, files, files, func(dir string) error {
		src := rand.NewChaCha8([32]byte{})
		for i := range files {
			if err := randomFile(filepath.Join(dir, fmt.Sprintf("f%05d.dat", i)), src, size); err != nil {
				return err
			}
		}
		return nil
	}}
}

func randomFile(name string, src io.Reader, size int) error {
	buf := make([]byte, size)
	if _, err := io.ReadFull(src, buf); err != nil {
		return err
	}
	err := os.WriteFile(name, buf, 0o644)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		err = os.WriteFile(name, buf, 0o644)
	}
	return err
}

// commandLine is the path of drover-cli.
func commandLine(b *testing.B) string {
	b.Helper()
	if cli := os.Getenv("DROVER_CLI"); cli != "" {
		return cli
	}
	cli := filepath.Join(b.TempDir(), "drover-cli")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", cli, "./headless")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("no drover-cli to compare with: %v\n%s", err, out)
	}
	return cli
}

// costGround is where one round takes place.
type costGround struct {
	dir  string
	runs int
}

// newCostGround makes a fresh folder, in memory unless DROVER_BENCH_DIR names another place.
func newCostGround(b *testing.B) *costGround {
	b.Helper()
	dir, err := os.MkdirTemp(cmp.Or(os.Getenv("DROVER_BENCH_DIR"), "/dev/shm"), "drover-cost-")
	if err != nil {
		b.Skip("nowhere to copy: ", err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	return &costGround{dir: dir}
}

// free gives the memory back.
func (g *costGround) free(b *testing.B) {
	b.Helper()
	onMain(b, func() { live.View().Open("/") })
	await(b, "another folder", 10*time.Second, func() bool { l := live.View().Listing(); return l != nil && l.Dir == "/" })
	if os.Getenv("DROVER_BENCH_DIR") != "" {
		return // at the end: a file system may be slow for a while after much was deleted
	}
	if err := os.RemoveAll(g.dir); err != nil {
		b.Fatal(err)
	}
}

// fresh makes the empty folder of a run, with all that was written before on the disk.
func (g *costGround) fresh(b *testing.B) string {
	b.Helper()
	g.runs++
	dst := filepath.Join(g.dir, "dst"+strconv.Itoa(g.runs))
	if err := os.Mkdir(dst, 0o755); err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command("sync", "-f", g.dir).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return dst
}

func (g *costGround) byCommand(b *testing.B, cli, src string, p *pair) {
	b.Helper()
	dst := g.fresh(b)
	b.StartTimer()
	defer b.StopTimer()
	began := time.Now()
	cmd := exec.Command(cli, "copy", "--quiet", src, dst)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	p.cli, p.cliCPU = time.Since(began), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
}

// copyTime is how long a copy may take. In the window a job waits for a person who makes room on a full disk, which here is nobody.
const copyTime = 2 * time.Minute

// byWindow copies src as a drop does, with the folder on view that it goes into. The time is from the gesture to the end of the
// job, shown until the folder on view has all entries.
func (g *costGround) byWindow(b *testing.B, src string, files, entries int, p *pair) {
	b.Helper()
	dst := g.fresh(b)
	onMain(b, func() { live.View().Open(dst) })
	await(b, "the empty folder", 10*time.Second, func() bool {
		l := live.View().Listing()
		return l != nil && l.Dir == dst && l.Len() == 0
	})
	settle(b)
	b.StartTimer()
	defer b.StopTimer()
	began, before := time.Now(), processTime()
	onMain(b, func() { live.Control.Drop([]string{src}, dst) })
	job := <-liveEngine.started
	limit, stop := context.WithTimeout(context.Background(), copyTime)
	defer stop()
	r, err := job.Wait(limit)
	p.window, p.windowCPU = time.Since(began), processTime()-before
	if err != nil || r.State != engine.StateDone || r.Files != int64(files) {
		b.Fatalf("%d files, state %v, %v, %v; it stands because of %v", r.Files, r.State, r.Err, err, job.Snapshot().Stall)
	}
	await(b, "the right number in the view", 20*time.Second, func() bool { return live.View().Listing().Len() == entries })
	p.shown = time.Since(began)
	await(b, "the end", 10*time.Second, func() bool { open, _ := live.Control.Open(); return open == 0 })
	onMain(b, live.Control.ClearEnded)
}

// settle waits until the window has drawn what came before.
func settle(b *testing.B) {
	b.Helper()
	const span = 50 * time.Millisecond
	for end := time.Now().Add(20 * time.Second); ; {
		before := processTime()
		still := time.NewTimer(span)
		<-still.C
		if processTime()-before < span/20 {
			return
		}
		if time.Now().After(end) {
			b.Fatal("the window never comes to rest")
		}
	}
}

// tapped hands out the jobs that the window starts.
type tapped struct {
	control.Real
	started chan control.Job // the newest
}

func (t tapped) Start(ctx context.Context, r engine.Request) (control.Job, error) {
	j, err := t.Real.Start(ctx, r)
	if err == nil {
		select {
		case <-t.started:
		default:
		}
		t.started <- j
	}
	return j, err
}
