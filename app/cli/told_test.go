package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"drover/engine/enginetest"
)

// outcomeOf runs drover-cli in dir and returns what it printed and its exit status.
func outcomeOf(t *testing.T, cmd *exec.Cmd) (out, diagnosis string, status int) {
	t.Helper()
	var o, d bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &d
	status, err := statusOf(cmd.Run())
	if err != nil {
		t.Fatalf("%v\n%s%s", err, &o, &d)
	}
	return o.String(), d.String(), status
}

// What a target cannot keep is told once for each kind, however many files it concerns, with one of them as an example; the data are
// there and the exit status says so (C10, F12).
func TestWarningsAreToldOnce(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	var src []enginetest.Entry
	for i := range 20 {
		name := fmt.Sprintf("f%02d", i)
		src = append(src, enginetest.File(name, "text").Owner(1234, 2345).Mode(0o640).Xattr("user.k", "v"), enginetest.Hardlink(name+"-too", name))
	}
	enginetest.Build(t, dir+"/s", src...)
	enginetest.Fuse(t, dir+"/back", dir+"/d", enginetest.NoOwner(syscall.EPERM), enginetest.NoMode(syscall.EPERM), enginetest.NoTimes(syscall.EPERM),
		enginetest.NoLinks(), enginetest.NoXattrs())
	_, diagnosis, status := outcomeOf(t, command(t, dir, "copy", "s/.", "d"))
	if status != 0 {
		t.Errorf("exit status %d\n%s", status, diagnosis)
	}
	for _, text := range []string{
		"no hard links: 20 items are stored as separate files", "Owner or group could not be kept for 40 items",
		"Permissions could not be kept for 40 items", "Times could not be kept for 40 items", "Extended attributes could not be kept for 40 items",
	} {
		if strings.Count(diagnosis, text) != 1 {
			t.Errorf("%q is not told once", text)
		}
	}
	if n := strings.Count(diagnosis, "\n"); n != 10 || t.Failed() {
		t.Errorf("%d lines:\n%s", n, diagnosis)
	}
	enginetest.Same(t, dir+"/s", dir+"/back", 0)

	out, _, status := outcomeOf(t, command(t, dir, "copy", "--json", "--conflict", "replace", "s/.", "d"))
	done, err := checkContract(out)
	if err != nil || status != 0 || len(done["warnings"].([]any)) != 5 || len(done["errors"].([]any)) != 0 {
		t.Errorf("exit status %d, %v, %v", status, done, err)
	}
}

// lied runs "drover-cli copy --json s d" in dir while strace answers a call in place of the kernel.
func lied(t *testing.T, dir, inject string) (done map[string]any, status int) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace here, to answer in place of the kernel")
	}
	if out, err := exec.Command(strace, "-qq", "-o", "/dev/null", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %v %s", err, out)
	}
	cmd := command(t, dir)
	self := dir + "/drover-cli" // the name by which it knows what it is
	if err := os.Symlink(cmd.Path, self); err != nil {
		t.Fatal(err)
	}
	call, _, _ := strings.Cut(inject, ":")
	cmd.Path = strace
	cmd.Args = []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", "inject=" + inject, self, "copy", "--json", "s", "d"}
	out, diagnosis, status := outcomeOf(t, cmd)
	done, err = checkContract(out)
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, diagnosis)
	}
	return done, status
}

// offloaded is a tree of files as they are cloned, or copied by the kernel, in different ways.
func offloaded(t *testing.T) (dir string) {
	t.Helper()
	dir = enginetest.WorkDir(t)
	enginetest.Build(t, dir, enginetest.Random("s/small", 5000), enginetest.Random("s/big", 4<<20), enginetest.Random("s/huge", 48<<20),
		enginetest.File("s/empty", ""), enginetest.Sparse("s/holes", 4<<20, 0, 1<<20), enginetest.Dir("d"))
	return dir
}

// A kernel or file system that refuses to clone, or to copy a range, whatever it says, costs nothing but the call: the next technique
// takes over and nobody hears of it (D5).
func TestKernelThatRefuses(t *testing.T) {
	for call, errnos := range map[string][]string{
		"ioctl":           {"EOPNOTSUPP", "EXDEV", "EINVAL", "ENOTTY", "ETXTBSY", "EPERM", "ENOSYS"},
		"copy_file_range": {"EOPNOTSUPP", "EXDEV", "EINVAL", "ETXTBSY", "EPERM", "ENOSYS", "EBADF", "EIO"},
	} {
		for _, errno := range errnos {
			t.Run(call+" "+errno, func(t *testing.T) {
				dir := offloaded(t)
				done, status := lied(t, dir, call+":error="+errno)
				if status != 0 || done["state"] != "done" || len(done["errors"].([]any))+len(done["warnings"].([]any)) > 0 {
					t.Errorf("exit status %d, %v", status, done)
				}
				enginetest.Same(t, dir+"/s", dir+"/d/s", enginetest.All)
			})
		}
	}
}

// The kernel says that it has cloned a file and has done nothing, or less (OpenZFS did so once): that is an error of this file, and no
// shorter one stands in its place, under its own name or another (D6).
func TestKernelThatClaimsToHaveCloned(t *testing.T) { claims(t, offloaded(t), "ioctl:retval=0", 4) }

// claims lets the kernel say something that is not true of n files; only the empty one is right.
func claims(t *testing.T, dir, inject string, n int) {
	t.Helper()
	done, status := lied(t, dir, inject)
	if status != 1 || done["state"] != "done" || len(done["errors"].([]any)) != n {
		t.Errorf("exit status %d, %v", status, done)
	}
	list, err := os.ReadDir(dir + "/d/s")
	if err != nil || len(list) != 1 {
		t.Errorf("%d entries, %v", len(list), err)
	}
	for _, e := range list {
		want, err := os.ReadFile(filepath.Join(dir, "s", e.Name()))
		if err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "d/s", e.Name())); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s has %d bytes instead of %d, %v", e.Name(), len(got), len(want), err)
		}
	}
}

// A capability that a user may not give to his copy is told of, once, if he asked for attributes by name; an item that loses two counts
// once. By default it is not: nobody expects that of him (F, capability).
func TestLostCapabilityIsTold(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	const netRaw = "\x01\x00\x00\x02\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" // cap_net_raw+ep
	program := func(name string) enginetest.Entry {
		return enginetest.File(name, "text").Mode(0o755).Xattr("security.capability", netRaw).Xattr("user.k", "v")
	}
	enginetest.Build(t, dir, program("s/a"), program("s/b").Xattr("security.drover", "v"), enginetest.File("s/c", "c"), enginetest.Dir("d"))
	for _, name := range []string{"", "/d"} {
		if err := os.Lchown(dir+name, enginetest.Ordinary, enginetest.Ordinary); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--preserve", "xattr"}, "Extended attributes could not be kept for 2 items"},
		{[]string{"--preserve", "all"}, "Extended attributes could not be kept for 2 items"},
		{nil, ""},
		{[]string{"--preserve", "mode"}, ""},
	} {
		args := append([]string{"copy", "--conflict", "replace"}, tt.flags...)
		_, diagnosis, status := outcomeOf(t, asUser(t, command(t, dir, append(args, "s/.", "d")...)))
		if status != 0 || strings.Count(diagnosis, "Extended attributes") != strings.Count(tt.want, "Extended attributes") || !strings.Contains(diagnosis, tt.want) {
			t.Errorf("%q: status %d\n%s", tt.flags, status, diagnosis)
		}
	}
}
