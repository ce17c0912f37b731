package main

import (
	"math"
	"testing"
	"time"
)

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
