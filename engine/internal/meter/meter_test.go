package meter

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

var t0 = time.Unix(1000, 0)

func after(d time.Duration) time.Time { return t0.Add(d) }

func TestTotals(t *testing.T) {
	m := New(3, t0)
	m.Found(10, 1000)
	m.Cell(0).Files.Add(2)
	m.Cell(1).Files.Add(1)
	m.Cell(2).Bytes.Add(300)
	m.Cell(2).Links.Add(1)
	m.Cell(0).Dirs.Add(4)
	m.Cell(0).Whole.Add(200)
	m.Drop(2, 250)
	m.Skipped.Add(1)
	r := m.Read(after(time.Second), false)
	if r.Files != 3 || r.TotalFiles != 8 || r.Bytes != 300 || r.TotalBytes != 750 || r.Links != 1 || r.Dirs != 4 || r.Whole != 200 || r.Skipped != 1 {
		t.Errorf("%+v", r)
	}
	if r.TotalKnown || r.Fraction != 0 || r.Left >= 0 || r.Elapsed != time.Second {
		t.Errorf("while it is not known: %+v", r)
	}
	m.Known()
	if r := m.Read(after(time.Second), false); !r.TotalKnown || r.Fraction <= 0.37 || r.Fraction >= 0.4 {
		t.Errorf("when it is known: %+v", r)
	}
	if r := m.Read(after(time.Second), true); r.Fraction != 1 || r.Left != 0 {
		t.Errorf("at the end: %+v", r)
	}
}

// Somebody who walked ahead knows more than the scan, until the scan has ended.
func TestAhead(t *testing.T) {
	m := New(1, t0)
	m.Found(10, 100)
	m.Ahead(50, 500)
	if r := m.Read(t0, false); !r.TotalKnown || r.TotalFiles != 50 || r.TotalBytes != 500 {
		t.Errorf("%+v", r)
	}
	m.Found(60, 600) // more came to be meanwhile
	if r := m.Read(t0, false); r.TotalFiles != 70 || r.TotalBytes != 700 {
		t.Errorf("%+v", r)
	}
	m.Known()
	if r := m.Read(t0, false); r.TotalFiles != 70 {
		t.Errorf("%+v", r)
	}
}

func TestEmptyFilesProgress(t *testing.T) {
	m := New(1, t0)
	m.Found(4, 0)
	m.Known()
	for i := range 4 {
		m.Cell(0).Files.Add(1)
		if r := m.Read(t0, false); r.Fraction != float64(i+1)/4 {
			t.Errorf("%d of 4: %v", i+1, r.Fraction)
		}
	}
	empty := New(1, t0)
	empty.Known()
	if r := empty.Read(t0, false); r.Fraction != 0 || r.Left > 0 {
		t.Errorf("a job of nothing: %+v", r)
	}
}

// The fraction never goes back, also when the total grows.
func TestFractionOnlyGrows(t *testing.T) {
	m := New(1, t0)
	m.Found(10, 0)
	m.Known()
	m.Cell(0).Files.Add(5)
	half := m.Read(t0, false).Fraction
	m.Found(90, 0)
	if r := m.Read(t0, false); r.Fraction != half {
		t.Errorf("%v, and was %v", r.Fraction, half)
	}
}

func TestClockStandsWhileHeld(t *testing.T) {
	m := New(1, t0)
	m.Found(100, 1_000_000)
	m.Known()
	work := func(at time.Duration, n int64) Reading {
		m.Cell(0).Bytes.Add(n)
		return m.Read(after(at), false)
	}
	work(0, 0)
	r := work(time.Second, 1000)
	if r.ByteRate != 1000 {
		t.Errorf("rate %v", r.ByteRate)
	}
	m.Hold(after(2 * time.Second))
	m.Hold(after(3 * time.Second))
	if r := m.Read(after(60*time.Second), false); r.Elapsed != 2*time.Second || r.ByteRate != 0 || r.Left >= 0 {
		t.Errorf("held: %+v", r)
	}
	m.Go(after(100 * time.Second))
	m.Go(after(101 * time.Second))
	if r := m.Read(after(101*time.Second), false); r.Elapsed != 3*time.Second || r.ByteRate != 0 {
		t.Errorf("again: %+v", r)
	}
	work(101*time.Second, 0)
	if r := work(102*time.Second, 500); r.ByteRate != 500 || r.Elapsed != 4*time.Second {
		t.Errorf("after the pause: %+v", r)
	}
}

