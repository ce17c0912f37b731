package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"drover/engine"
	"drover/ui/present"
)

// When progress is shown. A job that is over sooner than barFirst shows nothing but its summary.
const (
	barFirst  = 300 * time.Millisecond
	barEvery  = 100 * time.Millisecond
	lineEvery = time.Second // where lines pile up
)

// screen is the line of the terminal that the cursor is in. Progress is drawn over itself there, so whoever writes
// something else wipes it first. The drawing is ours because the libraries for it count by themselves, from deltas, and
// take a bar that has reached its total for finished, while here the total grows until the scan ends and rate and time
// left are the engine's; schollz/progressbar also brings an HTTP server and TLS, 3 MB of a program of 7 MB.
type screen struct {
	w        io.Writer
	terminal *os.File // nil if w is none
	drawn    bool
}

// canDraw reports whether the cursor can be sent back in its line.
func (s *screen) canDraw() bool { return s.terminal != nil && os.Getenv("TERM") != "dumb" }

// draw replaces the line.
func (s *screen) draw(line string) {
	fmt.Fprintf(s.w, "\r%s\x1b[K", line)
	s.drawn = true
}

// wipe takes the drawn line away.
func (s *screen) wipe() {
	if s.drawn {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.drawn = false
	}
}

// width is the number of columns, which a person may change at any time.
func (s *screen) width() int {
	if s.terminal != nil {
		if w, _, err := term.GetSize(int(s.terminal.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

// barProgress draws a bar on a terminal.
type barProgress struct {
	screen    *screen
	countdown present.Countdown
}

func (*barProgress) first() time.Duration { return barFirst }
func (*barProgress) every() time.Duration { return barEvery }

func (b *barProgress) progress(s engine.Snapshot) {
	// The last column stays free: a terminal that has been written to its edge may move on to the next line.
	b.screen.draw(progressLine(s, &b.countdown, time.Now(), b.screen.width()-1))
}

// last leaves an empty line to the summary.
func (b *barProgress) last(engine.Snapshot) { b.screen.wipe() }

// lineProgress writes a line now and then where nothing can be drawn over, and one at the end.
type lineProgress struct {
	w         io.Writer
	countdown present.Countdown
}

func (*lineProgress) first() time.Duration { return lineEvery }
func (*lineProgress) every() time.Duration { return lineEvery }

func (l *lineProgress) progress(s engine.Snapshot) {
	fmt.Fprintln(l.w, progressLine(s, &l.countdown, time.Now(), 0))
}

func (l *lineProgress) last(s engine.Snapshot) { l.progress(s) }

// The width of the bar itself.
const (
	barMin = 8
	barMax = 30
)

// progressLine says in at most width columns how far s is; width 0 stands for no limit, and for no bar.
func progressLine(s engine.Snapshot, left *present.Countdown, now time.Time, width int) string {
	t := present.NewTransfer(present.TransferState{Snapshot: s}, left, now)
	var parts []string
	for _, p := range []string{t.Detail, t.Numbers, t.Attention} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	text := strings.Join(parts, "  ·  ")
	if t.Known {
		percent := fmt.Sprintf("%*s", 5+len(t.Percent)-uniseg.StringWidth(t.Percent), t.Percent)
		room := min(barMax, width-uniseg.StringWidth(percent)-uniseg.StringWidth(text)-4)
		if room >= barMin {
			full := min(max(int(t.Fraction*float64(room)), 0), room)
			percent += "  " + strings.Repeat("▓", full) + strings.Repeat("░", room-full)
		}
		text = percent + "  " + text
	}
	text = plain(text)
	if width > 0 {
		text = fit(text, width)
	}
	return text
}

// fit cuts s to width columns; Chinese and Japanese take two for a character.
func fit(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used > width-1 {
			break
		}
		b.WriteString(g.Str())
	}
	return b.String() + "…"
}
