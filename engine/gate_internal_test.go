package engine

import (
	"context"
	"testing"
)

// BenchmarkGate shows what it costs to be able to pause: one pass through an open gate, between two files or chunks.
func BenchmarkGate(b *testing.B) {
	var g gate
	ctx := context.Background()
	for b.Loop() {
		if err := g.pass(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
