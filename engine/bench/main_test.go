package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The floor is this program calling itself.
func TestMain(m *testing.M) {
	if floorRun(os.Args) {
		return
	}
	// With the race detector a program waits a second at its end unless told otherwise.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestPick(t *testing.T) {
	got, err := pick(sets, "big200,flat5k")
	if err != nil || len(got) != 2 || got[0].name != "big200" || got[1].name != "flat5k" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := pick(sets, "flat5k,none"); err == nil || !strings.Contains(err.Error(), "tree20k") {
		t.Errorf("got %v, want an error that lists the names", err)
	}
	if _, err := pick(sets, usual); err != nil {
		t.Error(err)
	}
}

func TestParse(t *testing.T) {
	var said bytes.Buffer
	o, err := parse([]string{"-rivals", "cp", "-sets", "flat5k"}, false, &said, &said)
	if err != nil {
		t.Fatal(err)
	}
	if o.dir == "" || len(o.filesystems) != 1 || o.filesystems[0] != asIs || !strings.Contains(said.String(), o.dir) {
		t.Errorf("without root: %+v, said %q; want a folder, and a word about it", o, said.String())
	}
	if got := strings.Join(names(o.rivals), " "); got != "drover as-folder cp" {
		t.Errorf("rivals %v", got)
	}
	for _, bad := range [][]string{
		{"-n", "0"},
		{"more"},
		{"-sets", "x"},
		{"-rivals", "x"},
		{"-none"},
		{"-scale", "-1"},
		{"-scale", "9", "-sets", "flat5k"},
		{"-scale", "9", "-features"},
		{"-features", "-rivals", "cp"},
	} {
		if _, err := parse(bad, true, &said, &said); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// Help is no mistake.
func TestHelp(t *testing.T) {
	for _, flag := range []string{"-h", "-help", "--help"} {
		var out, said bytes.Buffer
		if err := run(t.Context(), []string{flag}, &out, &said); err != nil || said.Len() > 0 || !strings.Contains(out.String(), "-scale") {
			t.Errorf("%s: %v, to the one %q, to the other %q", flag, err, out.String(), said.String())
		}
	}
	var out, said bytes.Buffer
	if err := run(t.Context(), []string{"-none"}, &out, &said); err == nil || out.Len() > 0 || !strings.Contains(said.String(), "-scale") {
		t.Errorf("%v, to the one %q, to the other %q", err, out.String(), said.String())
	}
}

func TestParseOfScale(t *testing.T) {
	var said bytes.Buffer
	o, err := parse([]string{"-scale", "2500"}, true, &said, &said)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.sets) != 1 || o.sets[0].files != 2500 || o.rounds != 3 || strings.Join(o.filesystems, " ") != "ext4" || !o.rivals[0].watched {
		t.Errorf("%+v", o)
	}
	o, err = parse([]string{"-scale", "2500", "-n", "9", "-fs", "tmpfs,xfs", "-rivals", "cp"}, true, &said, &said)
	if err != nil || o.rounds != 9 || len(o.filesystems) != 2 || len(o.rivals) != 3 {
		t.Errorf("%+v, %v", o, err)
	}
}

// From the flags to the table, with a script as Drover.
func TestRun(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "copy")
	script := "#!/bin/sh\nshift 2\ncp -a \"$@\" && echo '{\"files\":2500}'\n"
	if err := os.WriteFile(bin, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	var said bytes.Buffer
	dir := t.TempDir()
	if err := run(t.Context(), []string{"-bin", bin, "-dir", dir, "-scale", "1100", "-n", "1"}, &out, &said); err != nil {
		t.Fatal(err, said.String())
	}
	for _, part := range []string{"| scale1100 | as-is |", "| drover | floor | cp |", "files/s in each tenth"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in\n%s", part, out.String())
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
	if err := run(t.Context(), []string{"-bin", "/bin/false", "-dir", dir, "-scale", "10"}, &out, &said); err == nil || !strings.Contains(err.Error(), "scale10 on as-is") {
		t.Errorf("a Drover that fails: %v", err)
	}
}
