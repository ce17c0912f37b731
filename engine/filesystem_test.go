package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// Everything that there is arrives with everything that it has, on every file system, within one and between two, and with every
// technique; and a second time over what is there then.
func TestFidelity(t *testing.T) {
	enginetest.NeedsRoot(t)
	pairs := [][2]string{{"ext4", "ext4"}, {"xfs", "xfs"}, {"btrfs", "btrfs"}, {"tmpfs", "tmpfs"}, {"ext4", "btrfs"}, {"tmpfs", "xfs"}, {"xfs", "ext4"}, {"btrfs", "tmpfs"}}
	for _, pair := range pairs {
		t.Run(pair[0]+" to "+pair[1], func(t *testing.T) {
			dir := enginetest.WorkDir(t)
			from, to := dir+"/from", dir+"/from"
			enginetest.MountKind(t, from, pair[0])
			if pair[0] != pair[1] {
				to = dir + "/to"
				enginetest.MountKind(t, to, pair[1])
			}
			enginetest.Build(t, from+"/src", enginetest.Zoo(true)...)
			for _, reflink := range []engine.Reflink{engine.ReflinkAuto, engine.ReflinkNever} {
				dst := to + "/dst" + string('0'+rune(reflink))
				enginetest.Build(t, to, enginetest.Dir(filepath.Base(dst)))
				e := newEngine(t, 3)
				req := engine.Request{Sources: []string{from + "/src"}, Dest: dst, Reflink: reflink, Rule: engine.RuleReplace}
				for run := range 2 {
					j := start(t, e, req)
					if r := wait(t, j); r.State != engine.StateDone {
						t.Fatalf("%+v", r)
					}
					for _, f := range j.Failures(0, 100) {
						t.Errorf("run %d: %v", run, f)
					}
					for _, w := range j.Warnings() {
						t.Errorf("run %d: %+v", run, w)
					}
					by := enginetest.All
					if run == 1 {
						by &^= enginetest.Times // of folders that were there
					}
					enginetest.Same(t, from+"/src", dst+"/src", by)
				}
				for _, l := range enginetest.Fingerprint(t, dst+"/src/holes") {
					if l.Path != "" && l.Blocks*512 > 64<<10 {
						t.Errorf("%s takes %d bytes", l.Path, l.Blocks*512)
					}
				}
			}
		})
	}
}

// Many names of one file become many names of one file, whoever copies which of them (C10).
func TestManyHardLinks(t *testing.T) {
	dir := enginetest.WorkDir(t)
	src := []enginetest.Entry{enginetest.Random("0/f", 100_000)}
	for i := range 500 {
		src = append(src, enginetest.Hardlink(strings.Repeat("d/", i%7)+"n"+strings.Repeat("x", i/7), "0/f"))
	}
	enginetest.Build(t, dir+"/src", src...)
	enginetest.Build(t, dir, enginetest.Dir("dst"))
	for range 5 {
		e := newEngine(t, 4)
		j := start(t, e, engine.Request{Sources: []string{dir + "/src"}, Dest: dir + "/dst", Rule: engine.RuleReplace})
		if r := wait(t, j); r.State != engine.StateDone || r.Files != 1 || r.Links != 500 {
			t.Fatalf("%+v", r)
		}
		enginetest.Same(t, dir+"/src", dir+"/dst/src", enginetest.Names)
	}
}
