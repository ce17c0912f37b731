package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"drover/engine"
	"drover/ui/present"
)

func TestProgressLine(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := engine.Snapshot{
		State: engine.StateRunning,
		Files: 12_300, TotalFiles: 20_000, Bytes: 1_200_000_000, TotalBytes: 3_400_000_000, TotalKnown: true,
		Fraction: 0.5, Rate: 41_000_000, Left: 12 * time.Second, Questions: 12, Failures: 2,
	}
	for _, lang := range present.Languages {
		inLanguage(t, lang)
		for _, width := range []int{200, 120, 79, 40, 10} {
			got := progressLine(s, &present.Countdown{}, now, width)
			if w := uniseg.StringWidth(got); w > width {
				t.Errorf("%s: %d columns in %d: %s", lang, w, width, got)
			}
			if !strings.Contains(got, "50 %") {
				t.Errorf("%s, %d columns: no percentage: %s", lang, width, got)
			}
			full, empty := strings.Count(got, "▓"), strings.Count(got, "░")
			if width == 200 && (full != barMax/2 || empty != barMax/2) {
				t.Errorf("%s: half done is drawn as %d of %d: %s", lang, full, full+empty, got)
			}
		}
		if got := progressLine(s, &present.Countdown{}, now, 0); strings.ContainsAny(got, "▓░…") {
			t.Errorf("a line that is no terminal's has a bar, or is cut: %s", got)
		}
	}
}

func TestProgressLineWhileCounting(t *testing.T) {
	inLanguage(t, "en")
	s := engine.Snapshot{State: engine.StateRunning, Files: 3, TotalFiles: 5, Bytes: 10, TotalBytes: 20, Left: -1}
	got := progressLine(s, &present.Countdown{}, time.Now(), 100)
	if strings.ContainsAny(got, "%▓░") {
		t.Errorf("a share of what is not known: %s", got)
	}
	if !strings.Contains(got, "3") {
		t.Errorf("nothing of what was done: %s", got)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "abcd…"},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"abc", 0, "…"},
	} {
		if got := fit(c.in, c.width); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestScreenWipesOnlyWhatItDrew(t *testing.T) {
	var b strings.Builder
	s := screen{w: &b}
	s.wipe()
	s.draw("50 %")
	s.wipe()
	s.wipe()
	if got, want := b.String(), "\r50 %\x1b[K\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
