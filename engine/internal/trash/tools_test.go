package trash_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"drover/engine/enginetest"
	"drover/engine/internal/trash"
)

// run runs a program and returns what it says, without the newline.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	enginetest.NeedsProgram(t, program)
	cmd := exec.Command(program, args...)
	cmd.Dir = "/"
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func mkdir(t *testing.T, dir string) string {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	return dir
}

// home makes the programs find the home that the ground has.
func (g *ground) home() {
	g.Helper()
	g.Setenv("XDG_DATA_HOME", g.data)
	g.Setenv("HOME", g.data)
	g.Setenv("LC_ALL", "C.UTF-8")
}

// trash-cli (Debian package trash-cli) lists what was put away, restores it, and empties the trash.
func TestTrashCLI(t *testing.T) {
	enginetest.NeedsProgram(t, "trash-list")
	for _, user := range []bool{false, true} {
		who := map[bool]string{false: "root", true: "user"}[user]
		t.Run("home/"+who, func(t *testing.T) {
			if user && !enginetest.As(t, enginetest.Process{User: true}) {
				return
			}
			trashCLI(homeGround(t))
		})
		for _, shared := range []bool{false, true} {
			t.Run(map[bool]string{false: "own/", true: "shared/"}[shared]+who, func(t *testing.T) {
				top, ok := mountFor(t, user, "ext4", func(top string, uid int) {
					mk(t, top, uid, 0o755)
					if shared {
						mk(t, top+"/.Trash", 0, 0o777|os.ModeSticky)
					}
				})
				if ok {
					g := awayGround(t, top)
					must(t, os.Remove(g.dir+"/f"))
					must(t, os.Mkdir(g.data, 0o700))
					g.open()
					trashCLI(g)
				}
			})
		}
	}
}

func trashCLI(g *ground) {
	g.home()
	t := g.T
	for _, n := range []string{"f", "photo 1.jpg", "100%", "%41", "x.trashinfo", "ä日本", "a=b#c?d", strings.Repeat("x", 255)} {
		enginetest.Build(t, g.dir, enginetest.File(n, "content of "+n), enginetest.File("folder/"+n, "in a folder"))
		file, folder := g.put(n), g.put("folder")
		list := run(t, "trash-list")
		for _, want := range []string{"2026-03-04 12:34:56 " + g.dir + "/" + n, "2026-03-04 12:34:56 " + g.dir + "/folder"} {
			if !slices.Contains(strings.Split(list, "\n"), want) {
				t.Errorf("the list is %q, without %q", list, want)
			}
		}
		for range 2 {
			cmd := exec.Command("trash-restore")
			cmd.Dir, cmd.Stdin = g.dir, strings.NewReader("0\n")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("trash-restore: %v\n%s", err, out)
			}
		}
		for path, want := range map[string]string{n: "content of " + n, "folder/" + n: "in a folder"} {
			if data, err := os.ReadFile(g.dir + "/" + path); string(data) != want {
				t.Errorf("%q came back as %q: %v", path, data, err)
			}
		}
		g.empty()
		is(t, g.bin.Restore(file, g.fd, name("other")), trash.ErrGone)
		is(t, g.bin.Restore(folder, g.fd, name("other")), trash.ErrGone)
		must(t, os.RemoveAll(g.dir+"/folder"))
	}
	tk := g.put("f")
	run(t, "trash-empty")
	is(t, g.bin.Restore(tk, g.fd, name("f")), trash.ErrGone)
	g.empty()
}

// GNOME's trash (Debian package gvfs-daemons) knows of everything where it was and when it was put away, and restores it.
func TestGIO(t *testing.T) {
	enginetest.NeedsProgram(t, "gio")
	enginetest.NeedsProgram(t, "dbus-run-session")
	if _, err := os.Stat("/usr/libexec/gvfsd-trash"); err != nil {
		t.Skipf("no GVfs here: %v", err)
	}
	g := homeGround(t)
	g.home()
	g.Setenv("XDG_RUNTIME_DIR", mkdir(t, g.data+"/run"))
	var entries []enginetest.Entry
	for _, n := range oddNames() {
		entries = append(entries, enginetest.File(n, "content of "+n))
	}
	entries = append(entries, enginetest.File("folder/file", "in a folder"), enginetest.Symlink("link", "nowhere"))
	enginetest.Build(t, g.dir, entries...)
	before := enginetest.Fingerprint(t, g.dir)[1:]
	all, err := os.ReadDir(g.dir)
	must(t, err)
	// The program takes back what the library has escaped in a path only for the screen, and restores it under that name.
	tickets, plain := map[string]trash.Ticket{}, 0
	for _, e := range all {
		tk := g.put(e.Name())
		if shown := gioShows(e.Name()); shown == e.Name() {
			plain++
		} else {
			tickets[e.Name()] = tk
		}
	}
	out := run(t, "dbus-run-session", "--", "sh", "-c", `
		gio list -h -u -a trash::orig-path,trash::deletion-date trash:/// | tee "$XDG_RUNTIME_DIR/list"
		grep -v 'orig-path=.*\\' "$XDG_RUNTIME_DIR/list" | while read -r u rest; do gio trash --restore "$u" && echo restored; done`)
	lines := strings.Split(out, "\n")
	for _, e := range all {
		want := "trash::orig-path=" + gioShows(g.dir+"/"+e.Name())
		if !slices.ContainsFunc(lines, func(l string) bool {
			return strings.HasPrefix(l, "trash:///") && strings.Contains(l, "trash::deletion-date=2026-03-04T12:34:56") && (strings.HasSuffix(l, want) || strings.Contains(l, want+" "))
		}) {
			t.Errorf("%q is not listed, with its time", want)
		}
	}
	if n := strings.Count(out, "\nrestored"); n != plain {
		t.Errorf("gio restored %d of %d", n, plain)
	}
	for n, tk := range tickets {
		g.restore(tk, n)
	}
	if d := enginetest.Diff(before, enginetest.Fingerprint(t, g.dir)[1:], enginetest.All); len(d) > 0 {
		t.Errorf("after coming back:\n\t%s", strings.Join(d, "\n\t"))
	}
	g.empty()
	if t.Failed() {
		t.Logf("gio said:\n%s", out)
	}
}

// gioShows returns a path as gio shows it.
func gioShows(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if c < ' ' || c >= 0x7f || c == '\\' {
			fmt.Fprintf(&b, "\\x%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
