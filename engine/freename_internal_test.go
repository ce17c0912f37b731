package engine

import "testing"

// However many copies of a name there are, a free number is found with few looks, and one that is free.
func TestNextNumber(t *testing.T) {
	for _, n := range []int{1, 2, 7, 8, 9, 10, 15, 16, 17, 100, 9_999, 10_001, 1_000_000} {
		looks := 0
		all := func(k int) bool { looks++; return k <= n }
		k := 1
		for tries := 0; k <= n; tries++ {
			if tries > freeNamesInTurn+1 {
				t.Fatalf("%d there: still at %d", n, k)
			}
			k = nextNumber(k, all)
		}
		if k != n+1 || looks > 45 {
			t.Errorf("%d there: %d is free, after %d looks", n, k, looks)
		}
	}
	for _, gap := range []int{2, 5, 8} { // one of the first that is free is found
		k := 1
		for range gap - 1 {
			k = nextNumber(k, func(k int) bool { return k != gap })
		}
		if k != gap {
			t.Errorf("%d instead of %d", k, gap)
		}
	}
	for k := range 200 { // with gaps
		taken := func(n int) bool { return n%37 != 0 && n < 1000 }
		if got := nextNumber(k, taken); k >= freeNamesInTurn && taken(got) || got <= k {
			t.Errorf("after %d comes %d", k, got)
		}
	}
}

// What a job remembers of the numbers that it gave is bounded, and begins after the last.
func TestNumbering(t *testing.T) {
	var x numbering
	for i := range 3 * numberedNames {
		n := numbered{name: freeName("f\x00", false, i+1)}
		if k := x.first(n); k != 1 {
			t.Fatalf("%s begins with %d", n.name, k)
		}
		x.gave(n, freeNamesInTurn)
		if k := x.first(n); k != 1 {
			t.Fatal("few are worth remembering")
		}
		x.gave(n, 1000)
		if k := x.first(n); k != 1001 {
			t.Fatalf("after 1000 comes %d", k)
		}
	}
	if n := len(x.last); n > numberedNames {
		t.Errorf("%d are remembered", n)
	}
}
