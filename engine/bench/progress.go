package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// progress is a moment of a copy: so many files were there then.
type progress struct {
	At    time.Duration `json:"at_ns"`
	Files int64         `json:"files"`
}

// watched is Drover telling how far it is.
func watched(bin string) rival {
	r := drover(bin, "drover", "--json")
	r.watched = true
	return r
}

// follow reads what a copy says about its progress until it ends.
func follow(r io.Reader, start time.Time) ([]progress, error) {
	seen := []progress{{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var event struct {
			Files int64 `json:"files"`
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return nil, fmt.Errorf("progress: %w", err)
		}
		seen = append(seen, progress{time.Since(start), event.Files})
	}
	return seen, lines.Err()
}

// tenths returns the rates, in files a second, of each tenth of the files. Between two moments the rate is taken as even.
func tenths(seen []progress) (rates [10]float64) {
	total := float64(seen[len(seen)-1].Files)
	before := 0.0
	for i := range rates {
		at := reached(seen, total*float64(i+1)/10)
		rates[i] = total / 10 / (at - before)
		before = at
	}
	return rates
}

// reached is the time in seconds at which so many files were there.
func reached(seen []progress, files float64) float64 {
	for i := 1; i < len(seen); i++ {
		a, b := seen[i-1], seen[i]
		if float64(b.Files) < files {
			continue
		}
		if b.Files == a.Files {
			return b.At.Seconds()
		}
		part := (files - float64(a.Files)) / float64(b.Files-a.Files)
		return a.At.Seconds() + part*(b.At-a.At).Seconds()
	}
	return seen[len(seen)-1].At.Seconds()
}
