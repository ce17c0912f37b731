package present

import (
	"io/fs"
	"slices"
	"testing"
	"time"

	"drover/engine"
)

func TestQuestionView(t *testing.T) {
	SetLanguage("en")
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	all := []engine.Action{engine.ActionSkip, engine.ActionReplace, engine.ActionKeepBoth}
	file := func(path string, size int64, age time.Duration) engine.Side {
		return engine.Side{Path: path, Exists: true, Mode: 0o644, Size: size, Modified: now.Add(-age)}
	}
	q := engine.Question{
		ID: 7, Why: engine.WhyExists, Actions: all,
		Src: file("/home/a/new/photo.jpg", 2000, time.Hour), Dst: file("/home/a/old/photo.jpg", 3000, 2*time.Hour),
	}
	v := NewQuestion(q, "/home/a", now)
	if v.Default != engine.ActionSkip {
		t.Errorf("the default is %v", v.Default)
	}
	if !slices.Equal(v.New.Hints, []string{"Newer"}) || !slices.Equal(v.Old.Hints, []string{"Larger"}) {
		t.Errorf("hints: old %q, new %q", v.Old.Hints, v.New.Hints)
	}
	if v.New.Folder != "~/new" || v.Old.Folder != "~/old" || v.New.Name != "photo.jpg" || v.Old.Kind != "Image" {
		t.Errorf("sides: %+v %+v", v.Old, v.New)
	}
	if v.Title != "“photo.jpg” exists already" || v.Name != "photo.jpg" {
		t.Errorf("title %q, name %q", v.Title, v.Name)
	}
	q.Src.Size, q.Src.Modified = q.Dst.Size, q.Dst.Modified.Add(time.Second) // as FAT rounds
	v = NewQuestion(q, "", now)
	if len(v.New.Hints)+len(v.Old.Hints) != 0 || v.Text != T("window.why_same_text") {
		t.Errorf("two that look the same: %q %q %q", v.Old.Hints, v.New.Hints, v.Text)
	}
}

func TestQuestionsOfOtherKinds(t *testing.T) {
	SetLanguage("en")
	folder := engine.Side{Path: "/d/x", Exists: true, Mode: fs.ModeDir | 0o755}
	link := engine.Side{Path: "/d/x", Exists: true, Mode: fs.ModeSymlink | 0o777, Target: "../\xff"}
	gone := engine.Side{Path: "/s/x"}
	for _, c := range []struct {
		why            engine.Why
		dst            engine.Side
		kind, src      string
		actions        []engine.Action
		defaultsToSkip bool
	}{
		{engine.WhyFolderInWay, folder, "Folder", "Not there any more", []engine.Action{engine.ActionKeepBoth, engine.ActionSkip}, true},
		{engine.WhyLinkInWay, link, `Link to ../\xFF`, "Not there any more", []engine.Action{engine.ActionSkip}, true},
		{engine.WhyBadName, engine.Side{Path: "/d/x"}, "Not there any more", "Not there any more", []engine.Action{engine.ActionRename}, false},
	} {
		v := NewQuestion(engine.Question{Why: c.why, Src: gone, Dst: c.dst, Actions: c.actions}, "", time.Now())
		if v.Old.Kind != c.kind || v.New.Kind != c.src {
			t.Errorf("%v: kinds %q and %q", c.why, v.Old.Kind, v.New.Kind)
		}
		if (v.Default == engine.ActionSkip) != c.defaultsToSkip {
			t.Errorf("%v: default %v", c.why, v.Default)
		}
		if v.Title == "" || v.Text == "" {
			t.Errorf("%v: no text", c.why)
		}
	}
}

func TestLike(t *testing.T) {
	qs := []engine.Question{{Why: engine.WhyExists}, {Why: engine.WhyFolderInWay}, {Why: engine.WhyExists}}
	if got := Like(qs, engine.WhyExists, 3); got != 2 {
		t.Errorf("%d of three", got)
	}
	if got := Like(qs, engine.WhyExists, 10); got != 9 {
		t.Errorf("%d of ten", got)
	}
}
