package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The floor is this program calling itself.
func TestMain(m *testing.M) {
	if floorRun(os.Args) {
		return
	}
	os.Exit(m.Run())
}

func TestSpread(t *testing.T) {
	tests := []struct {
		of   []float64
		want spread
	}{
		{[]float64{3}, spread{3, 3, 3}},
		{[]float64{4, 1}, spread{1.75, 2.5, 3.25}},
		{[]float64{5, 1, 4, 2, 3}, spread{2, 3, 4}},
		{[]float64{100, 1, 1, 1, 1}, spread{1, 1, 1}},
	}
	for _, tt := range tests {
		if got := spreadOf(tt.of); got != tt.want {
			t.Errorf("spreadOf(%v) = %v, want %v", tt.of, got, tt.want)
		}
	}
	if got := spreadOf(nil); !math.IsNaN(got.Median) {
		t.Errorf("spreadOf(nil) = %v, want no number", got)
	}
}

func ms(of ...int) []measurement {
	var out []measurement
	for _, v := range of {
		out = append(out, measurement{Wall: time.Duration(v) * time.Millisecond})
	}
	return out
}

// A slow moment of the machine that hits both sides of a pair must not show.
func TestRatiosArePairwise(t *testing.T) {
	got := spreadOf(ratios(ms(50, 500, 60), ms(100, 1000, 120)))
	if want := (spread{0.5, 0.5, 0.5}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSetsAreReproducible(t *testing.T) {
	tests := []struct {
		name  string
		write func(string) error
		files int
		bytes int64 // 0: only > 0
	}{
		{"flat", func(d string) error { return makeFlat(d, 30, 4096) }, 30, 30 * 4096},
		{"tree", func(d string) error { return makeTree(d, 2, 3, 5) }, 30, 0},
		{"big", func(d string) error { return makeBig(d, 3, 5<<20) }, 3, 15 << 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := t.TempDir(), t.TempDir()
			if err := errors.Join(tt.write(a), tt.write(b)); err != nil {
				t.Fatal(err)
			}
			if err := sameTree(a, b); err != nil {
				t.Error("made twice, it differs:", err)
			}
			files, bytes := count(t, a)
			if files != tt.files || bytes == 0 || (tt.bytes > 0 && bytes != tt.bytes) {
				t.Errorf("%d files with %d bytes, want %d with %d", files, bytes, tt.files, tt.bytes)
			}
		})
	}
}

func count(t *testing.T, dir string) (files int, bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		i, err := d.Info()
		files++
		bytes += i.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, bytes
}

func TestSameTreeSeesDifferences(t *testing.T) {
	tests := []struct {
		name   string
		change func(dir string) error
	}{
		{"missing", func(d string) error { return os.Remove(d + "/d01/e01/f001.txt") }},
		{"additional", func(d string) error { return os.WriteFile(d+"/d01/x", nil, 0o644) }},
		{"shorter", func(d string) error { return os.Truncate(d+"/d01/e01/f001.txt", 1) }},
		{"mode", func(d string) error { return os.Chmod(d+"/d01/e01/f001.txt", 0o600) }},
		{"last byte", func(d string) error {
			b, err := os.ReadFile(d + "/d01/e01/f001.txt")
			if err != nil {
				return err
			}
			b[len(b)-1]++
			return os.WriteFile(d+"/d01/e01/f001.txt", b, 0o644)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := t.TempDir(), t.TempDir()
			if err := errors.Join(makeTree(a, 2, 2, 2), makeTree(b, 2, 2, 2), tt.change(b)); err != nil {
				t.Fatal(err)
			}
			if sameTree(a, b) == nil {
				t.Error("not seen")
			}
		})
	}
}

var tiny = set{name: "tiny", bytes: 30 * 4096, files: 30, small: true, write: func(d string) error { return makeTree(d, 2, 3, 5) }}

// program writes a script that stands for a copier. It is called as "NAME SRC DST".
func program(t *testing.T, name, script string) rival {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return rival{name: name, program: file, command: func(src, dst string) []string { return []string{file, src, dst} }}
}

func newMatch(t *testing.T, rivals ...rival) (m *match, grounds *[]string) {
	work := t.TempDir()
	grounds = new([]string)
	return &match{
		set: tiny, rivals: rivals, rounds: 3, state: filepath.Join(work, "state"), tell: func(int) {},
		ground: func(ctx context.Context) (*ground, error) {
			g, err := newGround(ctx, asIs, work, tiny.room(len(rivals)))
			if err == nil {
				*grounds = append(*grounds, g.dir)
			}
			return g, err
		},
	}, grounds
}

func TestMatch(t *testing.T) {
	for name, grounds := range map[string]int{"small files": 4, "big files": 1} { // with three rounds and one not counted
		t.Run(name, func(t *testing.T) {
			filesOnly := program(t, "flat", "exit 1")
			filesOnly.filesOnly = true
			m, made := newMatch(t, program(t, "drover", `exec cp -r "$1" "$2"`), program(t, "other", `exec cp -a "$1" "$2"`), filesOnly)
			m.set.small = grounds > 1
			series, err := m.play(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(series["drover"]) != 3 || len(series["other"]) != 3 || len(series["flat"]) != 0 {
				t.Errorf("series %v, want 3 for each program that can copy folders", series)
			}
			for name, runs := range series {
				for _, r := range runs {
					if r.Wall <= 0 || r.MaxRSS <= 0 {
						t.Errorf("%s: %+v", name, r)
					}
				}
			}
			if len(*made) != grounds {
				t.Errorf("%d grounds, want %d", len(*made), grounds)
			}
			for _, g := range *made {
				if _, err := os.Lstat(g); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s was left behind: %v", g, err)
				}
			}
		})
	}
}

func TestMatchRefusesBadCopies(t *testing.T) {
	for name, script := range map[string]string{
		"fails":   `cp -r "$1" "$2"; echo no luck >&2; exit 3`,
		"forgets": `cp -r "$1" "$2"; rm "$2"/*/d00/e00/f000.txt`,
	} {
		t.Run(name, func(t *testing.T) {
			m, grounds := newMatch(t, program(t, name, script))
			_, err := m.play(t.Context())
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v, want an error that names the program", err)
			}
			if entries, _ := os.ReadDir(filepath.Dir((*grounds)[0])); len(entries) != 1 { // the home of the programs
				t.Errorf("left behind: %v", entries)
			}
		})
	}
}

