package place

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/moby/sys/mountinfo"
)

// bench builds what /sys and udev tell about the devices in testdata/mountinfo.
func bench(t *testing.T) hardware {
	t.Helper()
	h := hardware{t.TempDir()}
	file := func(path, text string) {
		must(t, os.MkdirAll(filepath.Dir(h.root+path), 0o700))
		must(t, os.WriteFile(h.root+path, []byte(text), 0o600))
	}
	link := func(to, path string) {
		must(t, os.MkdirAll(filepath.Dir(h.root+path), 0o700))
		must(t, os.Symlink(h.root+to, h.root+path))
	}
	disk := func(name, dir, removable string, parts ...[2]string) {
		dir = "/sys/devices/" + dir + "/block/" + name
		file(dir+"/removable", removable+"\n")
		for _, p := range parts {
			if p[0] != name {
				dir := dir + "/" + p[0]
				file(dir+"/partition", "1\n")
				file(dir+"/dev", p[1]+"\n")
				link(dir, "/sys/class/block/"+p[0])
				link(dir, "/sys/dev/block/"+p[1])
			} else {
				link(dir, "/sys/dev/block/"+p[1])
			}
			file("/dev/"+p[0], "")
		}
	}
	disk("nvme0n1", "pci0000:00/nvme", "0", [2]string{"nvme0n1p2", "259:2"})
	disk("sdb", "pci0000:00/usb1/1-1/host0", "1", [2]string{"sdb1", "8:17"})
	disk("sdc", "pci0000:00/reader/host1", "1", [2]string{"sdc1", "8:33"})
	disk("sdd", "pci0000:00/usb2/2-1/host2", "0", [2]string{"sdd1", "8:50"}) // a disk on USB does not call itself removable
	disk("sde", "pci0000:00/ata1/host3", "0", [2]string{"sde1", "8:49"})
	disk("sr0", "pci0000:00/ata2/host4", "1", [2]string{"sr0", "11:0"})
	disk("dm-1", "virtual", "0", [2]string{"dm-1", "254:1"})
	link("/sys/devices/pci0000:00/nvme/block/nvme0n1/nvme0n1p2", "/sys/devices/virtual/block/dm-1/slaves/nvme0n1p2")
	link("/dev/dm-1", "/dev/mapper/home")
	link("/dev/dm-1", `/dev/disk/by-label/All\x20of\x20us`)
	link("/dev/sdb1", "/dev/disk/by-label/STICK")
	link("/dev/sdd1", `/dev/disk/by-label/Back\x2fup\xff`)
	return h
}

func fixture(t *testing.T) []*mountinfo.Info {
	t.Helper()
	f, err := os.Open("testdata/mountinfo")
	must(t, err)
	defer f.Close()
	table, err := mountinfo.GetMountsFromReader(f, nil)
	must(t, err)
	return table
}

func TestPick(t *testing.T) {
	want := []Mount{
		{Path: "/", Source: "/dev/nvme0n1p2", FSType: "ext4"},
		{Path: "/covered", Name: "covered", Source: "/dev/loop9", FSType: "ext4"},
		{Path: "/data", Name: "Back/up\xff", Source: "/dev/sdd1", FSType: "btrfs", Removable: true},
		{Path: "/home", Name: "All of us", Source: "/dev/mapper/home", FSType: "xfs"},
		{Path: "/home/me/image", Name: "image", Source: "/dev/loop5", FSType: "ext4"},
		{Path: "/home/me/nas", Name: "nas", Source: "me@nas:/data", FSType: "fuse.sshfs", Network: true},
		{Path: "/home/me/under", Name: "under", Source: "/dev/loop7", FSType: "ext4"},
		{Path: "/media/cdrom", Name: "cdrom", Source: "/dev/sr0", FSType: "iso9660", Removable: true, ReadOnly: true},
		{Path: "/media/me/b\u00e4d\xff", Name: "b\u00e4d\xff", Source: "/dev/sde1", FSType: "ext4", Removable: true},
		{Path: "/media/me/card", Name: "card", Source: "/dev/sdc1", FSType: "exfat", Removable: true},
		{Path: "/mnt/auto/share", Name: "share", Source: "nas:/export/a", FSType: "nfs4", Network: true},
		{Path: "/mnt/ram", Name: "ram", Source: "tmpfs", FSType: "tmpfs"},
		{Path: "/mnt/win\\dows\tx", Name: "win\\dows\tx", Source: "//srv/My Docs", FSType: "cifs", Network: true, ReadOnly: true},
		{Path: "/pool", Name: "pool", Source: "pool/data", FSType: "zfs"},
		{Path: "/run/media/me/MY STICK", Name: "STICK", Source: "/dev/sdb1", FSType: "vfat", Removable: true},
		{Path: "/shares/b", Name: "b", Source: "nas:/export/b", FSType: "nfs4", Network: true},
	}
	got := pick(fixture(t), bench(t))
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("missing %+v", want[i])
		case i >= len(want):
			t.Errorf("too many: %+v", got[i])
		case got[i] != want[i]:
			t.Errorf("got  %+v\nwant %+v", got[i], want[i])
		}
	}
}

