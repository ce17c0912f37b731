package failures

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"drover/engine"
	"drover/ui/present"
	"drover/ui/theme"
)

type lister struct {
	list    []present.FailureView
	ended   bool
	retried []engine.QuestionID
	all     int
}

func (l *lister) Failures(_ string, show func([]present.FailureView, int, bool)) {
	show(l.list, len(l.list), l.ended)
}
func (l *lister) Retry(string) { l.all++ }
func (l *lister) RetryOne(_ string, f engine.QuestionID) {
	l.retried = append(l.retried, f)
	l.list = l.list[1:]
}

func open(t *testing.T, n int, ended bool) (*Dialog, *lister) {
	t.Helper()
	test.NewTempApp(t)
	present.SetLanguage("en")
	fyne.CurrentApp().Settings().SetTheme(theme.New(theme.Light))
	l := &lister{ended: ended}
	for i := range n {
		l.list = append(l.list, present.FailureView{ID: engine.QuestionID(i + 1), Name: fmt.Sprint("file ", i), Reason: "No", Advice: "Yes."})
	}
	w := test.NewTempWindow(t, canvas.NewRectangle(nil))
	w.Resize(fyne.NewSize(900, 600))
	return Show(w.Canvas(), l, "1"), l
}

func TestFailures(t *testing.T) {
	d, l := open(t, 2, false)
	if !d.Shown() || d.title.Text != "2 items were not copied" || d.why.Text != "No. Yes." {
		t.Fatalf("shown %v, %q, %q", d.Shown(), d.title.Text, d.why.Text)
	}
	d.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if d.sel != 1 {
		t.Errorf("row %d", d.sel)
	}
	d.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	test.Tap(d.one)
	if len(l.retried) != 1 || l.retried[0] != 1 || !d.Shown() {
		t.Errorf("retried %v, shown %v", l.retried, d.Shown())
	}
	test.Tap(d.one)
	if d.Shown() {
		t.Error("an empty list stays")
	}
}

func TestRetryAll(t *testing.T) {
	d, l := open(t, 3, true)
	if d.one.Visible() {
		t.Error("one item of an ended job cannot be tried again alone")
	}
	test.Tap(d.all)
	if l.all != 1 || d.Shown() {
		t.Errorf("retried %d times, shown %v", l.all, d.Shown())
	}
}

func TestEscapeCloses(t *testing.T) {
	d, _ := open(t, 1, false)
	d.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.Shown() {
		t.Error("it is still there")
	}
	if none, _ := open(t, 0, false); none.Shown() {
		t.Error("a list of nothing")
	}
}

// TestNoRetryOfWhatItNeverMends: the buttons are there for what they may mend.
func TestNoRetryOfWhatItNeverMends(t *testing.T) {
	d, l := open(t, 2, false)
	l.list[0].Final = true
	d.Reload()
	if d.one.Enabled() || !d.all.Visible() {
		t.Errorf("one of two: one %v, all %v", d.one.Enabled(), d.all.Visible())
	}
	test.Tap(d.one)
	d.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if !d.one.Enabled() || len(l.retried) != 0 {
		t.Errorf("the other: one %v, retried %v", d.one.Enabled(), l.retried)
	}
	l.list[1].Final = true
	d.Reload()
	if d.one.Visible() || d.all.Visible() {
		t.Errorf("none: one %v, all %v", d.one.Visible(), d.all.Visible())
	}
}
