package present

import (
	"math"
	"testing"
	"time"
)

func TestSizes(t *testing.T) {
	SetLanguage("en")
	for _, c := range []struct {
		n    int64
		want string
	}{
		{-1, "0\u00a0B"}, {0, "0\u00a0B"}, {999, "999\u00a0B"}, {1500, "1.5\u00a0kB"}, {82_000_000, "82\u00a0MB"}, {9_949, "9.9\u00a0kB"}, {9_951, "10\u00a0kB"}, {999_499, "999\u00a0kB"}, {999_500, "1.0\u00a0MB"}, {math.MaxInt64, "9.2\u00a0EB"}, {1_234_000_000, "1.2\u00a0GB"},
	} {
		if got := Size(c.n); got != c.want {
			t.Errorf("Size(%d) = %q, want %q", c.n, got, c.want)
		}
	}
	if got := ExactSize(4096); got != "4.1\u00a0kB (4\u00a0096 bytes)" {
		t.Errorf("ExactSize = %q", got)
	}
	SetLanguage("de")
	defer SetLanguage("en")
	if got := Size(1500); got != "1,5\u00a0kB" {
		t.Errorf("in German Size = %q", got)
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0:00", 7 * time.Second: "0:07", 750 * time.Second: "12:30", 3*time.Hour + 5*time.Minute: "3:05:00", -time.Second: "0:00",
	} {
		if got := Clock(d); got != want {
			t.Errorf("Clock(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestWhen(t *testing.T) {
	SetLanguage("en")
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		t    time.Time
		want string
	}{
		{now.Add(-time.Hour), "Today 11:00"},
		{now.Add(-13 * time.Hour), "Yesterday 23:00"},
		{now.Add(-37 * time.Hour), "2026-02-28 23:00"},
		{now.Add(48 * time.Hour), "2026-03-04 12:00"},
		{now.Add(2 * time.Hour), "2026-03-02 14:00"},
		{time.Time{}, ""},
	} {
		if got := When(c.t, now); got != c.want {
			t.Errorf("When(%v) = %q, want %q", c.t, got, c.want)
		}
	}
}

// TestCountdownIsCalm: the shown clock runs down by itself, noise does not move it, and a lasting change does.
func TestCountdownIsCalm(t *testing.T) {
	SetLanguage("en")
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var c Countdown
	show := func(left time.Duration) string { return c.Show(now, left) }
	if got := show(20 * time.Second); got != "0:20 left" {
		t.Fatalf("at first %q", got)
	}
	now = now.Add(time.Second)
	if got := show(21 * time.Second); got != "0:19 left" {
		t.Errorf("noise moved it to %q", got)
	}
	now = now.Add(time.Second)
	if got := show(40 * time.Second); got != "0:18 left" {
		t.Errorf("one estimate moved it to %q", got)
	}
	for range 4 {
		now = now.Add(time.Second)
		show(40 * time.Second)
	}
	if got := show(40 * time.Second); got != "0:40 left" {
		t.Errorf("four seconds of another estimate left it at %q", got)
	}
	if got := show(time.Hour + 32*time.Minute); got != "1 h 30 min left" {
		t.Errorf("far off: %q", got)
	}
	if got := show(-1); got != "" {
		t.Errorf("unknown: %q", got)
	}
	c = Countdown{}
	show(2 * time.Second)
	now = now.Add(10 * time.Second)
	if got := show(time.Second); got != "0:01 left" {
		t.Errorf("it ran below zero: %q", got)
	}
	// near the end what is shown is soon what is estimated, in either direction
	for _, k := range []struct{ before, after time.Duration }{{time.Second, 4400 * time.Millisecond}, {14 * time.Second, 2 * time.Second}} {
		c = Countdown{}
		show(k.before)
		show(k.after)
		now = now.Add(countdownQuick)
		if got := show(k.after); got != T("window.left", "Time", Clock(k.after)) {
			t.Errorf("%v left, but it says %q", k.after, got)
		}
	}
}
