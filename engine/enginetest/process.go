package enginetest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Process says as whom and how the rest of a test is to run.
type Process struct {
	User   bool   // as an ordinary user: uid and gid 1000 if the test runs as root, else whoever it runs as
	Groups []int  // further groups of the user; only root can give them
	Umask  string // in octal; "" leaves it
	Deaf   bool   // in a namespace in which the kernel has no inotify to give
}

const processEnv = "DROVER_TEST_PROCESS"

// Ordinary are uid and gid of the ordinary user that root's tests become.
const Ordinary = 1000

// As runs the test that calls it a second time in a process as described. It returns true in that process, which goes on with
// the test, and false in the first one, which has to return: success, failure and skipping are reported there already.
// It must be called before the test makes anything.
func As(t *testing.T, p Process) bool {
	t.Helper()
	if os.Getenv(processEnv) == t.Name() {
		if p.Deaf {
			if err := os.WriteFile("/proc/sys/user/max_inotify_instances", []byte("0"), 0); err != nil {
				t.Skipf("no inotify limits per namespace here: %v", err)
			}
		}
		return true
	}
	out, err := p.command(t).CombinedOutput()
	text := string(out)
	switch {
	case err != nil && len(out) == 0:
		t.Skipf("no such process can be started here: %v", err)
	case err != nil:
		t.Errorf("in a process of its own (%v):\n%s", err, text)
	case strings.Contains(text, "--- SKIP"):
		t.Skipf("in a process of its own:\n%s", text)
	case !strings.Contains(text, "--- PASS"):
		t.Errorf("the process of its own ran no test:\n%s", text)
	case testing.Verbose():
		t.Logf("in a process of its own:\n%s", text)
	}
	return false
}

func (p Process) command(t *testing.T) *exec.Cmd {
	t.Helper()
	var pattern []string
	for part := range strings.SplitSeq(t.Name(), "/") {
		pattern = append(pattern, "^"+regexp.QuoteMeta(part)+"$")
	}
	// The binary lies in a folder that only its maker may enter, so it is handed down open.
	exe, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = exe.Close() })
	umask := p.Umask
	if umask == "" {
		umask = "022"
	}
	cmd := exec.Command("/bin/sh", "-c", `umask "$1"; shift; exec "$@"`, "sh", umask,
		"/proc/self/fd/3", "-test.run="+strings.Join(pattern, "/"), "-test.v", "-test.count=1")
	cmd.ExtraFiles = []*os.File{exe}
	// The race detector sleeps for a second at the end of every process, unless told.
	race := strings.TrimSpace(os.Getenv("GORACE") + " atexit_sleep_ms=0")
	cmd.Env = append(os.Environ(), processEnv+"="+t.Name(), "GORACE="+race)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if p.User {
		p.become(t, cmd)
	}
	if p.Deaf {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	return cmd
}

func (p Process) become(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if os.Geteuid() != 0 {
		if len(p.Groups) > 0 {
			t.Skip("needs root, to become a user of other groups")
		}
		return
	}
	cred := &syscall.Credential{Uid: Ordinary, Gid: Ordinary}
	for _, g := range p.Groups {
		cred.Groups = append(cred.Groups, uint32(g))
	}
	cmd.SysProcAttr.Credential = cred
	dir := WorkDir(t)
	if err := os.Chown(dir, Ordinary, Ordinary); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(cmd.Env, "TMPDIR="+dir, "DROVER_TEST_DIR="+dir, "HOME="+dir)
}

// ParseProcess reads a Process from words: user, groups=7000,7001, umask=077, deaf.
func ParseProcess(words []string) (Process, error) {
	var p Process
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "user":
			p.User = true
		case "umask":
			p.Umask = value
		case "deaf":
			p.Deaf = true
		case "groups":
			for g := range strings.SplitSeq(value, ",") {
				n, err := strconv.Atoi(g)
				if err != nil {
					return p, err
				}
				p.Groups = append(p.Groups, n)
			}
		default:
			return p, fmt.Errorf("%q is not known of a process", w)
		}
	}
	return p, nil
}
