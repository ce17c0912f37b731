package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a command that runs on a terminal of its own: this end of it shows what the person would see, and types.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File

	mu     sync.Mutex
	output bytes.Buffer // guarded by mu
	seen   int          // how much of it expect has gone past
	ended  chan struct{}
}

const columns, rows = 100, 30

// onTerminal starts drover-cli with args in dir.
func onTerminal(t *testing.T, dir string, args ...string) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	defer slave.Close()
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	x := &terminal{t: t, master: master, ended: make(chan struct{})}
	x.cmd = exec.CommandContext(ctx, self, args...)
	x.cmd.Args[0] = "drover-cli"
	x.cmd.Dir = dir
	x.cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm", "HOME=/nowhere")
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(x.ended)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			x.mu.Lock()
			x.output.Write(buf[:n])
			x.mu.Unlock()
			if err != nil { // EIO: nobody has the other end any more
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		master.Close()
		<-x.ended
	})
	return x
}

// all is everything that was shown so far.
func (x *terminal) all() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.output.String()
}

// await waits until done, or fails with what is to be seen.
func (x *terminal) await(what string, done func() bool) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := await(ctx, done); err != nil {
		x.t.Fatalf("waited for %s in vain; the terminal shows\n%s", what, x.all())
	}
}

// expect waits until text comes after what was expected before.
func (x *terminal) expect(text string) {
	x.t.Helper()
	x.await(fmt.Sprintf("%q", text), func() bool {
		s := x.all()[x.seen:]
		i := strings.Index(s, text)
		if i >= 0 {
			x.seen += i + len(text)
		}
		return i >= 0
	})
}

// send types s.
func (x *terminal) send(s string) {
	x.t.Helper()
	if _, err := io.WriteString(x.master, s); err != nil {
		x.t.Fatal(err)
	}
}

// wait waits for the end of the command, which must have this exit status.
func (x *terminal) wait(want int) {
	x.t.Helper()
	got, err := statusOf(x.cmd.Wait())
	if err != nil {
		x.t.Fatalf("%v; the terminal shows\n%s", err, x.all())
	}
	<-x.ended
	if got != want {
		x.t.Fatalf("exit status %d, want %d; the terminal shows\n%s", got, want, x.all())
	}
}

// screen is what a person sees when output has been written to a terminal: with the lines that were drawn over gone.
func screen(output string) []string {
	var lines []string
	var line []rune
	at := 0
	for output != "" {
		switch {
		case strings.HasPrefix(output, "\x1b[K"):
			line = line[:at]
			output = output[len("\x1b[K"):]
			continue
		case output[0] == '\r':
			at = 0
			output = output[1:]
			continue
		case output[0] == '\n':
			lines = append(lines, string(line))
			line, at = nil, 0
			output = output[1:]
			continue
		}
		for i, r := range output {
			if i > 0 {
				output = output[i:]
				break
			}
			if at < len(line) {
				line[at] = r
			} else {
				line = append(line, r)
			}
			at++
			if len(string(r)) == len(output) {
				output = ""
			}
		}
	}
	if len(line) > 0 {
		lines = append(lines, string(line))
	}
	return lines
}

// folders makes a source of n small files and a destination in which those named by taken hold "old".
func folders(t *testing.T, n int, taken ...int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, sub := range []string{"s", "d"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		name := fmt.Sprintf("%06d", i)
		write(t, filepath.Join(dir, "s", name), content(name))
	}
	for _, i := range taken {
		write(t, filepath.Join(dir, "d", fmt.Sprintf("%06d", i)), []byte("old\n"))
	}
	return dir
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// holds fails unless path holds want.
func holds(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes, want %d: %v", path, len(got), len(want), err)
	}
}

// TestQuestionWaitsForNobody is the promise of the program: while the question stands there, everything else arrives.
func TestQuestionWaitsForNobody(t *testing.T) {
	dir := folders(t, 500, 0)
	x := onTerminal(t, dir, "copy", "s/.", "d")
	x.expect("000000” exists already")
	x.expect("[r] Replace")
	x.expect("> ")
	x.await("the other 499 files", func() bool { return entries(filepath.Join(dir, "d")) == 500 })
	holds(t, filepath.Join(dir, "d", "000000"), []byte("old\n"))
	x.send("r\n")
	x.wait(0)
	holds(t, filepath.Join(dir, "d", "000000"), content("000000"))
	if s := x.all(); !strings.Contains(s, "500 files, ") {
		t.Errorf("no summary in\n%s", s)
	}
}

