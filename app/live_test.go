package app

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"drover/engine"
	"drover/ui"
	"drover/ui/browse"
	"drover/ui/control"
)

// live is a real window on a private X server, nil where there is none. fyne must own the main goroutine, so the tests run on
// another one.
var live *ui.Window

// liveEngine is the engine of live.
var liveEngine tapped

var liveSkip string

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(nil))
	}
	flag.Parse()
	screenFirst()
	stop, why := startX()
	if why != "" {
		liveSkip = why
		os.Exit(m.Run())
	}
	home, err := os.MkdirTemp("", "drover-live")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		_ = os.Setenv(name, filepath.Join(home, name))
	}
	a := newApp(fyne.AppMetadata{Name: "Drover", Migrations: map[string]bool{"fyneDo": true}})
	e := engine.New(engine.Options{})
	liveEngine = tapped{control.Real{Engine: e}, make(chan control.Job, 1)}
	live = ui.New(ui.Config{
		App: a, Engine: liveEngine, Home: home, Dir: home,
		Watch: func(dir string) (browse.Watch, error) { return e.Changes().Watch(dir) },
	})
	live.Fyne().Resize(fyne.NewSize(1000, 700))
	live.Show()
	code := 0
	go func() {
		code = m.Run()
		type key struct{}
		live.Pump.Put(key{}, live.Quit)
	}()
	a.Run()
	stop()
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// startX starts a private X server and makes it the display of this process.
func startX() (stop func(), why string) {
	if testing.Short() {
		return nil, "short"
	}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return nil, "needs Xvfb"
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err.Error()
	}
	// the server chooses a free number and writes it to the descriptor that it is told
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "1100x800x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return nil, err.Error()
	}
	_ = w.Close()
	_ = r.SetReadDeadline(time.Now().Add(20 * time.Second))
	buf := make([]byte, 16)
	n, err := r.Read(buf)
	if err != nil {
		_ = cmd.Process.Kill()
		return nil, "Xvfb does not start: " + err.Error()
	}
	_ = os.Setenv("DISPLAY", ":"+strings.TrimSpace(string(buf[:n])))
	_ = os.Unsetenv("WAYLAND_DISPLAY")
	return func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}, ""
}

// onMain runs f on the main goroutine and waits for it.
func onMain(t testing.TB, f func()) {
	t.Helper()
	done := make(chan struct{})
	live.Pump.Put(new(int), func() { f(); close(done) })
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the main goroutine does not answer")
	}
}

// await asks on the main goroutine until ok, or fails after limit.
func await(t testing.TB, what string, limit time.Duration, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(limit); ; <-tick.C {
		got := false
		onMain(t, func() { got = ok() })
		if got {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, limit)
		}
	}
}

// shot saves what the window shows, if DROVER_SHOTS names a folder.
func shot(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("DROVER_SHOTS")
	if dir == "" {
		return
	}
	drawn := time.NewTimer(300 * time.Millisecond) // nothing tells that a frame is on the screen
	<-drawn.C
	if out, err := exec.Command("import", "-window", "root", filepath.Join(dir, name+".png")).CombinedOutput(); err != nil {
		t.Errorf("no picture: %v %s", err, out)
	}
}

func needWindow(t testing.TB) {
	t.Helper()
	if live == nil {
		t.Skip("no window: ", liveSkip)
	}
}

func files(t *testing.T, dir string, n int, content []byte) []string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%06d", i)), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return []string{dir}
}

// room is a folder for many files: in memory where there is such a place, since it is not the disk that is tested.
func room(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "drover-live")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func count(t *testing.T, dir string) int {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// all returns the paths of everything in dir.
func all(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = filepath.Join(dir, e.Name())
	}
	return out
}

