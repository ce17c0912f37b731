package present

import "time"

// Countdown makes a time left that a person can look at. Estimates jitter with every file; a clock that jumps to and
// fro is not believed. It counts down by itself like a clock and takes over a new estimate only when that differs by
// more than a fifth for a few seconds, or at once when it is far off. Of the last seconds a person sees each, so there half
// a second of disagreement is enough.
type Countdown struct {
	end     time.Time // when the shown clock reaches zero; zero: nothing is shown
	doubted time.Time // since when the estimate has disagreed; zero: it agrees
}

// The tolerances of a Countdown.
const (
	countdownDoubt = 3 * time.Second         // how long an estimate must disagree to be taken over
	countdownSmall = 1500 * time.Millisecond // differences up to this are noise near the end
	countdownNear  = 15 * time.Second        // when either says that no more than this is left, the end is near
	countdownQuick = time.Second / 2         // how long an estimate must disagree then
)

// Show takes the estimate of this moment (< 0: not known) and returns what to show, "" for nothing.
func (c *Countdown) Show(now time.Time, left time.Duration) string {
	if left < 0 {
		*c = Countdown{}
		return ""
	}
	if c.end.IsZero() {
		c.end = now.Add(left)
		return coarse(left)
	}
	shown := max(c.end.Sub(now), 0)
	off := (left - shown).Abs()
	doubt := countdownDoubt
	if min(left, shown) <= countdownNear {
		doubt = countdownQuick
	}
	switch {
	case off <= max(shown/5, countdownSmall):
		c.doubted = time.Time{}
	case off > max(2*shown, 30*time.Second):
		c.take(now, left)
	case c.doubted.IsZero():
		c.doubted = now
	case now.Sub(c.doubted) >= doubt:
		c.take(now, left)
	}
	return coarse(max(c.end.Sub(now), time.Second))
}

func (c *Countdown) take(now time.Time, left time.Duration) {
	c.end, c.doubted = now.Add(left), time.Time{}
}

// coarse rounds so that the text moves as calmly as the estimate is vague.
func coarse(d time.Duration) string {
	switch {
	case d > 48*time.Hour:
		return T("window.left_days", "Count", int64(d.Round(24*time.Hour)/(24*time.Hour)))
	case d > time.Hour:
		d = d.Round(5 * time.Minute)
		return T("window.left_hours", "Hours", int64(d/time.Hour), "Minutes", twoDigits(int64(d/time.Minute)%60))
	case d > 2*time.Minute:
		d = d.Round(10 * time.Second)
	case d > 30*time.Second:
		d = d.Round(5 * time.Second)
	}
	return T("window.left", "Time", Clock(max(d, time.Second)))
}

func twoDigits(n int64) string { return string(appendInt(nil, n, 2)) }
