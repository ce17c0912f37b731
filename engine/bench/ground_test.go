package main

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

func TestFreshFileSystems(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can mount")
	}
	for _, kind := range []string{"tmpfs", "ext4", "xfs", "btrfs"} {
		t.Run(kind, func(t *testing.T) {
			if _, err := exec.LookPath("mkfs." + kind); kind != "tmpfs" && err != nil {
				t.Skip(err)
			}
			work := t.TempDir()
			r := room{tiny.room(1), 100_000} // more than mkfs.ext4 would make inodes
			g, err := newGround(t.Context(), kind, work, r)
			if err != nil {
				t.Skip("mounting is not possible here:", err)
			}
			if err := os.WriteFile(g.path("file"), []byte("x"), 0o644); err != nil {
				t.Error(err)
			}
			var at syscall.Statfs_t
			if err := syscall.Statfs(g.dir, &at); err != nil || at.Files > 0 && at.Files < uint64(r.inodes) {
				t.Errorf("%d inodes, %v", at.Files, err)
			}
			if err := errors.Join(g.flush(t.Context()), g.free()); err != nil {
				t.Error(err)
			}
			if entries, _ := os.ReadDir(work); len(entries) > 0 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
}

func TestUnknownFileSystem(t *testing.T) {
	work := t.TempDir()
	if _, err := newGround(t.Context(), "floppy", work, room{}); err == nil {
		t.Error("made")
	}
	if entries, _ := os.ReadDir(work); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}
