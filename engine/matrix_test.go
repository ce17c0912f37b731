package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"drover/engine"
	"drover/engine/enginetest"
)

// Every kind of thing onto every kind of thing, with every answer and every rule. What must be there afterwards follows from a few
// sentences, which are written down here a second time.

var kinds = []struct {
	name string
	at   func(path, mark string) []enginetest.Entry
}{
	{"file", func(p, mark string) []enginetest.Entry { return []enginetest.Entry{enginetest.File(p, mark)} }},
	{"folder", func(p, mark string) []enginetest.Entry { return []enginetest.Entry{enginetest.File(p+"/"+mark, mark)} }},
	{"link", func(p, mark string) []enginetest.Entry { return []enginetest.Entry{enginetest.Symlink(p, mark)} }},
	{"fifo", func(p, mark string) []enginetest.Entry {
		return []enginetest.Entry{enginetest.FIFO(p).Mode(map[string]uint32{"new": 0o600, "old": 0o640}[mark])}
	}},
}

// listing tells a tree with modes, so that two FIFOs can be told apart.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	for _, l := range enginetest.Fingerprint(t, dir)[1:] {
		out = append(out, treeLine(l, []string{"mode"}))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// expected is what must be at the destination, and whether a question is left.
func expected(src, dst string, answer string) (out map[string]string, open bool) {
	old := func(name string) map[string]string { return map[string]string{name: "old " + dst} }
	with := func(m map[string]string, name, what string) map[string]string { m[name] = what; return m }
	fresh := "new " + src
	mismatch := (src == "folder") != (dst == "folder")
	switch {
	case src == "folder" && dst == "folder":
		return map[string]string{"x": "both"}, false
	case answer == "skip":
		return old("x"), false
	case answer == "keep-both":
		return with(old("x"), "x (copy)", fresh), false
	case answer == "rename-old":
		return with(old("x (copy)"), "x", fresh), false
	case answer == "rename":
		return with(old("x"), "other", fresh), false
	case mismatch: // neither replaces the other, by rule or answer
		return old("x"), true
	case answer == "older": // newer, and the source is not
		return old("x"), false
	}
	return map[string]string{"x": fresh}, false
}

func TestMatrix(t *testing.T) {
	answers := []string{"skip", "replace", "newer", "older", "keep-both", "rename-old", "rename"}
	for _, src := range kinds {
		for _, dst := range kinds {
			for _, answer := range answers {
				for _, byRule := range []bool{false, true} {
					if byRule && answer == "rename" {
						continue
					}
					how := map[bool]string{false: "answer", true: "rule"}[byRule]
					t.Run(fmt.Sprintf("%s onto %s/%s %s", src.name, dst.name, how, answer), func(t *testing.T) {
						dir := enginetest.WorkDir(t)
						older, newer := time.Unix(1000, 1), time.Unix(1000, 2)
						dated := func(entries []enginetest.Entry, at time.Time) []enginetest.Entry {
							for i := range entries {
								entries[i] = entries[i].Mtime(at)
							}
							return entries
						}
						srcTime := newer
						if answer == "older" {
							srcTime = older
						}
						enginetest.Build(t, dir+"/src", dated(src.at("x", "new"), srcTime)...)
						enginetest.Build(t, dir+"/dst", dated(dst.at("x", "old"), older)...)
						want, open := expected(src.name, dst.name, answer)
						for name, what := range want {
							for _, k := range kinds {
								switch what {
								case "new " + k.name:
									enginetest.Build(t, dir+"/want", k.at(name, "new")...)
								case "old " + k.name:
									enginetest.Build(t, dir+"/want", k.at(name, "old")...)
								}
							}
							if what == "both" {
								enginetest.Build(t, dir+"/want", enginetest.File(name+"/new", "new"), enginetest.File(name+"/old", "old"))
							}
						}
						key := answer
						if answer == "older" {
							key = "newer"
						}
						req := engine.Request{Sources: []string{dir + "/src/x"}, Dest: dir + "/dst"}
						if byRule {
							req.Rule = rules[key]
						}
						j := start(t, newEngine(t, 1), req)
						if !byRule && (src.name != "folder" || dst.name != "folder") {
							until(t, j, "the question", parked(1))
							id := j.Questions(0, 1)[0].ID
							if err := j.Decide(engine.Decision{IDs: []engine.QuestionID{id}, Action: actions[key], Name: "other"}); (err != nil) != open {
								t.Errorf("answered: %v", err)
							}
						}
						j.Leave()
						r := wait(t, j)
						if wantState := map[bool]engine.State{false: engine.StateDone, true: engine.StateWaiting}[open]; r.State != wantState {
							t.Errorf("%+v, %v", r, j.Failures(0, 9))
						}
						if got, want := listing(t, dir+"/dst"), listing(t, dir+"/want"); got != want {
							t.Errorf("there is\n%s\nwant\n%s", got, want)
						}
					})
				}
			}
		}
	}
}