func TestRivalsCopyWhole(t *testing.T) {
	for _, r := range rivals {
		t.Run(r.name, func(t *testing.T) {
			if _, err := exec.LookPath(r.program); err != nil {
				t.Skip(err)
			}
			m, _ := newMatch(t, r)
			m.rounds = 0
			if r.filesOnly {
				m.set = set{name: "flat", bytes: 2000, flat: true, write: func(d string) error { return makeFlat(d, 20, 100) }}
			}
			if _, err := m.play(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

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
			g, err := newGround(t.Context(), kind, work, tiny.room(1))
			if err != nil {
				t.Skip("mounting is not possible here:", err)
			}
			if err := os.WriteFile(g.path("file"), []byte("x"), 0o644); err != nil {
				t.Error(err)
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

func TestReport(t *testing.T) {
	r := report{Machine: map[string]string{"kernel": "Linux 6"}, Rounds: 3}
	programs := []rival{{name: "drover"}, {name: "cp"}, {name: "gio"}}
	r.add("flat5k", "ext4", programs, map[string][]measurement{"drover": ms(70, 80, 90), "cp": ms(100, 100, 100), "gio": ms(160, 160, 160)})
	r.add("tree20k", "ext4", programs, map[string][]measurement{"drover": ms(50, 50, 50), "cp": ms(100, 100, 100)})
	var b bytes.Buffer
	if err := r.markdown(&b); err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(b.String(), "\n\n")
	want := `| set | file system | drover | cp | gio |
|---|---|---:|---:|---:|
| flat5k | ext4 | 80 ms | 100 ms, **0.80** (0.75–0.85) | 160 ms, **0.50** (0.47–0.53) |
| tree20k | ext4 | 50 ms | 100 ms, **0.50** (0.50–0.50) | – |
`
	if table != want {
		t.Errorf("got\n%s\nwant\n%s", table, want)
	}
	if !strings.Contains(b.String(), "- kernel: Linux 6\n") {
		t.Errorf("nothing is said of the machine:\n%s", b.String())
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestPick(t *testing.T) {
	got, err := pick(sets, "big200,flat5k")
	if err != nil || len(got) != 2 || got[0].name != "big200" || got[1].name != "flat5k" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := pick(sets, "flat5k,none"); err == nil || !strings.Contains(err.Error(), "tree20k") {
		t.Errorf("got %v, want an error that lists the names", err)
	}
}

func TestParse(t *testing.T) {
	var said bytes.Buffer
	o, err := parse([]string{"-rivals", "cp", "-sets", "flat5k"}, false, &said)
	if err != nil {
		t.Fatal(err)
	}
	if o.dir == "" || len(o.filesystems) != 1 || o.filesystems[0] != asIs || !strings.Contains(said.String(), o.dir) {
		t.Errorf("without root: %+v, said %q; want a folder, and a word about it", o, said.String())
	}
	if len(o.rivals) != 2 || o.rivals[0].name != "drover" {
		t.Errorf("rivals %v, want drover first", o.rivals)
	}
	for _, bad := range [][]string{{"-n", "0"}, {"more"}, {"-sets", "x"}, {"-rivals", "x"}, {"-none"}} {
		if _, err := parse(bad, true, &said); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestTenths(t *testing.T) {
	seen := []progress{{}, {time.Second, 100}, {2 * time.Second, 500}, {4 * time.Second, 900}, {6 * time.Second, 1000}, {7 * time.Second, 1000}}
	first, last := tenths(seen)
	if first != 100 || last != 50 {
		t.Errorf("%v and %v files/s instead of 100 and 50", first, last)
	}
}

func TestScaleTellsMemoryAndRate(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can mount")
	}
	bin := filepath.Join(t.TempDir(), "copy")
	script := "#!/bin/sh\ncp -r $3 $4 && echo '{\"files\":2500}'\n"
	if err := os.WriteFile(bin, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := scale(t.Context(), bin, t.TempDir(), 2500, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "2500 empty files") || !strings.Contains(out.String(), "MB of memory") {
		t.Error(out.String())
	}
}