// TestQuestionsHoldNothingUp copies 20 000 files onto a folder where the very first and 99 others exist. While the question is
// on the screen, everything else arrives, and what is there is not touched.
func TestQuestionsHoldNothingUp(t *testing.T) {
	needWindow(t)
	const n, taken = 20000, 100
	src, dst := filepath.Join(room(t), "src"), filepath.Join(room(t), "dst")
	files(t, src, n, []byte(strings.Repeat("new", 100)))
	files(t, dst, taken, []byte("old"))
	sources := all(t, src)
	onMain(t, func() {
		live.View().Open(dst)
		live.Control.Drop(sources, dst)
	})
	await(t, "a question", 20*time.Second, func() bool { return live.Open(ui.HasQuestions) })
	onMain(t, func() { live.ReviewFirst() })
	await(t, "the dialog", 10*time.Second, live.Asking)
	await(t, "all that is not asked about", 60*time.Second, func() bool { return count(t, dst) == n })
	await(t, "the right number in the view", 10*time.Second, func() bool { return live.View().Listing().Len() == n })
	onMain(t, func() {
		if !live.Asking() {
			t.Error("the dialog went by itself")
		}
	})
	shot(t, "question")
	for i := range taken {
		got, err := os.ReadFile(filepath.Join(dst, fmt.Sprintf("f%06d", i)))
		if err != nil || string(got) != "old" {
			t.Fatalf("f%06d was touched: %.10q %v", i, got, err)
		}
	}
	onMain(t, live.CloseDialogs)
	onMain(t, live.CancelAll)
	await(t, "the end", 10*time.Second, func() bool { open, _ := live.Control.Open(); return open == 0 })
	onMain(t, live.Control.ClearEnded)
}

// TestMainGoroutineStaysFree copies 100 000 files into the folder on view and measures how long the main goroutine is busy at a
// stretch: computing, painting, and by the clock. The clock also counts what other programs take of the processors (and
// without a graphics card drawing waits for threads of its own), so it is only held to the limit on a machine that is quiet.
func TestMainGoroutineStaysFree(t *testing.T) {
	needWindow(t)
	const n, limit = 100000, 50 * time.Millisecond
	src := filepath.Join(room(t), "src")
	files(t, src, n, []byte("x"))
	quiet := loadAverage() < float64(runtime.NumCPU())
	best, computing, painting := time.Hour, time.Hour, time.Hour
	for try := 1; try <= 3 && (best >= limit || computing >= limit || painting >= limit); try++ {
		dst := filepath.Join(room(t), "dst"+strconv.Itoa(try))
		if err := os.Mkdir(dst, 0o755); err != nil {
			t.Fatal(err)
		}
		sources := all(t, src)
		onMain(t, func() { live.View().Open(dst) })
		await(t, "the empty folder", 10*time.Second, func() bool {
			l := live.View().Listing()
			return l != nil && l.Dir == dst
		})
		ctx, stop := context.WithCancel(t.Context())
		live.Pump.ResetBusy()
		go live.Pump.Probe(ctx)
		began := time.Now()
		onMain(t, func() { live.Control.Drop(sources, dst) })
		await(t, "the right number in the view", 120*time.Second, func() bool { return live.View().Listing().Len() == n })
		took := time.Since(began)
		stop()
		busy, paint := live.Pump.Busy(), live.Pump.LongestPaint()
		t.Logf("try %d: %d files in %v; main goroutine busy at most %v at a stretch (computing at most %v), painting at most %v", try, n, took.Round(time.Millisecond), busy, live.Pump.Work(), paint)
		best, computing, painting = min(best, busy), min(computing, live.Pump.Work()), min(painting, paint)
		await(t, "the end", 10*time.Second, func() bool { open, _ := live.Control.Open(); return open == 0 })
		shot(t, "hundred-thousand")
		onMain(t, live.Control.ClearEnded)
	}
	if raceEnabled {
		return
	}
	if computing >= limit || painting >= limit {
		t.Errorf("the main goroutine computed for %v and painted for %v at a stretch, more than %v", computing, painting, limit)
	}
	if best >= limit {
		if !quiet {
			t.Logf("%v by the clock, but the machine has other work (load %v)", best, loadAverage())
			return
		}
		t.Errorf("the main goroutine was busy for %v at a stretch, more than %v", best, limit)
	}
}

// loadAverage is how many programs wanted a processor in the last minute.
func loadAverage() float64 {
	buf, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(buf), " ")
	v, _ := strconv.ParseFloat(first, 64)
	return v
}

// TestIdleWindowDrawsNothing: a window in which nothing happens takes no processor time. A part that makes itself anew whenever it
// is laid out has the toolkit draw for ever.
func TestIdleWindowDrawsNothing(t *testing.T) {
	needWindow(t)
	onMain(t, func() { live.View().Open("/") })
	await(t, "the folder", 10*time.Second, func() bool { l := live.View().Listing(); return l != nil && l.Dir == "/" })
	var work time.Duration
	const span = 2 * time.Second
	for range 5 { // what came before may take a moment to end
		before := processTime()
		idle := time.NewTimer(span)
		<-idle.C
		if work = processTime() - before; work < span/10 {
			return
		}
	}
	t.Errorf("the window took %v of processor time in %v of idling", work, span)
}

func processTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
