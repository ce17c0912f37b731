package app

import (
	"os"
	"path/filepath"
	"testing"

	"drover/app/locale"
	"drover/engine/place"
)

func TestChooseStart(t *testing.T) {
	dir := t.TempDir()
	odd := filepath.Join(dir, "odd \xff%20#?")
	if err := os.Mkdir(odd, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "a:b"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, c := range []struct {
		arg, want string
		problem   bool
	}{
		{"", "/home/x", false},
		{odd, odd, false},
		{odd + "/", odd, false},
		{place.FileURI(odd), odd, false},
		{".", dir, false},
		{"a:b", filepath.Join(dir, "a:b"), false}, // it is there, and so no other machine
		{"a:c", "/home/x", true},
		{"file://elsewhere/x", "/home/x", true},
		{filepath.Base(odd), odd, false},
		{file, "/home/x", true},
		{filepath.Join(dir, "none"), "/home/x", true},
		{"sftp://host/x", "/home/x", true},
	} {
		got := chooseStart(c.arg, "/home/x")
		if got.dir != c.want || (got.problem != "") != c.problem {
			t.Errorf("%q: %q, problem %q", c.arg, got.dir, got.problem)
		}
	}
}

// A mistyped command opens no window.
func TestIsNoPlace(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for arg, want := range map[string]bool{
		"": false, ".": false, "..": false, "file": false, "/none": false, "./copx": false, "file:///none": false, "nas:photos": false,
		"copx": true, "copy a": true, "-x": true, "--": true, "--nonsense": true,
	} {
		if isNoPlace(arg) != want {
			t.Errorf("%q: %v", arg, !want)
		}
	}
	for _, args := range [][]string{{"copx"}, {"copx", "a", "b"}, {"--nonsense"}} {
		if status := Main(args); status != 2 {
			t.Errorf("%q: status %d", args, status)
		}
	}
}

func TestQuietLocale(t *testing.T) {
	for _, c := range []struct{ all, messages, lang, wantAll, wantMessages, wantLang string }{
		{"", "", "C", "", "en_US.UTF-8", "C"},
		{"", "", "C.UTF-8", "", "en_US.UTF-8", "C.UTF-8"},
		{"C", "", "de_DE.UTF-8", "", "en_US.UTF-8", "C"},
		{"", "", "", "", "en_US.UTF-8", ""},
		{"", "", "de_DE.UTF-8", "", "", "de_DE.UTF-8"},
		{"", "ja_JP.UTF-8", "C", "", "ja_JP.UTF-8", "C"},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_MESSAGES", c.messages)
		t.Setenv("LANG", c.lang)
		locale.Quiet()
		if a, m, l := os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"); a != c.wantAll || m != c.wantMessages || l != c.wantLang {
			t.Errorf("%+v: LC_ALL %q, LC_MESSAGES %q, LANG %q", c, a, m, l)
		}
	}
}

func TestCrashReportGoesAfterACleanEnd(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	c := catchCrash()
	if _, err := os.Stat(c.path); err != nil {
		t.Fatal(err)
	}
	c.clean()
	left, err := os.ReadDir(filepath.Join(dir, "drover"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
