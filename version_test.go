package main_test

import (
	"os"
	"regexp"
	"testing"
)

// CHANGELOG.md is where a version is decided; what else must name it names the same.
func TestVersionsAgree(t *testing.T) {
	want := versionIn(t, "CHANGELOG.md", `(?m)^## (\d+\.\d+\.\d+)`)
	if got := versionIn(t, "FyneApp.toml", `(?m)^Version = "(.*)"`); got != want {
		t.Errorf("FyneApp.toml says %s, CHANGELOG.md %s", got, want)
	}
}

func versionIn(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s names no version", file)
	}
	return string(m[1])
}