func TestPickWithoutHardware(t *testing.T) {
	got := pick(fixture(t), hardware{t.TempDir()}) // no udev, no /sys: a container
	if len(got) != 16 || got[0].Path != "/" {
		t.Errorf("got %+v", got)
	}
	if len(pick(nil, machine)) != 0 {
		t.Error("devices in an empty table")
	}
}

func TestRemovable(t *testing.T) {
	h := bench(t)
	for number, want := range map[string]bool{"8:17": true, "8:50": true, "11:0": true, "259:2": false, "254:1": false, "8:49": false, "1:1": false, "": false} {
		if h.removable(number) != want {
			t.Errorf("%s: %v", number, !want)
		}
	}
	// An encrypted stick: what is mounted is made of something that can be pulled out.
	must(t, os.Symlink(h.root+"/sys/devices/pci0000:00/usb1/1-1/host0/block/sdb/sdb1", h.root+"/sys/devices/virtual/block/dm-1/slaves/sdb1"))
	if !h.removable("254:1") {
		t.Error("an encrypted stick is not removable")
	}
	// A circle must not hang it.
	must(t, os.Remove(h.root+"/sys/devices/virtual/block/dm-1/slaves/sdb1"))
	must(t, os.Symlink(h.root+"/sys/devices/virtual/block/dm-1", h.root+"/sys/devices/virtual/block/dm-1/slaves/itself"))
	if h.removable("254:1") {
		t.Error("removable")
	}
}

func TestUnescapeUdev(t *testing.T) {
	for in, want := range map[string]string{"a": "a", `a\x20b`: "a b", `\xff\x5c`: "\xff\\", `\x2`: `\x2`, `a\y`: `a\y`, `\xzz`: `\xzz`} {
		if got := unescapeUdev(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestMountsOfThisMachine(t *testing.T) {
	all, err := Mounts(t.Context())
	must(t, err)
	if len(all) == 0 || all[0].Path != "/" || all[0].Total <= 0 || all[0].Free > all[0].Total || all[0].NotResponding {
		t.Fatalf("got %+v", all)
	}
	for _, m := range all {
		if m.FSType == "proc" || m.FSType == "sysfs" {
			t.Errorf("got %+v", m)
		}
	}
}

func findMount(t *testing.T, path string) (Mount, bool) {
	t.Helper()
	all, err := Mounts(t.Context())
	must(t, err)
	for _, m := range all {
		if m.Path == path {
			return m, true
		}
	}
	return Mount{}, false
}

func TestALoopDeviceComesAndGoes(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to mount")
	}
	dir := t.TempDir()
	image := dir + "/image"
	must(t, os.WriteFile(image, nil, 0o600))
	must(t, os.Truncate(image, 16<<20))
	if out, err := exec.Command("mkfs.ext4", "-qF", "-L", "place test", image).CombinedOutput(); err != nil {
		t.Skipf("no mkfs.ext4: %v %s", err, out)
	}
	point := dir + "/a b\xff\\"
	must(t, os.Mkdir(point, 0o700))
	changes := WatchMounts(t.Context())
	await := func(what string, fits func() bool) {
		t.Helper()
		deadline := time.After(wait)
		for !fits() {
			select {
			case _, ok := <-changes:
				if !ok {
					t.Fatal("closed")
				}
			case <-deadline:
				t.Fatalf("%s: no signal", what)
			}
		}
	}
	if out, err := exec.Command("mount", "-o", "loop", image, point).CombinedOutput(); err != nil {
		t.Skipf("no loop mounts here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = syscall.Unmount(point, syscall.MNT_DETACH) })
	var m Mount
	await("mounted", func() bool {
		var ok bool
		m, ok = findMount(t, point)
		return ok
	})
	if m.FSType != "ext4" || !strings.HasPrefix(m.Source, "/dev/loop") || m.Total <= 0 || m.Total > 16<<20 || m.Free <= 0 || m.Free > m.Total ||
		m.Name != filepath.Base(point) && m.Name != "place test" || m.NotResponding || m.ReadOnly || m.Removable || m.Network {
		t.Errorf("got %+v", m)
	}
	must(t, syscall.Mount("", point, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	if m, ok := findMount(t, point); !ok || !m.ReadOnly {
		t.Errorf("read-only: got %+v", m)
	}
	must(t, syscall.Unmount(point, 0))
	await("unmounted", func() bool {
		_, ok := findMount(t, point)
		return !ok
	})
}

func TestADeadMountIsMarked(t *testing.T) {
	// FUSE without a subtype is no device: it counts only where media are.
	point, err := os.MkdirTemp("/mnt", "place-test-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.Remove(point) })
	hang(t, point)
	for range 2 {
		start := time.Now()
		m, ok := findMount(t, point)
		if d := time.Since(start); d > patience+2*time.Second {
			t.Errorf("took %v", d)
		}
		if !ok || !m.NotResponding || m.Total != 0 {
			t.Errorf("got %+v, %v", m, ok)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience/10)
	defer cancel()
	if _, err := Mounts(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestWatchMountsEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := WatchMounts(ctx)
	<-c // at the start
	cancel()
	deadline := time.After(wait)
	for {
		select {
		case _, ok := <-c:
			if !ok {
				return
			}
		case <-deadline:
			t.Fatal("not closed")
		}
	}
}
