package meter

import "time"

// Sample is how far a job was at one moment. Work is files and bytes in one measure.
type Sample struct {
	At    time.Time
	Bytes int64
	Files int64
	Work  float64
}

// The window is long enough to smooth write-back bursts (about 5 s apart on Linux) and short enough to notice a slower
// device; samples nearer than the spacing replace each other, so that frequent readers do not shorten the window.
const (
	paceWindow  = 6 * time.Second
	paceSpacing = 100 * time.Millisecond
	paceTrust   = time.Second
	paceSamples = int(paceWindow/paceSpacing) + 1
)

// Pace knows the rate over the last seconds. The zero value is ready. It is pure: time comes with the samples.
type Pace struct {
	ring    [paceSamples]Sample
	head, n int
}

// Reset forgets everything, as after a pause.
func (p *Pace) Reset() { p.n = 0 }

func (p *Pace) at(i int) *Sample { return &p.ring[(p.head+i)%paceSamples] }

// Add takes the next sample. One that comes late, from a reader that was overtaken, is left out.
func (p *Pace) Add(s Sample) {
	if p.n > 0 {
		if last := p.at(p.n - 1); s.At.Before(last.At) || s.Bytes < last.Bytes || s.Files < last.Files {
			return
		}
	}
	if p.n >= 2 && s.At.Sub(p.at(p.n-2).At) < paceSpacing {
		*p.at(p.n - 1) = s
		return
	}
	if p.n == paceSamples {
		p.head = (p.head + 1) % paceSamples
		p.n--
	}
	*p.at(p.n) = s
	p.n++
	for p.n > 2 && s.At.Sub(p.at(0).At) > paceWindow {
		p.head = (p.head + 1) % paceSamples
		p.n--
	}
}

func (p *Pace) span() (first, last *Sample, seconds float64) {
	if p.n < 2 {
		return nil, nil, 0
	}
	first, last = p.at(0), p.at(p.n-1)
	return first, last, last.At.Sub(first.At).Seconds()
}

// Rates returns bytes and files a second, 0 while not known.
func (p *Pace) Rates() (bytes, files float64) {
	a, b, s := p.span()
	if s <= 0 {
		return 0, 0
	}
	return float64(b.Bytes-a.Bytes) / s, float64(b.Files-a.Files) / s
}

// Work returns the rate of files and bytes in one measure, 0 while not known. For a prediction it has to have lasted.
func (p *Pace) Work() float64 {
	a, b, s := p.span()
	if s < paceTrust.Seconds() {
		return 0
	}
	return (b.Work - a.Work) / s
}
