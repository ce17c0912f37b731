package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	r := report{Machine: map[string]string{"kernel": "Linux 6"}, Rounds: 3, LeftOut: []string{"big on ext4 is left out: no room"}}
	programs := []rival{{name: "drover"}, {name: "cp"}, {name: "gio"}}
	r.add("flat5k", "ext4", programs, map[string][]measurement{"drover": ms(70, 80, 90), "cp": ms(100, 100, 100), "gio": ms(160, 160, 160)})
	r.add("tree20k", "ext4", programs, map[string][]measurement{"drover": ms(50, 50, 50), "cp": ms(100, 100, 100)})
	var b bytes.Buffer
	file := filepath.Join(t.TempDir(), "all.json")
	if err := r.write(file, &b); err != nil {
		t.Fatal(err)
	}
	head, table, _ := strings.Cut(b.String(), "\n\n")
	want := `| set | file system | drover | cp | gio |
|---|---|---:|---:|---:|
| flat5k | ext4 | 80 ms | 100 ms, **0.80** (0.75–0.85) | 160 ms, **0.50** (0.47–0.53) |
| tree20k | ext4 | 50 ms | 100 ms, **0.50** (0.50–0.50) | – |
`
	if table != want {
		t.Errorf("got\n%s\nwant\n%s", table, want)
	}
	for _, line := range []string{"- kernel: Linux 6\n", "- big on ext4 is left out: no room\n", "below 1: Drover takes less time"} {
		if !strings.Contains(head, line) {
			t.Errorf("%q is not in\n%s", line, head)
		}
	}
	text, err := os.ReadFile(file)
	var back report
	if err != nil || json.Unmarshal(text, &back) != nil || len(back.Results) != 5 || len(back.Results[0].Runs) != 3 {
		t.Errorf("the file has %s, %v", text, err)
	}
	if err := r.write(filepath.Join(t.TempDir(), "no/such/folder"), &b); err == nil {
		t.Error("a file that cannot be written is no error")
	}
}

// What a feature costs is the time with it divided by the time without.
func TestReportOfFeatures(t *testing.T) {
	r := report{features: true}
	programs := featured("drover-cli")
	r.add("flat5k", "ext4", programs, map[string][]measurement{"quiet": ms(100, 100), "progress": ms(102, 102), "json": ms(101, 101)})
	var b strings.Builder
	if err := r.write("", &b); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"| 100 ms | 102 ms, **1.02** (1.02–1.02) |", "above 1: it costs time"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%q is not in\n%s", part, b.String())
		}
	}
}

func TestReportOfEvenness(t *testing.T) {
	r := report{}
	runs := ms(10000, 20000)
	runs[0].Progress = []progress{{}, {9 * time.Second, 900}, {10 * time.Second, 1000}}
	runs[1].Progress = []progress{{}, {9 * time.Second, 900}, {11 * time.Second, 1000}}
	runs[1].MaxRSS = 7_000_000
	r.add("many", "ext4", []rival{{name: "drover"}}, map[string][]measurement{"drover": runs})
	var b strings.Builder
	if err := r.write("", &b); err != nil {
		t.Fatal(err)
	}
	const want = "| many | ext4 | 100 100 100 100 100 100 100 100 100 75 | **0.75** (0.62–0.88) | 7 MB |\n"
	if !strings.Contains(b.String(), want) {
		t.Errorf("%q is not in\n%s", want, b.String())
	}
}
