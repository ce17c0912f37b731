package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// exfat mounts a fresh exFAT, over FUSE, at a new folder.
func exfat(t *testing.T) string {
	t.Helper()
	enginetest.NeedsRoot(t)
	for _, p := range []string{"mkfs.exfat", "mount.exfat-fuse", "losetup"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("no %s here", p)
		}
	}
	image, dir := filepath.Join(t.TempDir(), "image"), t.TempDir()
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.exfat", image).CombinedOutput(); err != nil {
		t.Fatalf("mkfs.exfat: %v\n%s", err, out)
	}
	loop, err := exec.Command("losetup", "-f", "--show", image).Output()
	if err != nil {
		t.Skipf("no loop device to be had: %v", err)
	}
	dev := strings.TrimSpace(string(loop))
	t.Cleanup(func() { _ = exec.Command("losetup", "-d", dev).Run() })
	if out, err := exec.Command("mount.exfat-fuse", dev, dir).CombinedOutput(); err != nil {
		t.Skipf("exFAT cannot be mounted here: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v\n%s", err, out)
		}
	})
	return dir
}

// On a target that does not tell letter case two names may fall onto one. No rule lets one copy of a job replace another;
// what was there before the job is replaced, and not found newer for the target's coarser times.
func TestTargetWithoutLetterCase(t *testing.T) {
	dst, src := exfat(t), t.TempDir()
	for name, text := range map[string]string{"f": "low", "F": "UP", "other": "o"} {
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e := engine.New(engine.Options{})
	run := func(rule engine.Rule) (engine.Result, *engine.Job) {
		t.Helper()
		j, err := e.Start(t.Context(), engine.Request{Sources: []string{src + "/."}, Dest: dst, Rule: rule})
		if err != nil {
			t.Fatal(err)
		}
		j.Leave()
		res, err := j.Wait(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return res, j
	}
	for _, rule := range []engine.Rule{engine.RuleReplace, engine.RuleNewer, engine.RuleSkip} {
		for _, name := range []string{"f", "other"} {
			_ = os.Remove(filepath.Join(dst, name))
		}
		res, j := run(rule)
		if s := j.Snapshot(); res.State != engine.StateWaiting || res.Files != 2 || s.Questions != 1 {
			t.Errorf("rule %d: %v, %d files, %d questions, %d failures; want 2 files and 1 question", rule, res.State, res.Files, s.Questions, s.Failures)
		}
	}
	if err := os.Remove(filepath.Join(src, "F")); err != nil {
		t.Fatal(err)
	}
	if res, _ := run(engine.RuleReplace); res.State != engine.StateDone || res.Files != 2 {
		t.Errorf("replacing what was there: %v, %d files", res.State, res.Files)
	}
	if res, _ := run(engine.RuleNewer); res.State != engine.StateDone || res.Skipped != 2 {
		t.Errorf("newer, once more: %v, %d files, %d skipped", res.State, res.Files, res.Skipped)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
