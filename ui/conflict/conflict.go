// Package conflict is the dialog for a question: both sides beside each other, and what can be answered. The job goes on
// behind it; Escape leaves the question where it was.
package conflict

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"drover/engine"
	"drover/ui/browse"
	"drover/ui/control"
	"drover/ui/present"
	"drover/ui/widget"
)

const (
	// deaf is how long a dialog takes no answer after it appeared: a key that was meant for the list under it must decide nothing.
	deaf = time.Second
	// deafNext is the same for a question after the first: a person who answers one after the other knows what is coming, but a
	// key that is held down must not answer them all.
	deafNext = 300 * time.Millisecond
)

// Asker is what the dialog needs of control.
type Asker interface {
	Ask(id string, later map[engine.QuestionID]bool, show func(a control.Asked, ok bool))
	Decide(id string, a control.Answer, done func(problem string))
}

// Dialog asks the open questions of one job, one after the other.
type Dialog struct {
	// OnClose is told that the dialog went; left says that there were questions left.
	OnClose func(left bool)

	ask    Asker
	id     string
	now    func() time.Time
	canvas fyne.Canvas
	later  map[engine.QuestionID]bool

	asked   control.Asked
	have    bool
	since   time.Time // when this question appeared
	deaf    time.Duration
	busy    bool // an answer is on its way
	closing bool

	sheet    *widget.Sheet
	title    *fynewidget.Label
	text     *fynewidget.Label
	count    *widget.Soft
	old, new *widget.SideCard
	like     *widget.Check
	flow     *flow
	buttons  *fyne.Container
	answers  map[engine.Action]*widget.Button
	close    *widget.Button
	rename   *fyne.Container
	name     *widget.Entry
	problem  *fynewidget.Label
}

// Show opens the dialog for a job. now may be nil.
func Show(c fyne.Canvas, ask Asker, id string, now func() time.Time) *Dialog {
	if now == nil {
		now = time.Now
	}
	d := &Dialog{ask: ask, id: id, now: now, canvas: c, later: map[engine.QuestionID]bool{}, answers: map[engine.Action]*widget.Button{}}
	d.build()
	d.next()
	return d
}

func (d *Dialog) build() {
	d.title = fynewidget.NewLabel("")
	d.title.TextStyle.Bold = true
	d.title.SizeName = "subHeadingText"
	d.title.Truncation = fyne.TextTruncateEllipsis
	d.text = fynewidget.NewLabel("")
	d.text.Wrapping = fyne.TextWrapWord
	d.count = widget.NewSoft()
	d.problem = fynewidget.NewLabel("")
	d.problem.Importance = fynewidget.DangerImportance
	d.problem.Wrapping = fyne.TextWrapWord
	d.problem.Hide()
	d.old, d.new = widget.NewSideCard(), widget.NewSideCard()
	d.like = widget.NewCheck("", func(bool) { d.fitAnswers() })
	d.like.OnKey = d.key
	d.name = widget.NewEntry(present.T("window.new_name"))
	d.name.OnEscape = d.endRename
	d.name.OnSubmitted = func(string) { d.answer(engine.ActionRename) }
	ok := widget.NewButton(present.T("window.action_rename_ok"), widget.Primary, func() { d.answer(engine.ActionRename) })
	ok.OnKey = d.key
	d.rename = container.NewBorder(nil, nil, nil, ok, d.name)
	d.rename.Hide()
	d.flow = &flow{width: min(sheetWidth, d.canvas.Size().Width-32) - 40 - 90}
	d.buttons = container.New(d.flow)
	for _, a := range []engine.Action{
		engine.ActionSkip, engine.ActionKeepBoth, engine.ActionReplace, engine.ActionNewer, engine.ActionRename,
		engine.ActionRenameOld, engine.ActionRetry,
	} {
		look := widget.Normal
		if a == engine.ActionReplace {
			look = widget.Danger
		}
		b := widget.NewButton(present.ActionText(a), look, func() { d.press(a) })
		b.OnKey = d.key
		d.answers[a] = b
		d.buttons.Add(b)
	}
	d.close = widget.NewButton(present.T("window.later"), widget.Flat, func() { d.Close() })
	d.close.OnKey = d.key
	sides := container.New(pair{}, d.old, d.new)
	body := container.NewVBox(
		container.NewBorder(nil, nil, nil, d.count, d.title),
		d.text, sides, d.like, d.problem, d.rename,
		container.NewBorder(nil, nil, nil, container.NewVBox(d.close), d.buttons),
	)
	d.sheet = widget.NewSheet(d.canvas, body, fyne.NewSize(sheetWidth, 0))
	d.sheet.OnClose = func() {
		d.closing = true
		if d.OnClose != nil {
			d.OnClose(d.have)
		}
	}
}

// pair puts two cards beside each other.
type pair struct{}

func (pair) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(a.Width+b.Width+12, max(a.Height, b.Height))
}

func (pair) Layout(o []fyne.CanvasObject, s fyne.Size) {
	w := (s.Width - 12) / 2
	o[0].Resize(fyne.NewSize(w, s.Height))
	o[1].Move(fyne.NewPos(w+12, 0))
	o[1].Resize(fyne.NewSize(w, s.Height))
}