func TestAnswers(t *testing.T) {
	old := []byte("old\n")
	for _, c := range []struct {
		answer string
		status int
		after  map[string][]byte // what is in the destination then
	}{
		{"s\n", 0, map[string][]byte{"000000": old}},
		{"S\n", 0, map[string][]byte{"000000": old}},
		{"n\n", 0, map[string][]byte{"000000": content("000000")}}, // the one in the way is made older below
		{"re other name\n", 0, map[string][]byte{"000000": old, "other name": content("000000")}},
		{"re\nother\n", 0, map[string][]byte{"000000": old, "other": content("000000")}},
		{"what?\nr\n", 0, map[string][]byte{"000000": content("000000")}},    // says what is possible, asks again
		{"re ../up\nre ok\n", 0, map[string][]byte{"ok": content("000000")}}, // the engine refuses, asks again
		{"\nr\n", 0, map[string][]byte{"000000": content("000000")}},         // an empty line shows it again
		{"re\n\ns\n", 0, map[string][]byte{"000000": old}},                   // thought better of the new name
		{"\x04", 1, map[string][]byte{"000000": old}},                        // Ctrl-D leaves it open
		{"\x03", 130, map[string][]byte{"000000": old}},                      // Ctrl-C
	} {
		t.Run(strings.Trim(fmt.Sprintf("%q", c.answer), `"`), func(t *testing.T) {
			dir := folders(t, 1, 0)
			past := time.Now().AddDate(-1, 0, 0)
			if err := os.Chtimes(filepath.Join(dir, "d", "000000"), past, past); err != nil {
				t.Fatal(err)
			}
			x := onTerminal(t, dir, "copy", "s/.", "d")
			for line := range strings.Lines(c.answer) {
				x.expect(prompt(line, c.answer))
				x.send(line)
			}
			x.wait(c.status)
			for name, want := range c.after {
				holds(t, filepath.Join(dir, "d", name), want)
			}
			if n := entries(filepath.Join(dir, "d")); n > 2 {
				t.Errorf("%d files in the destination", n)
			}
		})
	}
}

// prompt is what to wait for before line of answer is typed.
func prompt(line, answer string) string {
	if strings.HasPrefix(answer, "re\n") && strings.HasSuffix(answer, line) && line == "other\n" || line == "\n" && strings.HasPrefix(answer, "re\n") {
		return "New name: "
	}
	return "> "
}

// TestOneAnswerForAll: a capital letter ends the asking, whatever else comes up.
func TestOneAnswerForAll(t *testing.T) {
	dir := folders(t, 300, 1, 10, 100, 200, 299)
	x := onTerminal(t, dir, "copy", "s/.", "d")
	x.expect("exists already")
	x.expect("> ")
	x.send("K\n")
	x.wait(0)
	if n := entries(filepath.Join(dir, "d")); n != 305 {
		t.Errorf("%d files, want 305", n)
	}
	if n := strings.Count(x.all(), "[r] Replace"); n != 1 {
		t.Errorf("asked %d times; the terminal shows\n%s", n, x.all())
	}
}

