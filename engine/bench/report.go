package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// report is everything that was measured; as JSON it is what later runs are compared with.
type report struct {
	Machine map[string]string `json:"machine"`
	Rounds  int               `json:"rounds"`
	LeftOut []string          `json:"left_out,omitempty"` // sets that there was no room for
	Results []result          `json:"results"`

	features bool // the first program is what the others are divided by, and not the other way round
}

// A result is one program on one set and file system.
type result struct {
	Set     string        `json:"set"`
	FS      string        `json:"fs"`
	Program string        `json:"program"`
	MS      spread        `json:"milliseconds"`
	Ratio   spread        `json:"drover_to_program"` // below 1: Drover takes less time
	Cost    spread        `json:"program_to_drover"` // the same pairs the other way round
	Runs    []measurement `json:"runs"`

	first bool // this is Drover
}

// add takes in the series of one match. The first of the rivals is Drover.
func (r *report) add(set, fs string, rivals []rival, series map[string][]measurement) {
	ours := series[rivals[0].name]
	for i, v := range rivals {
		runs := series[v.name]
		if len(runs) == 0 {
			continue
		}
		r.Results = append(r.Results, result{
			Set: set, FS: fs, Program: v.name, MS: spreadOf(walls(runs)),
			Ratio: spreadOf(ratios(ours, runs)), Cost: spreadOf(ratios(runs, ours)), Runs: runs, first: i == 0,
		})
	}
}

// write writes the tables, and everything as JSON into a file if one is named.
func (r *report) write(file string, w io.Writer) error {
	if file != "" {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	b := bufio.NewWriter(w)
	r.head(b)
	r.table(b)
	r.evenness(b)
	return b.Flush()
}

func (r *report) head(w io.Writer) {
	for _, k := range append([]string{"drover", "kernel", "cpu", "cores", "memory"}, names(rivals)...) {
		if v := r.Machine[k]; v != "" {
			fmt.Fprintf(w, "- %s: %s\n", k, v)
		}
	}
	for _, v := range r.LeftOut {
		fmt.Fprintf(w, "- %s\n", v)
	}
	meaning := "below 1: Drover takes less time"
	if r.features {
		meaning = "above 1: it costs time"
	}
	fmt.Fprintf(w, "- %d rounds; in brackets the middle half of the ratios; a ratio %s\n\n", r.Rounds, meaning)
}

// A row of the tables.
type row struct{ set, fs string }

// table writes what BENCHMARKING.md shows: a line for each set and file system, a column for each program.
func (r *report) table(w io.Writer) {
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
		cells[k][v.Program] = v.cell(r.features)
	}
	fmt.Fprintf(w, "| set | file system | %s |\n|---|---|%s\n", strings.Join(programs, " | "), strings.Repeat("---:|", len(programs)))
	for _, k := range rows {
		fmt.Fprintf(w, "| %s | %s |", k.set, k.fs)
		for _, p := range programs {
			fmt.Fprintf(w, " %s |", cmp.Or(cells[k][p], "–"))
		}
		fmt.Fprintln(w)
	}
}

func (v *result) cell(features bool) string {
	ratio := v.Ratio
	switch {
	case v.first:
		return fmt.Sprintf("%.0f ms", v.MS.Median)
	case features:
		ratio = v.Cost
	}
	return fmt.Sprintf("%.0f ms, **%.2f** (%.2f–%.2f)", v.MS.Median, ratio.Median, ratio.Low, ratio.High)
}

// evenness writes how the rate developed, for programs that were watched: medians over the rounds, in files a second.
func (r *report) evenness(w io.Writer) {
	head := false
	for _, v := range r.Results {
		if len(v.Runs[0].Progress) == 0 {
			continue
		}
		if !head {
			fmt.Fprintf(w, "\n| set | file system | files/s in each tenth | last / first | memory, at most |\n|---|---|---|---:|---:|\n")
			head = true
		}
		var each [10][]float64
		var even []float64
		memory := int64(0)
		for _, m := range v.Runs {
			t := tenths(m.Progress)
			for i := range t {
				each[i] = append(each[i], t[i])
			}
			even = append(even, t[9]/t[0])
			memory = max(memory, m.MaxRSS)
		}
		fmt.Fprintf(w, "| %s | %s |", v.Set, v.FS)
		for i := range each {
			fmt.Fprintf(w, " %.0f", spreadOf(each[i]).Median)
		}
		s := spreadOf(even)
		fmt.Fprintf(w, " | **%.2f** (%.2f–%.2f) | %d MB |\n", s.Median, s.Low, s.High, memory/1e6)
	}
}
