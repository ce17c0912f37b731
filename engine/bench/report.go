package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// report is everything that was measured; as JSON it is what later runs are compared with.
type report struct {
	Machine map[string]string `json:"machine"`
	Rounds  int               `json:"rounds"`
	Results []result          `json:"results"`
}

// A result is one program on one set and file system.
type result struct {
	Set     string        `json:"set"`
	FS      string        `json:"fs"`
	Program string        `json:"program"`
	MS      spread        `json:"milliseconds"`
	Ratio   spread        `json:"drover_to_program"` // below 1: Drover takes less time
	Runs    []measurement `json:"runs"`
}

// add takes in the series of one match. The first of the rivals is Drover.
func (r *report) add(set, fs string, rivals []rival, series map[string][]measurement) {
	ours := series[rivals[0].name]
	for _, v := range rivals {
		runs := series[v.name]
		if len(runs) == 0 {
			continue
		}
		r.Results = append(r.Results, result{set, fs, v.name, spreadOf(walls(runs)), spreadOf(ratios(ours, runs)), runs})
	}
}

// markdown writes the table that BENCHMARKING.md shows: a line for each set and file system, a column for each program.
func (r *report) markdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, k := range []string{"drover", "kernel", "cpu", "cores", "memory", "cp", "rsync", "tar", "gio"} {
		if v := r.Machine[k]; v != "" {
			fmt.Fprintf(b, "- %s: %s\n", k, v)
		}
	}
	fmt.Fprintf(b, "- %d rounds; in brackets the middle half of the ratios; a ratio below 1: Drover takes less time\n\n", r.Rounds)

	type row struct{ set, fs string }
	var rows []row
	var programs []string
	cells := map[row]map[string]string{}
	for _, v := range r.Results {
		k := row{v.Set, v.FS}
		if cells[k] == nil {
			rows = append(rows, k)
			cells[k] = map[string]string{}
		}
		if !slices.Contains(programs, v.Program) {
			programs = append(programs, v.Program)
		}
		cells[k][v.Program] = v.cell()
	}
	fmt.Fprintf(b, "| set | file system | %s |\n|---|---|%s\n", strings.Join(programs, " | "), strings.Repeat("---:|", len(programs)))
	for _, k := range rows {
		fmt.Fprintf(b, "| %s | %s |", k.set, k.fs)
		for _, p := range programs {
			fmt.Fprintf(b, " %s |", cmp.Or(cells[k][p], "–"))
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}

func (v result) cell() string {
	if v.Program == "drover" {
		return fmt.Sprintf("%.0f ms", v.MS.Median)
	}
	return fmt.Sprintf("%.0f ms, **%.2f** (%.2f–%.2f)", v.MS.Median, v.Ratio.Median, v.Ratio.Low, v.Ratio.High)
}

// machine describes where the figures come from.
func machine(ctx context.Context, bin string) map[string]string {
	m := map[string]string{
		"cores":  fmt.Sprint(runtime.NumCPU()),
		"cpu":    field("/proc/cpuinfo", "model name"),
		"memory": field("/proc/meminfo", "MemTotal"),
		"kernel": firstLine(ctx, "uname", "-sr"),
		"drover": firstLine(ctx, bin, "--version"),
	}
	for _, p := range []string{"cp", "rsync", "tar", "gio"} {
		m[p] = firstLine(ctx, p, "--version")
	}
	if m["gio"] == "" {
		m["gio"] = firstLine(ctx, "gio", "version")
	}
	return m
}

// field returns the value of the first line "name : value" of a file in /proc.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// firstLine is what a program says first, or nothing.
func firstLine(ctx context.Context, argv ...string) string {
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}
