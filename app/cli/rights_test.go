package cli_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"drover/engine/enginetest"
)

// asUser makes an ordinary user of who runs a command, if that is root. The binary lies in a folder that only its maker may
// enter, so it is handed down open.
func asUser(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	if os.Geteuid() != 0 {
		return cmd
	}
	exe, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = exe.Close() })
	cmd.Path, cmd.ExtraFiles = "/proc/self/fd/3", []*os.File{exe}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: enginetest.Ordinary, Gid: enginetest.Ordinary}}
	return cmd
}

// What a user may not read is listed with its path and makes the exit status 1, also where a rule leaves everything else out;
// what is copied is counted without it. A destination that he may not write to is refused: 3 (G2, G3, G4).
func TestRights(t *testing.T) {
	dir := enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.File("s/a", "a"), enginetest.File("s/b", "b").Mode(0), enginetest.File("s/c", "c"),
		enginetest.File("s/x/1", "1"), enginetest.Dir("s/x").Mode(0), enginetest.File("s/y/2", "2"), enginetest.Dir("s/y").Mode(0o444),
		enginetest.Dir("d"), enginetest.Dir("shut").Mode(0o555))
	if os.Geteuid() == 0 {
		for _, name := range []string{".", "s", "s/a", "s/b", "s/c", "s/x", "s/y", "d", "shut"} {
			if err := os.Lchown(dir+"/"+name, enginetest.Ordinary, enginetest.Ordinary); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Cleanup(func() {
		for _, name := range []string{"s/x", "s/y", "d/s/y", "shut"} {
			_ = os.Chmod(dir+"/"+name, 0o755)
		}
	})
	for _, again := range []bool{false, true} {
		out, diagnosis, status := outcomeOf(t, asUser(t, command(t, dir, "copy", "--conflict", "skip", "s", "d")))
		if want := "2 files, 2 B in "; status != 1 || !again && !strings.HasPrefix(out, want) {
			t.Errorf("status %d: %q, want %q…", status, out, want)
		}
		if !strings.Contains(diagnosis, "3 items were not copied") {
			t.Errorf("not counted:\n%s", diagnosis)
		}
		for _, name := range []string{"/s/b", "/s/x", "/s/y/2"} {
			if !strings.Contains(diagnosis, name+": Permission denied") {
				t.Errorf("%s is not listed:\n%s", name, diagnosis)
			}
		}
	}
	out, _, status := outcomeOf(t, asUser(t, command(t, dir, "copy", "--json", "--conflict", "skip", "s", "d")))
	if done, err := checkContract(out); err != nil || status != 1 || done["state"] != "done" || len(done["errors"].([]any)) != 3 || done["files"] != 0.0 {
		t.Errorf("status %d, %v: %s", status, err, out)
	}
	out, diagnosis, status := outcomeOf(t, asUser(t, command(t, dir, "copy", "s", "shut")))
	if status != 3 || out != "" || !strings.Contains(diagnosis, "nothing was copied") || !strings.Contains(diagnosis, "/shut: ") {
		t.Errorf("status %d: %s%s", status, out, diagnosis)
	}
}
