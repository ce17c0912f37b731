package change

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// The kernel has no watch to give. The limits are those of a user namespace of our own, so that nobody else is affected.
func TestNoWatchToBeHad(t *testing.T) {
	t.Parallel()
	for limit, want := range map[string]syscall.Errno{"watches": syscall.ENOSPC, "instances": syscall.EMFILE} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			file := "/proc/sys/user/max_inotify_" + limit
			if os.Getenv("CHANGE_TEST_LIMIT") == limit {
				testDeaf(t, file, want)
				return
			}
			if _, err := os.Stat(file); err != nil {
				t.Skip("no limits per namespace here:", err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestNoWatchToBeHad$/^"+limit+"$", "-test.v")
			cmd.Env = append(os.Environ(), "CHANGE_TEST_LIMIT="+limit)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
			}
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Skip("no user namespaces here:", err)
			}
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func testDeaf(t *testing.T, limitFile string, want syscall.Errno) {
	set := func(n string) { must(t, os.WriteFile(limitFile, []byte(n), 0)) }
	set("0")
	dir := t.TempDir() + "/d"
	must(t, os.Mkdir(dir, 0o700))
	h := NewHub()
	w := watch(t, h, dir, quickCheck)
	if err := w.Err(); !errors.Is(err, want) {
		t.Fatalf("Err is %v, want %v", err, want)
	}
	h.Post(dir, create, "a")
	await(t, w, "posts", names(dir+"/a", create))
	touch(t, dir+"/b") // nobody reports it, but the folder's time changes
	await(t, w, "found by comparing", lookAgain)
	must(t, os.RemoveAll(dir))
	await(t, w, "gone", gone)
	must(t, os.Mkdir(dir, 0o700))
	await(t, w, "back", lookAgain)
	if err := w.Err(); !errors.Is(err, want) {
		t.Errorf("Err is %v, want %v", err, want)
	}

	set("100")
	await(t, w, "a watch after all", lookAgain)
	if err := w.Err(); err != nil {
		t.Error(err)
	}
	touch(t, dir+"/c")
	await(t, w, "reports", names(dir+"/c", create))
}

func TestFolderThatMayNotBeRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o300))
	w := watch(t, NewHub(), dir, quickCheck)
	if err := w.Err(); !errors.Is(err, syscall.EACCES) {
		t.Fatalf("Err is %v", err)
	}
	must(t, os.Chmod(dir, 0o700))
	await(t, w, "readable after all", lookAgain)
	if err := w.Err(); err != nil {
		t.Error(err)
	}
}
