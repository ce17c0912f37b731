package main

import (
	"math"
	"slices"
)

// A spread tells where most of some figures lie.
type spread struct {
	Low    float64 `json:"low"` // a quarter of them is below
	Median float64 `json:"median"`
	High   float64 `json:"high"` // a quarter of them is above
}

// spreadOf is NaN for no figures.
func spreadOf(of []float64) spread {
	sorted := slices.Sorted(slices.Values(of))
	return spread{quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)}
}

// quantile interpolates between the two figures around the place asked for.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// ratios divides round by round: what slows the machine for a while slows both sides of a pair.
func ratios(ours, theirs []measurement) []float64 {
	out := make([]float64, min(len(ours), len(theirs)))
	for i := range out {
		out[i] = ours[i].Wall.Seconds() / theirs[i].Wall.Seconds()
	}
	return out
}

func walls(of []measurement) []float64 {
	out := make([]float64, len(of))
	for i, m := range of {
		out[i] = float64(m.Wall.Microseconds()) / 1000
	}
	return out
}