// TestQuestionsOneAfterTheOther answers some and leaves the rest.
func TestQuestionsOneAfterTheOther(t *testing.T) {
	dir := folders(t, 50, 3, 4, 5)
	x := onTerminal(t, dir, "copy", "s/.", "d")
	for range 2 {
		x.expect("exists already")
		x.expect("> ")
		x.send("r\n")
	}
	x.expect("exists already")
	x.expect("> ")
	x.send("\x04")
	x.wait(1)
	x.expect("1 item was left out")
	replaced := 0
	for _, name := range []string{"000003", "000004", "000005"} {
		got, err := os.ReadFile(filepath.Join(dir, "d", name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(got, content(name)) {
			replaced++
		} else if string(got) != "old\n" {
			t.Errorf("%s is neither the old nor the new one: %d bytes", name, len(got))
		}
	}
	if replaced != 2 {
		t.Errorf("%d replaced, want 2", replaced)
	}
}

// TestNoQuestionsWhereNobodyWants: these flags mean that a person is not to be bothered.
func TestNoQuestionsWhereNobodyWants(t *testing.T) {
	for _, flag := range []string{"--quiet", "--json", "--dry-run"} {
		x := onTerminal(t, folders(t, 5, 0), "copy", flag, "s/.", "d")
		x.wait(1)
		if s := x.all(); strings.Contains(s, "[r]") || strings.Contains(s, "> ") {
			t.Errorf("%s asks:\n%s", flag, s)
		}
	}
}

// TestQuickJobShowsNoProgress: nothing flashes.
func TestQuickJobShowsNoProgress(t *testing.T) {
	began := time.Now()
	x := onTerminal(t, folders(t, 3), "copy", "s/.", "d")
	x.wait(0)
	if time.Since(began) > 300*time.Millisecond {
		t.Skip("the machine was too busy for the job to be quick")
	}
	if s := x.all(); strings.ContainsAny(s, "\x1b%▓░") {
		t.Errorf("%q", s)
	}
}

// TestProgressOnTerminal stops the process for a moment, so that the job lasts long enough for a bar, wherever it runs.
func TestProgressOnTerminal(t *testing.T) {
	const files = 2000
	dir := folders(t, files)
	x := onTerminal(t, dir, "copy", "s/.", "d")
	x.await("the first files", func() bool { return entries(filepath.Join(dir, "d")) > 10 })
	if err := x.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	<-time.After(400 * time.Millisecond) // the time that the bar waits for is what is tested
	if err := x.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	x.wait(0)
	if n := entries(filepath.Join(dir, "d")); n != files {
		t.Errorf("%d files, want %d", n, files)
	}
	out := x.all()
	if !strings.Contains(out, "\x1b[K") {
		t.Fatalf("no progress in a job of more than 400 ms:\n%q", out)
	}
	for _, frame := range strings.FieldsFunc(out, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if n := len([]rune(strings.TrimSuffix(frame, "\x1b[K"))); n >= columns {
			t.Errorf("a line of %d columns on a terminal of %d: %q", n, columns, frame)
		}
	}
	shown := screen(out)
	if len(shown) != 1 || !strings.HasPrefix(shown[0], "2 000 files, ") {
		t.Errorf("in the end the screen shows %q, want the summary alone", shown)
	}
}

func TestProgressNever(t *testing.T) {
	dir := folders(t, 1000)
	x := onTerminal(t, dir, "copy", "--progress", "never", "s/.", "d")
	x.await("the first files", func() bool { return entries(filepath.Join(dir, "d")) > 10 })
	if err := x.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	<-time.After(400 * time.Millisecond)
	if err := x.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	x.wait(0)
	if s := x.all(); strings.Contains(s, "\x1b") {
		t.Errorf("%q", s)
	}
}

// TestControlSequencesInNames: what another person has named a file must not move the cursor of this one.
func TestControlSequencesInNames(t *testing.T) {
	dir := folders(t, 0)
	const name = "a\x1b]0;owned\x07\n\xffb"
	write(t, filepath.Join(dir, "s", name), []byte("new\n"))
	write(t, filepath.Join(dir, "d", name), []byte("old\n"))
	x := onTerminal(t, dir, "copy", "s/.", "d")
	x.expect(`a\x1B]0;owned\x07\n\xFFb` + "” exists already")
	x.expect("> ")
	x.send("\x04")
	x.wait(1)
	if s := x.all(); strings.Contains(s, "\x1b]") || strings.Contains(s, "\x07") || strings.Contains(s, "\xff") {
		t.Errorf("%q", s)
	}
}

// smallDisk mounts a file system that holds about a megabyte.
func smallDisk(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("cannot mount a small file system here:", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// TestDiskFullAsks: the person makes room and the job goes on where it was.
func TestDiskFullAsks(t *testing.T) {
	dir := folders(t, 0)
	smallDisk(t, filepath.Join(dir, "d"))
	ballast := filepath.Join(dir, "d", "ballast")
	write(t, ballast, make([]byte, 700<<10))
	big := bytes.Repeat([]byte("drover "), 100_000)
	write(t, filepath.Join(dir, "s", "big"), big)
	x := onTerminal(t, dir, "copy", "s/big", "d")
	x.expect("The disk is full. Make room")
	x.expect("> ")
	x.send("t\n") // nothing has changed yet
	x.expect("The disk is full. Make room")
	x.expect("> ")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	x.send("t\n")
	x.wait(0)
	holds(t, filepath.Join(dir, "d", "big"), big)
}

func TestDiskFullCancelled(t *testing.T) {
	dir := folders(t, 0)
	smallDisk(t, filepath.Join(dir, "d"))
	write(t, filepath.Join(dir, "s", "big"), make([]byte, 2<<20))
	write(t, filepath.Join(dir, "s", "big"), bytes.Repeat([]byte("drover "), 300_000))
	x := onTerminal(t, dir, "copy", "s/.", "d")
	x.expect("The disk is full")
	x.expect("> ")
	x.send("c\n")
	x.wait(1)
	if n := entries(filepath.Join(dir, "d")); n != 0 {
		t.Errorf("%d files are left in the destination", n)
	}
}

// TestDiskFullWithoutTerminal: nobody can make room, so the job ends with the error.
func TestDiskFullWithoutTerminal(t *testing.T) {
	dir := folders(t, 0)
	smallDisk(t, filepath.Join(dir, "d"))
	write(t, filepath.Join(dir, "s", "big"), bytes.Repeat([]byte("drover "), 300_000))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "copy", "--json", "s/.", "d")
	cmd.Args[0], cmd.Dir = "drover-cli", dir
	out, err := cmd.Output()
	status, err := statusOf(err)
	if err != nil || status != 1 && status != 3 {
		t.Fatalf("exit status %d, want 1 or, if it was refused for want of space, 3: %v", status, err)
	}
	done, err := checkContract(string(out))
	if err != nil {
		t.Fatal(err)
	}
	list, _ := done["errors"].([]any)
	if done["state"] != "failed" || len(list) == 0 || !strings.Contains(fmt.Sprint(list), "no space left") {
		t.Errorf("%s", out)
	}
	if n := entries(filepath.Join(dir, "d")); n != 0 {
		t.Errorf("%d files are left in the destination", n)
	}
}
