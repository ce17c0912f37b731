package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"drover/engine/enginetest"
)

const (
	writerEnv = "DROVER_TEST_JOURNAL" // folder of the store
	writerHow = "DROVER_TEST_HOW"
)

// TestWriterProcess is the other process: it writes a journal until it is killed.
func TestWriterProcess(t *testing.T) {
	dir := os.Getenv(writerEnv)
	if dir == "" {
		t.Skip("is for other tests to start")
	}
	w, err := Open(dir).Create("one", Begin{Version: "child"})
	must(t, err)
	must(t, w.Append(&State{State: 1}))
	fmt.Println("ready")
	if os.Getenv(writerHow) == "wait" {
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	b := newBatch(32)
	for i := uint64(1); ; i++ {
		b.outcome.Folder = i
		must(t, w.Append(&b.outcome))
	}
}

// other starts such a process and returns when it writes. kill ends it the hard way.
func other(t *testing.T, s *Store, how string) (cmd *exec.Cmd, kill func()) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	cmd = exec.Command(exe, "-test.run=^TestWriterProcess$", "-test.count=1")
	cmd.Env = append(os.Environ(), writerEnv+"="+s.dir, writerHow+"="+how)
	in, err := cmd.StdinPipe() // nobody writes to it; it ends with this process
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		in.Close()
	}
	t.Cleanup(kill)
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd, kill
}

// A job of another process is seen as running until that process ends, however it does.
func TestLockOfAnotherProcess(t *testing.T) {
	s := store(t)
	cmd, kill := other(t, s, "wait")
	i, err := s.Look("one")
	if err != nil || !i.Alive || i.Torn || i.Begin.PID != cmd.Process.Pid || i.Begin.Version != "child" || i.State == nil || i.State.State != 1 {
		t.Errorf("%v, %+v", err, i)
	}
	if _, err := s.Reopen("one"); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if err := s.Remove("one"); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if gone, err := s.Prune(1, 1, nil); err != nil || len(gone) > 0 {
		t.Error(gone, err)
	}
	if len(read(t, s, "one")) != 2 {
		t.Error("cannot be read meanwhile")
	}
	kill()
	if i, err := s.Look("one"); err != nil || i.Alive || i.Ended() {
		t.Errorf("%v, %+v", err, i)
	}
	w, err := s.Reopen("one")
	must(t, err)
	must(t, w.Close())
}

// Of a process that is killed while it appends, all is there that it was told of, and nothing else.
func TestKilledWriter(t *testing.T) {
	for round := range 5 {
		s := store(t)
		_, kill := other(t, s, "write")
		enginetest.Await(t, "some appends", func() bool {
			i, err := s.Look("one")
			must(t, err)
			return i.Size > int64(round+1)*100_000
		})
		kill()
		want := uint64(1)
		for _, r := range read(t, s, "one")[2:] {
			o := r.(*Outcome)
			if o.Folder != want || len(o.Items) != 32 {
				t.Fatalf("append %d has %d items, want append %d", o.Folder, len(o.Items), want)
			}
			want++
		}
		w, err := s.Reopen("one")
		must(t, err)
		must(t, w.Append(&State{Ended: true}))
		must(t, w.Close())
		if i, err := s.Look("one"); err != nil || !i.Ended() || i.Torn {
			t.Errorf("%v, %+v", err, i)
		}
	}
}
