package conflict

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"drover/engine"
	"drover/ui/control"
	"drover/ui/present"
	"drover/ui/theme"
)

// asker has a list of questions and answers at once.
type asker struct {
	open    []control.Asked
	answers []control.Answer
	problem string
}

func (a *asker) Ask(_ string, _ map[engine.QuestionID]bool, show func(control.Asked, bool)) {
	if len(a.open) == 0 {
		show(control.Asked{}, false)
		return
	}
	show(a.open[0], true)
}

func (a *asker) Decide(_ string, x control.Answer, done func(string)) {
	a.answers = append(a.answers, x)
	if a.problem == "" {
		a.open = a.open[1:]
	}
	done(a.problem)
}

type stage struct {
	*Dialog
	asker *asker
	win   fyne.Window
	now   time.Time
	left  []bool
}

func newStage(t *testing.T, n int, going bool) *stage {
	t.Helper()
	test.NewTempApp(t)
	present.SetLanguage("en")
	fyne.CurrentApp().Settings().SetTheme(theme.New(theme.Light))
	s := &stage{asker: &asker{}, now: time.Unix(1000, 0)}
	side := engine.Side{Path: "/d/photo.jpg", Exists: true, Size: 1}
	for i := range n {
		q := engine.Question{ID: engine.QuestionID(i + 1), Src: side, Dst: side, Actions: []engine.Action{
			engine.ActionSkip, engine.ActionReplace, engine.ActionKeepBoth, engine.ActionRename,
		}}
		s.asker.open = append(s.asker.open, control.Asked{View: present.NewQuestion(q, "", s.now), Like: n - i, All: n - i, Going: going})
	}
	s.win = test.NewTempWindow(t, canvas.NewRectangle(nil))
	s.win.Resize(fyne.NewSize(900, 600))
	s.Dialog = Show(s.win.Canvas(), s.asker, "1", func() time.Time { return s.now })
	s.OnClose = func(left bool) { s.left = append(s.left, left) }
	return s
}

// press presses a key where the keyboard begins.
func (s *stage) press(n fyne.KeyName) {
	s.answers[s.asked.View.Default].TypedKey(&fyne.KeyEvent{Name: n})
}

// TestEnterTooEarlyDecidesNothing: the key was meant for what was there before the dialog.
func TestEnterTooEarlyDecidesNothing(t *testing.T) {
	s := newStage(t, 2, false)
	if s.win.Canvas().Focused() != fyne.Focusable(s.answers[engine.ActionSkip]) {
		t.Error("the keyboard does not begin with what destroys nothing")
	}
	s.press(fyne.KeyReturn)
	s.now = s.now.Add(900 * time.Millisecond)
	s.press(fyne.KeyReturn)
	test.Tap(s.answers[engine.ActionReplace])
	if len(s.asker.answers) != 0 {
		t.Fatalf("answered %+v within the first second", s.asker.answers)
	}
	s.now = s.now.Add(200 * time.Millisecond)
	s.press(fyne.KeyReturn)
	if len(s.asker.answers) != 1 || s.asker.answers[0].Action != engine.ActionSkip {
		t.Fatalf("Enter means %+v, want what destroys nothing", s.asker.answers)
	}
	s.press(fyne.KeyReturn) // held down
	if len(s.asker.answers) != 1 {
		t.Error("a key that is held down answered the next question too")
	}
	s.now = s.now.Add(time.Second)
	s.press(fyne.KeyReturn)
	if s.Shown() || len(s.left) != 1 || s.left[0] {
		t.Errorf("after the last question: shown %v, left %v", s.Shown(), s.left)
	}
}

func TestEscapeLeavesTheQuestionOpen(t *testing.T) {
	s := newStage(t, 1, false)
	s.now = s.now.Add(time.Minute)
	s.press(fyne.KeyEscape)
	if s.Shown() || len(s.asker.answers) != 0 || len(s.asker.open) != 1 || len(s.left) != 1 || !s.left[0] {
		t.Errorf("shown %v, answers %v, left %v", s.Shown(), s.asker.answers, s.left)
	}
}

func TestForAllLikeThis(t *testing.T) {
	s := newStage(t, 12, false)
	s.now = s.now.Add(time.Minute)
	if s.like.Text != "For all like this (12)" {
		t.Errorf("%q", s.like.Text)
	}
	test.Tap(s.like)
	if s.answers[engine.ActionRename].Enabled() {
		t.Error("one name for twelve")
	}
	test.Tap(s.answers[engine.ActionKeepBoth])
	if a := s.asker.answers[0]; !a.Like || a.Coming || a.Action != engine.ActionKeepBoth {
		t.Errorf("%+v", a)
	}
	if s.like.Checked {
		t.Error("it is still ticked for the next question")
	}
	g := newStage(t, 1, true)
	g.now = g.now.Add(time.Minute)
	test.Tap(g.like)
	test.Tap(g.answers[engine.ActionSkip])
	if a := g.asker.answers[0]; !a.Like || !a.Coming {
		t.Errorf("while the job goes on: %+v", a)
	}
	one := newStage(t, 1, false)
	if one.like.Visible() {
		t.Error("a choice for all although there is one")
	}
}

func TestRename(t *testing.T) {
	s := newStage(t, 1, false)
	s.now = s.now.Add(time.Minute)
	s.asker.problem = "not a name"
	test.Tap(s.answers[engine.ActionRename])
	if !s.rename.Visible() || s.name.Text != "photo.jpg" || s.win.Canvas().Focused() != fyne.Focusable(s.name) {
		t.Fatal("there is nothing to type a name into")
	}
	s.name.SetText("a/b")
	s.name.OnSubmitted("a/b")
	if !s.problem.Visible() || s.problem.Text != "not a name" || !s.Shown() {
		t.Error("the refusal is not shown")
	}
	s.asker.problem = ""
	s.name.SetText("b.jpg")
	s.name.OnSubmitted("b.jpg")
	if a := s.asker.answers[1]; a.Name != "b.jpg" || a.Action != engine.ActionRename || a.Like {
		t.Errorf("%+v", a)
	}
	if s.Shown() {
		t.Error("it stays after the last question")
	}
}

func TestNoQuestionNoDialog(t *testing.T) {
	if s := newStage(t, 0, false); s.Shown() {
		t.Error("a dialog without a question")
	}
}

func TestSmallWindow(t *testing.T) {
	s := newStage(t, 2, true)
	s.win.Resize(fyne.NewSize(480, 500))
	for a, b := range s.answers {
		if b.Visible() && b.Position().X+b.Size().Width > s.buttons.Size().Width+1 {
			t.Errorf("%v does not fit", a)
		}
	}
}
