package sys_test

import (
	"os"
	"strings"
	"testing"

	"drover/engine/enginetest"
	"drover/engine/internal/sys"
)

// Two mounts of one file system have one device number and two mount numbers.
func TestMountID(t *testing.T) {
	dir, fd := folder(t, enginetest.Dir("d"), enginetest.File("f", ""))
	enginetest.Bind(t, dir+"/d", dir+"/bound")
	at := func(path string) int {
		id, err := sys.MountID(open(t, path))
		must(t, err)
		return id
	}
	file, err := sys.Handle(fd, name("f"))
	must(t, err)
	defer sys.Close(file)
	own, err := sys.MountID(file)
	must(t, err)
	if at(dir) != own || at(dir+"/d") != own || at(dir+"/bound") == own {
		t.Errorf("%d: %d, %d, bound %d", own, at(dir), at(dir+"/d"), at(dir+"/bound"))
	}
	if _, err := sys.MountID(9999); err == nil {
		t.Error("a mount of no descriptor")
	}
}

func TestFolderPath(t *testing.T) {
	dir, _ := folder(t, enginetest.Dir("a/x (deleted)"), enginetest.Dir("gone"), enginetest.Symlink("l", "a"), enginetest.Dir("\xff\n"))
	for from, want := range map[string]string{"/a/x (deleted)": "/a/x (deleted)", "/l/x (deleted)": "/a/x (deleted)", "/\xff\n": "/\xff\n"} {
		if got, ok := sys.FolderPath(open(t, dir+from)); !ok || got != dir+want {
			t.Errorf("%q: %q %v", from, got, ok)
		}
	}
	gone := open(t, dir+"/gone")
	must(t, os.Remove(dir+"/gone"))
	if got, ok := sys.FolderPath(gone); ok {
		t.Errorf("a removed folder is at %q", got)
	}
	must(t, os.Mkdir(dir+"/gone (deleted)", 0o700)) // what the kernel calls it is another one now
	if got, ok := sys.FolderPath(gone); ok {
		t.Errorf("a removed folder is at %q", got)
	}
	deep := open(t, dir)
	for range 20 {
		n := name(strings.Repeat("d", 250))
		must(t, sys.Mkdir(deep, n, 0o700))
		next, err := sys.OpenDir(deep, n, false)
		must(t, err)
		t.Cleanup(func() { _ = sys.Close(next) })
		deep = next
	}
	if got, ok := sys.FolderPath(deep); ok {
		t.Errorf("a path of %d bytes", len(got))
	}
	if _, ok := sys.FolderPath(9999); ok {
		t.Error("the path of no descriptor")
	}
}
