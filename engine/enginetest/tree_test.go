package enginetest

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cp -a is the witness: what it says is the same must be the same for the fingerprint.
func TestZooIsSameAfterCopyByCp(t *testing.T) {
	NeedsRoot(t) // others cannot read all of it
	dir := WorkDir(t)
	Build(t, dir+"/a", Zoo(true)...)
	if out, err := exec.Command("cp", "-a", dir+"/a", dir+"/b").CombinedOutput(); err != nil {
		t.Skipf("this cp -a cannot copy it: %v\n%s", err, out)
	}
	Same(t, dir+"/a", dir+"/b", All)
	lines := Fingerprint(t, dir+"/a")
	if len(lines) < 40 {
		t.Errorf("only %d entries", len(lines))
	}
	if d := Diff(lines, Fingerprint(t, dir+"/a"), All); len(d) > 0 {
		t.Errorf("a tree differs from itself: %q", d)
	}
}

func TestDiffSees(t *testing.T) {
	later := time.Unix(1, 1)
	base := []Entry{
		File("d/f", "f").Mtime(time.Unix(1, 0)), File("d/g", "f"), Hardlink("d/h", "d/g"),
		Symlink("d/l", "f"), FIFO("d/p"), Dir("d/e"), Dir("d"),
	}
	for i := range base {
		base[i] = base[i].Mtime(time.Unix(1, 0))
	}
	change := func(i int, e Entry) []Entry {
		out := append([]Entry(nil), base...)
		out[i] = e
		return out
	}
	tests := []struct {
		name, want string
		tree       []Entry
		by         Aspect
	}{
		{"content", `"d/f": content is g, want f`, change(0, File("d/f", "g")), 0},
		{"size", `"d/f": size is 2, want 1`, change(0, File("d/f", "ff")), 0},
		{"mode", `"d/f": mode is 0600, want 0644`, change(0, File("d/f", "f").Mode(0o600)), Modes},
		{"nanosecond", `"d/f": mtime is [1 1], want [1 0]`, change(0, File("d/f", "f").Mtime(later)), Times},
		{"attribute", `"d/f": attributes is [user.a=b], want []`, change(0, File("d/f", "f").Xattr("user.a", "b")), Xattrs},
		{"names", `"d/g": hard link group is 0, want 1`, change(2, File("d/h", "f")), Names},
		{"link text", `"d/l": size is 2, want 1; link text is ./, want f`, change(3, Symlink("d/l", "./")), 0},
		{"kind", `"d/p": kind is 0140000, want 010000`, change(4, Socket("d/p")), 0},
		{"missing", `"d/e" is missing`, change(5, File("d/x", "")), 0},
		{"too much", `"x" is too much`, change(6, File("x", "")), 0},
		{"not asked for", "", change(0, File("d/f", "f").Mode(0o600).Mtime(later)), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := WorkDir(t)
			Build(t, dir+"/a", base...)
			Build(t, dir+"/b", tt.tree...)
			got := strings.Join(Diff(Fingerprint(t, dir+"/a")[1:], Fingerprint(t, dir+"/b")[1:], tt.by), "; ")
			if (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestOwnersCount(t *testing.T) {
	NeedsRoot(t)
	dir := WorkDir(t)
	Build(t, dir+"/a", File("f", ""))
	Build(t, dir+"/b", File("f", "").Owner(1, 2))
	if d := Diff(Fingerprint(t, dir+"/a"), Fingerprint(t, dir+"/b"), Owners); len(d) != 1 || !strings.Contains(d[0], "owner is 1:2") {
		t.Error(d)
	}
}

func TestDeepTreeHasAFingerprint(t *testing.T) {
	dir := WorkDir(t)
	Deep(t, dir, strings.Repeat("x", 200), 100, File("end", "e"))
	lines := Fingerprint(t, dir)
	last := lines[len(lines)-1]
	if len(lines) != 102 || last.Text != "e" || len(last.Path) != 100*201+3 {
		t.Errorf("%d lines, the last %d bytes long: %q", len(lines), len(last.Path), last.Text)
	}
}

func TestSparseHasHoles(t *testing.T) {
	dir := WorkDir(t)
	Build(t, dir, Sparse("s", 64<<20, 32<<20))
	for _, l := range Fingerprint(t, dir)[1:] {
		if l.Size != 64<<20 || l.Blocks*512 > 1<<20 {
			t.Errorf("size %d, %d blocks", l.Size, l.Blocks)
		}
	}
}

func TestUnreadableIsReported(t *testing.T) {
	if !As(t, Process{User: true}) {
		return
	}
	dir := WorkDir(t)
	Build(t, dir, File("f", "f").Mode(0), File("d/x", "x"), Dir("d").Mode(0))
	found := 0
	for _, l := range Fingerprint(t, dir) {
		if l.Err != nil {
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d unreadable entries, want 2", found)
	}
}

func TestManyNamesThem(t *testing.T) {
	dir := WorkDir(t)
	names := Many(t, dir, 1001, 3)
	var st syscall.Stat_t
	if err := syscall.Stat(dir+"/"+names[1000], &st); err != nil || st.Size != 3 {
		t.Error(err, st.Size)
	}
}
