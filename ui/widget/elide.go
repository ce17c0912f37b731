package widget

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

const dots = "…"

// Elide shortens s to width. With keepEnd it cuts out of the middle, so that the end of a file name, which tells its
// kind and often its number, stays to be read.
func Elide(s string, width, size float32, style fyne.TextStyle, keepEnd bool) string {
	if s == "" || width <= 0 {
		return ""
	}
	full := measure(s, size, style)
	if full <= width {
		return s
	}
	runes := []rune(s)
	if !utf8.ValidString(s) || len(runes) < 2 {
		return dots
	}
	tail := 0
	if keepEnd {
		tail = min(len(runes)/3, 8)
	}
	// the share of the width that fits is a good first guess; then halve
	lo, hi := 0, len(runes)-tail-1
	guess := min(hi, max(0, int(float32(len(runes))*width/full)-tail-1))
	best := 0
	for lo <= hi {
		if measure(string(runes[:guess])+dots+string(runes[len(runes)-tail:]), size, style) <= width {
			best = guess
			lo = guess + 1
		} else {
			hi = guess - 1
		}
		if hi-lo > 6 && lo > 0 { // near the guess first
			guess = min(lo+2, hi)
		} else {
			guess = (lo + hi) / 2
		}
	}
	if best == 0 && tail > 0 {
		return Elide(s, width, size, style, false)
	}
	return string(runes[:best]) + dots + string(runes[len(runes)-tail:])
}