// Moments do not always come in order: several goroutines read, and pause.
func TestClockNeverGoesBack(t *testing.T) {
	m := New(1, t0)
	last := m.Read(after(5*time.Second), false).Elapsed
	for _, step := range []func(){
		func() { m.Hold(after(4 * time.Second)) },
		func() { m.Go(after(3 * time.Second)) },
		func() { m.Hold(after(2 * time.Second)) },
		func() {},
	} {
		step()
		r := m.Read(after(time.Second), false)
		if r.Elapsed < last || r.ByteRate < 0 || r.FileRate < 0 {
			t.Errorf("%+v after %v", r, last)
		}
		last = r.Elapsed
	}
}

func TestManyReadersAndWriters(t *testing.T) {
	m := New(4, time.Now())
	var workers, readers sync.WaitGroup
	over := make(chan struct{})
	for i := range 4 {
		workers.Go(func() {
			for range 5000 {
				size := int64(rand.IntN(1000))
				m.Found(1, size)
				m.Cell(i).Bytes.Add(size / 2)
				if rand.IntN(3) == 0 {
					m.Drop(1, size-size/2)
					continue
				}
				m.Cell(i).Bytes.Add(size - size/2)
				m.Cell(i).Files.Add(1)
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			var last Reading
			for {
				r := m.Read(time.Now(), false)
				if r.Files > r.TotalFiles || r.Bytes > r.TotalBytes || r.Files < last.Files || r.Bytes < last.Bytes || r.Elapsed < last.Elapsed {
					t.Errorf("%+v\n%+v", last, r)
					return
				}
				last = r
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	workers.Wait()
	close(over)
	readers.Wait()
	if r := m.Read(time.Now(), false); r.Files != r.TotalFiles || r.Bytes != r.TotalBytes {
		t.Errorf("in the end %+v", r)
	}
}

func TestPace(t *testing.T) {
	type step struct {
		at    time.Duration
		bytes int64
		rate  float64
	}
	tests := []struct {
		name  string
		steps []step
	}{
		{"nothing is known at first", []step{{0, 100, 0}}},
		{"steady", []step{{0, 0, 0}, {time.Second, 100, 100}, {2 * time.Second, 200, 100}}},
		{"a burst is smoothed", []step{{0, 0, 0}, {time.Second, 0, 0}, {2 * time.Second, 600, 300}, {3 * time.Second, 600, 200}}},
		{"old speed is forgotten", []step{{0, 0, 0}, {time.Second, 1000, 1000}, {7 * time.Second, 1600, 100}, {13 * time.Second, 2200, 100}}},
		{"frequent looks do not shorten the window", []step{
			{0, 0, 0}, {time.Second, 100, 100}, {1001 * time.Millisecond, 100, 100.0 / 1.001}, {1002 * time.Millisecond, 100, 100.0 / 1.002}, {2 * time.Second, 200, 100},
		}},
		{"seldom looks", []step{{0, 0, 0}, {time.Minute, 6000, 100}, {2 * time.Minute, 6000, 0}}},
		{"moments out of order", []step{{0, 500, 0}, {time.Millisecond, 100, 0}}},
		{"the same moment twice", []step{{0, 0, 0}, {0, 100, 0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Pace
			for i, s := range tt.steps {
				p.Add(Sample{At: after(s.at), Bytes: s.bytes, Files: 2 * s.bytes, Work: 3 * float64(s.bytes)})
				bytes, files := p.Rates()
				if work := p.Work(); fmt.Sprintf("%.3f %.3f %.3f", bytes, files, work) != fmt.Sprintf("%.3f %.3f %.3f", s.rate, 2*s.rate, 3*s.rate) {
					t.Errorf("step %d: %v, %v and %v a second, want %v", i, bytes, files, work, s.rate)
				}
			}
			p.Reset()
			if b, f := p.Rates(); b != 0 || f != 0 || p.Work() != 0 {
				t.Error("not forgotten")
			}
		})
	}
}

// A window of minutes, looked at a thousand times a second, is as good as one looked at now and then, and no longer.
func TestPaceWindow(t *testing.T) {
	var p Pace
	for i := range 60_000 {
		speed := int64(1)
		if i > 30_000 {
			speed = 2
		}
		p.Add(Sample{At: after(time.Duration(i) * time.Millisecond), Bytes: int64(i) * speed})
	}
	if b, _ := p.Rates(); b < 1990 || b > 2010 {
		t.Errorf("%v a second, want 2000", b)
	}
}

func BenchmarkRead(b *testing.B) {
	m := New(9, t0)
	m.Found(1000, 1000)
	m.Known()
	for b.Loop() {
		m.Read(time.Now(), false)
	}
}
