package cli

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"drover/engine"
)

var allActions = []engine.Action{
	engine.ActionSkip, engine.ActionReplace, engine.ActionNewer, engine.ActionKeepBoth, engine.ActionRenameOld,
	engine.ActionRename,
}

func TestParseAnswer(t *testing.T) {
	for _, c := range []struct {
		line string
		want engine.Decision
	}{
		{"r", engine.Decision{Action: engine.ActionReplace}},
		{"  s  ", engine.Decision{Action: engine.ActionSkip}},
		{"k", engine.Decision{Action: engine.ActionKeepBoth}},
		{"n", engine.Decision{Action: engine.ActionNewer}},
		{"o", engine.Decision{Action: engine.ActionRenameOld}},
		{"replace", engine.Decision{Action: engine.ActionReplace}},
		{"keep", engine.Decision{Action: engine.ActionKeepBoth}},
		{"R", engine.Decision{Action: engine.ActionReplace, Rest: true}},
		{"S", engine.Decision{Action: engine.ActionSkip, Rest: true}},
		{"a r", engine.Decision{Action: engine.ActionReplace, Rest: true}},
		{"a  skip", engine.Decision{Action: engine.ActionSkip, Rest: true}},
		{"ak", engine.Decision{Action: engine.ActionKeepBoth, Rest: true}},
		{"re", engine.Decision{Action: engine.ActionRename}},
		{"rename", engine.Decision{Action: engine.ActionRename}},
		{"re new name.txt", engine.Decision{Action: engine.ActionRename, Name: "new name.txt"}},
		{"re  \xff ", engine.Decision{Action: engine.ActionRename, Name: " \xff "}},
	} {
		got, err := parseAnswer(c.line, allActions)
		if err != nil || got.Action != c.want.Action || got.Rest != c.want.Rest || got.Name != c.want.Name || got.All {
			t.Errorf("%q: %+v %v, want %+v", c.line, got, err, c.want)
		}
	}
	for _, line := range []string{"x", "y", "yes", "rr", "a", "ax", "a ", "t", "r now", "s all", "RE", "a re", "Re x", "ß", "\x00", "1"} {
		if got, err := parseAnswer(line, allActions); err == nil {
			t.Errorf("%q was taken for %+v", line, got)
		}
	}
	if got, err := parseAnswer("r", []engine.Action{engine.ActionSkip, engine.ActionRename}); err == nil {
		t.Errorf("an answer that is not offered was taken for %+v", got)
	}
	if got, err := parseAnswer("t", []engine.Action{engine.ActionSkip, engine.ActionRetry}); err != nil || got.Action != engine.ActionRetry {
		t.Errorf("retry: %+v %v", got, err)
	}
}

func TestQuestionText(t *testing.T) {
	inLanguage(t, "en")
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.Local)
	q := engine.Question{
		Why:     engine.WhyExists,
		Src:     engine.Side{Path: "/src/evil\x1b[2J.txt", Exists: true, Mode: 0o644, Size: 2_100_000, Modified: now.AddDate(0, -1, 0)},
		Dst:     engine.Side{Path: "/dst/evil\x1b[2J.txt", Exists: true, Mode: 0o644, Size: 12, Modified: now.AddDate(-1, 0, 0)},
		Actions: allActions,
	}
	got := questionText(q, 1234, now)
	for _, want := range []string{
		`evil\x1B[2J.txt`, "1 234 more so far", "2.1 MB", "2026-04-04 12:00", "2025-05-04 12:00", "Newer", "Larger", "/src", "/dst",
		"[r] Replace", "[s] Skip", "[k] Keep both", "[n] Replace if newer", "[o] Rename the old one", "[re] Rename",
		"A capital letter",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Error("the name sends a control sequence to the terminal")
	}
	lines := strings.Split(strings.TrimRight(got, "\n"), "\n")
	if len(lines) != 5 {
		t.Errorf("%d lines:\n%s", len(lines), got)
	}
	inNew, inOld := strings.Index(lines[1], "Newer"), strings.Index(lines[2], "Newer")
	if inNew < 0 || inOld >= 0 {
		t.Errorf("the new one is newer, and said first:\n%s", got)
	}
	q.Src.Mode, q.Why, q.Actions = fs.ModeDir|0o755, engine.WhyFileInWay, []engine.Action{engine.ActionRename}
	if got := questionText(q, 0, now); strings.Contains(got, "so far") || strings.Contains(got, "[r]") || strings.Contains(got, "capital") {
		t.Errorf("offers what does not fit:\n%s", got)
	}
}

func TestTableAlignsWideCharacters(t *testing.T) {
	got := table([][]string{{"新", "", "1 MB", "x"}, {"already", "", "12 MB", ""}})
	want := "  新       1 MB   x\n  already  12 MB\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestReadLines(t *testing.T) {
	lines := readLines(strings.NewReader("r\n\nlast without end"))
	var got []string
	for l := range lines {
		got = append(got, l)
	}
	if strings.Join(got, "|") != "r|" {
		t.Errorf("%q", got)
	}
}
