package app

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"drover/engine"
)

// asProgram makes the test program the program itself, if it is set in the environment.
const asProgram = "DROVER_TEST_AS_PROGRAM"

// A program that is told to end does so, whatever the toolkit makes of it, and not before its jobs have ended.
func TestInsist(t *testing.T) {
	for _, ends := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			e := engine.New(engine.Options{})
			done := make(chan struct{})
			exits := make(chan int, 1)
			began := time.Now()
			if ends {
				close(done)
			}
			insist(e, done, func(status int) { exits <- status })
			select {
			case status := <-exits:
				if ends || status != 0 || time.Since(began) != toolkitTime {
					t.Errorf("status %d after %v", status, time.Since(began))
				}
			default:
				if !ends {
					t.Error("it goes on")
				}
			}
			if _, err := e.Start(t.Context(), engine.Request{Sources: []string{"/x"}, Dest: "/y"}); err == nil {
				t.Error("the engine takes jobs")
			}
		})
	}
}

// Signals come at any moment of the start: the program ends in order, soon, and without a word. DROVER_SIGNALS=100 sends so many.
func TestSignalsWhileTheWindowOpens(t *testing.T) {
	needWindow(t)
	rounds := 8
	if n, err := strconv.Atoi(os.Getenv("DROVER_SIGNALS")); err == nil {
		rounds = n
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir() // the same for all: what one has written another reads
	for i := range rounds {
		cmd := exec.Command(exe)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), asProgram+"=1", "HOME="+home, "LANG=en_US.UTF-8", "GORACE=atexit_sleep_ms=0")
		for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
			cmd.Env = append(cmd.Env, name+"="+filepath.Join(home, name))
		}
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		after := time.Duration(rand.Int64N(int64(2 * time.Second)))
		moment := time.NewTimer(after)
		<-moment.C
		sent := time.Now()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatalf("after %v: %v: %s", after, err, said.String())
		}
		killed := time.AfterFunc(leaveTime+toolkitTime+20*time.Second, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		killed.Stop()
		state := cmd.ProcessState.Sys().(syscall.WaitStatus)
		early := state.Signaled() && state.Signal() == syscall.SIGTERM // before anything of the program ran
		if err != nil && !early || said.Len() > 0 {
			t.Errorf("round %d: told after %v, took %v: %v\n%s", i, after, time.Since(sent), err, said.String())
		}
		t.Logf("told after %v: %v, %v", after.Round(time.Millisecond), time.Since(sent).Round(time.Millisecond), cmd.ProcessState)
	}
	if left, _ := filepath.Glob(home + "/XDG_STATE_HOME/drover/crash-*"); len(left) > 0 {
		t.Logf("reports left behind: %v", left)
	}
}