// sheetWidth has room for all answers in one line, in English.
const sheetWidth = 760

// flow puts buttons beside each other, and on another line what has no room. It is told the width beforehand, since fyne asks for
// the height first.
type flow struct{ width float32 }

const flowGap = 6

func (f *flow) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(min(f.width, 300), f.walk(o, f.width, nil))
}

func (f *flow) Layout(o []fyne.CanvasObject, s fyne.Size) {
	f.walk(o, s.Width, func(b fyne.CanvasObject, at fyne.Position) {
		b.Move(at)
		b.Resize(b.MinSize())
	})
}

// walk calls put with the place of each and returns the height of all.
func (f *flow) walk(o []fyne.CanvasObject, width float32, put func(fyne.CanvasObject, fyne.Position)) float32 {
	x, y, line := float32(0), float32(0), float32(0)
	for _, b := range o {
		if !b.Visible() {
			continue
		}
		m := b.MinSize()
		if x > 0 && x+m.Width > width {
			x, y = 0, y+line+flowGap
		}
		if put != nil {
			put(b, fyne.NewPos(x, y))
		}
		x += m.Width + flowGap
		line = max(line, m.Height)
	}
	return y + line
}

// next shows the next open question, or goes if there is none.
func (d *Dialog) next() {
	d.ask.Ask(d.id, d.later, func(a control.Asked, ok bool) {
		if d.closing {
			return
		}
		d.busy = false
		if !ok {
			d.have = false
			d.Close()
			d.closing = true
			return
		}
		d.show(a)
	})
}

func (d *Dialog) show(a control.Asked) {
	d.asked, d.have, d.since, d.deaf = a, true, d.now(), deafNext
	if !d.sheet.Shown() {
		d.deaf = deaf
	}
	v := a.View
	d.title.SetText(v.Title)
	d.text.SetText(v.Text)
	d.count.SetText("")
	if a.All > 1 {
		d.count.SetText(present.T("window.question_of", "Count", int64(a.All)))
	}
	d.old.Set(sideCells(v.Old))
	d.new.Set(sideCells(v.New))
	d.like.Checked = false
	d.like.Text = likeText(a)
	if a.Like > 1 || a.Going {
		d.like.Show()
	} else {
		d.like.Hide()
	}
	d.like.Refresh()
	d.problem.Hide()
	d.rename.Hide()
	d.name.SetText(v.Name)
	d.fitAnswers()
	if !d.sheet.Shown() {
		d.sheet.Open(d.answers[v.Default])
		return
	}
	d.sheet.Refresh()
	d.canvas.Focus(d.answers[v.Default])
}

func likeText(a control.Asked) string {
	if a.Going {
		return present.T("window.like_coming", "Count", int64(a.Like))
	}
	return present.T("window.like", "Count", int64(a.Like))
}

func sideCells(s present.SideView) widget.SideCells {
	return widget.SideCells{
		Heading: s.Heading, Icon: browse.Icon(s.Icon), Name: s.Name, Folder: s.Folder,
		Kind: s.Kind, Size: s.Size, Date: s.Date, Hints: s.Hints,
	}
}

// fitAnswers shows the answers that fit. A name can only be given to one.
func (d *Dialog) fitAnswers() {
	for a, b := range d.answers {
		on := false
		for _, x := range d.asked.View.Actions {
			on = on || x == a
		}
		b.Hidden = !on
		b.Enable(!(a == engine.ActionRename && d.like.Checked && d.like.Visible()))
	}
	d.buttons.Refresh()
}

// press is an answer from a button.
func (d *Dialog) press(a engine.Action) {
	if a == engine.ActionRename && d.awake() {
		d.rename.Show()
		d.sheet.Refresh()
		d.canvas.Focus(d.name)
		return
	}
	d.answer(a)
}

func (d *Dialog) awake() bool { return d.have && !d.busy && d.now().Sub(d.since) >= d.deaf }

func (d *Dialog) answer(a engine.Action) {
	if !d.awake() {
		return
	}
	d.busy = true
	all := d.like.Visible() && d.like.Checked && a != engine.ActionRename
	d.ask.Decide(d.id, control.Answer{
		ID: d.asked.View.ID, Why: d.asked.View.Why, Action: a, Name: d.name.Text,
		Like: all, Coming: all && d.asked.Going,
	}, func(problem string) {
		if d.closing {
			return
		}
		if problem != "" {
			d.busy = false
			d.problem.SetText(problem)
			d.problem.Show()
			d.sheet.Refresh()
			return
		}
		d.next()
	})
}

func (d *Dialog) endRename() {
	d.rename.Hide()
	d.sheet.Refresh()
	d.canvas.Focus(d.answers[d.asked.View.Default])
}

// key moves between the answers with the arrows and closes with Escape.
func (d *Dialog) key(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyRight, fyne.KeyDown:
		d.canvas.FocusNext()
	case fyne.KeyLeft, fyne.KeyUp:
		d.canvas.FocusPrevious()
	case fyne.KeyEscape:
		d.Close()
	}
}

// Close takes the dialog away; the question stays open.
func (d *Dialog) Close() { d.sheet.Close() }

// Shown reports whether the dialog is on the screen.
func (d *Dialog) Shown() bool { return d.sheet.Shown() }
