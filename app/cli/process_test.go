package cli_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// command is drover-cli in dir, which ends with the test at the latest.
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0], cmd.Dir = "drover-cli", dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	return cmd
}

// TestReaderGone: "drover copy --json … | head" must not end in the middle of a file.
func TestReaderGone(t *testing.T) {
	for _, args := range [][]string{{"copy", "s/.", "d"}, {"copy", "--json", "s/.", "d"}} {
		dir := folders(t, 100)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := command(t, dir, args...)
		cmd.Stdout = w
		var diagnosis strings.Builder
		cmd.Stderr = &diagnosis
		status, err := statusOf(cmd.Run())
		w.Close()
		if err != nil || status != 1 || !strings.Contains(diagnosis.String(), "could not be written") {
			t.Errorf("%v: exit status %d, %v\n%s", args, status, err, diagnosis.String())
		}
		if n := entries(filepath.Join(dir, "d")); n != 100 {
			t.Errorf("%v: %d files, want 100", args, n)
		}
	}
}

// TestSignalWhileNamesAreRead: the job has not begun, the signal counts all the same.
func TestSignalWhileNamesAreRead(t *testing.T) {
	for signal, args := range map[syscall.Signal][]string{
		syscall.SIGINT:  {"copy", "--json", "-", "d"},
		syscall.SIGTERM: {"copy", "-", "d"},
	} {
		dir := folders(t, 1)
		cmd := command(t, dir, args...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// A pipe that has been emptied shows that somebody reads from it, and so listens to signals.
		const block = 64 << 10
		if _, err := io.WriteString(in, strings.Repeat("s/000000\x00", 4*block/9)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		status, err := statusOf(cmd.Wait())
		if err != nil || status != 130 {
			t.Errorf("%v: exit status %d, want 130: %v\n%s", signal, status, err, out.String())
		}
		if n := entries(filepath.Join(dir, "d")); n != 0 {
			t.Errorf("%v: %d files were copied", signal, n)
		}
		if args[1] == "--json" {
			done, err := checkContract(out.String())
			if err != nil || done["state"] != "cancelled" {
				t.Errorf("%v %v", done, err)
			}
		}
	}
}

// TestInterruptTwice: one Ctrl-C may arrive twice, from the terminal and from the program in between. That is no reason to
// end in the middle of a file.
func TestInterruptTwice(t *testing.T) {
	dir := folders(t, 3000)
	cmd := command(t, dir, "copy", "s/.", "d")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := await(ctx, func() bool { return entries(filepath.Join(dir, "d")) > 10 }); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	if status, err := statusOf(cmd.Wait()); err != nil || status != 130 {
		t.Errorf("exit status %d, want 130: %v", status, err)
	}
	list, err := os.ReadDir(filepath.Join(dir, "d"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		holds(t, filepath.Join(dir, "d", e.Name()), content(e.Name()))
	}
}
