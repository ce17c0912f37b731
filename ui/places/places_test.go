package places

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/moby/sys/mountinfo"
)

func TestUserFolders(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, ".config")
	for _, d := range []string{".config", "Desktop", "Bilder", "Downloads"} {
		if err := os.Mkdir(filepath.Join(home, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	set := "# comment\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\nXDG_DESKTOP_DIR=\"$HOME/\"\nXDG_MUSIC_DIR=\"/nowhere\"\nXDG_VIDEOS_DIR=\"relative\"\n"
	if err := os.WriteFile(filepath.Join(config, "user-dirs.dirs"), []byte(set), 0o644); err != nil {
		t.Fatal(err)
	}
	want := []Place{
		{Kind: Home, Dir: home},
		{Kind: Downloads, Dir: filepath.Join(home, "Downloads"), Name: "Downloads"},
		{Kind: Pictures, Dir: filepath.Join(home, "Bilder"), Name: "Bilder"},
	}
	if got := userFolders(home, config); !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestDevices(t *testing.T) {
	mounts := []*mountinfo.Info{
		{Mountpoint: "/", Source: "/dev/sda2", FSType: "ext4", Root: "/"},
		{Mountpoint: "/boot/efi", Source: "/dev/sda1", FSType: "vfat", Root: "/"},
		{Mountpoint: "/proc", Source: "proc", FSType: "proc", Root: "/"},
		{Mountpoint: "/snap/core/1", Source: "/dev/loop1", FSType: "squashfs", Root: "/"},
		{Mountpoint: "/data", Source: "/dev/sdb1", FSType: "xfs", Root: "/"},
		{Mountpoint: "/srv/bind", Source: "/dev/sdb1", FSType: "xfs", Root: "/sub"},
		{Mountpoint: "/home", Source: "/dev/sdc1", FSType: "btrfs", Root: "/@home"},
		{Mountpoint: "/nfs", Source: "nas:/export", FSType: "nfs4", Root: "/"},
		{Mountpoint: "/run/media/a/USB \xff", Source: "/dev/sdd1", FSType: "exfat", Root: "/"},
		{Mountpoint: "/run/user/1000", Source: "tmpfs", FSType: "tmpfs", Root: "/"},
		{Mountpoint: "/data2", Source: "/dev/sdb1", FSType: "xfs", Root: "/"},
	}
	var got []string
	for _, p := range devices(mounts) {
		got = append(got, p.Dir)
	}
	want := []string{"/", "/run/media/a/USB \xff", "/data", "/home", "/nfs"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWithin(t *testing.T) {
	list := []Place{{Dir: "/home/a"}, {Dir: "/"}, {Dir: "/home/a/Pictures"}}
	for dir, want := range map[string]int{"/home/a": 0, "/home/a/x": 0, "/home/ab": 1, "/home/a/Pictures/2026": 2} {
		if got := Within(list, dir); got != want {
			t.Errorf("%s is in %d, want %d", dir, got, want)
		}
	}
}

func TestFollowEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	shown := make(chan []Place, 10)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Follow(ctx, func(_, devices []Place) { shown <- devices })
	}()
	limit := time.After(10 * time.Second)
	select {
	case d := <-shown:
		if len(d) == 0 || d[0].Dir != "/" || d[0].Total == 0 {
			t.Errorf("devices %+v", d)
		}
	case <-limit:
		t.Fatal("no places")
	}
	cancel()
	select {
	case <-ended:
	case <-limit:
		t.Fatal("it goes on")
	}
}
