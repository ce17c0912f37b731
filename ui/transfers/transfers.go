// Package transfers is the list of jobs at the foot of the window. It shows the rows that control made and reports what is
// pressed; each row is known by the id of its job, never by where it stands.
package transfers

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// Actions are what can be done with a job.
type Actions struct {
	Pause, Resume, Cancel, Clear, Retry, Show func(id string)
	// Review shows the questions, or if there are none the failures.
	Review func(id string)
	Hint   func(string)
	Key    func(*fyne.KeyEvent)
	// Pointer is called before what a press with the pointer does.
	Pointer func()
}

// List shows jobs, the newest first.
type List struct {
	// OnHeight is told that Height changed.
	OnHeight func()

	do      Actions
	rows    map[string]*widget.TransferRow
	order   []string
	box     *fyne.Container
	scroll  *container.Scroll
	shading *canvas.Rectangle
	object  *fyne.Container
	height  float32
}

// New returns an empty list.
func New(do Actions) *List {
	l := &List{do: do, rows: map[string]*widget.TransferRow{}}
	l.box = container.New(stack{})
	l.scroll = container.NewVScroll(l.box)
	l.shading = canvas.NewRectangle(fynetheme.Color(theme.Sidebar))
	l.object = container.NewStack(l.shading, l.scroll)
	return l
}

// stack puts rows under each other without a gap.
type stack struct{}

func (stack) MinSize(objects []fyne.CanvasObject) fyne.Size {
	s := fyne.NewSize(0, 0)
	for _, o := range objects {
		m := o.MinSize()
		s.Height += m.Height
		s.Width = max(s.Width, m.Width)
	}
	return s
}

func (stack) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		h := o.MinSize().Height
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		y += h
	}
}

// Object is the list as it is put into a window.
func (l *List) Object() fyne.CanvasObject { return l.object }

// Restyle takes over a change of the theme.
func (l *List) Restyle() {
	l.shading.FillColor = fynetheme.Color(theme.Sidebar)
	l.shading.Refresh()
}

// Height is how high the list would like to be, 0 for none.
func (l *List) Height() float32 { return l.height }

// Show shows rows.
func (l *List) Show(rows []present.Transfer) {
	same := len(rows) == len(l.order)
	for i := range rows {
		same = same && l.order[i] == rows[i].ID
	}
	resized := false
	if !same {
		l.rebuild(rows)
		resized = true
	}
	for i := range rows {
		if l.rows[rows[i].ID].Set(cells(&rows[i])) {
			resized = true
		}
	}
	if resized {
		l.box.Refresh()
		l.scroll.Refresh()
		if h := l.box.MinSize().Height; h != l.height {
			l.height = h
			if l.OnHeight != nil {
				l.OnHeight()
			}
		}
	}
}

func (l *List) rebuild(rows []present.Transfer) {
	kept := make(map[string]*widget.TransferRow, len(rows))
	l.order = l.order[:0]
	objects := make([]fyne.CanvasObject, 0, len(rows))
	for i := range rows {
		id := rows[i].ID
		row := l.rows[id]
		if row == nil {
			row = l.newRow(id)
		}
		kept[id] = row
		l.order = append(l.order, id)
		objects = append(objects, row)
	}
	l.rows = kept
	l.box.Objects = objects
}

func (l *List) newRow(id string) *widget.TransferRow {
	r := widget.NewTransferRow(widget.TransferTexts{
		Pause:  present.T("window.pause"),
		Resume: present.T("window.resume"),
		Cancel: present.T("window.cancel"),
		Review: present.T("window.review"),
		Retry:  present.T("window.retry"),
		Show:   present.T("window.show"),
		Clear:  present.T("window.clear"),
	}, l.do.Hint, l.do.Key, l.do.Pointer)
	on := func(f func(string)) func() {
		return func() {
			if f != nil {
				f(id)
			}
		}
	}
	r.OnPause, r.OnResume, r.OnCancel = on(l.do.Pause), on(l.do.Resume), on(l.do.Cancel)
	r.OnReview, r.OnRetry, r.OnShow, r.OnClear = on(l.do.Review), on(l.do.Retry), on(l.do.Show), on(l.do.Clear)
	return r
}

// cells says how a row looks.
func cells(t *present.Transfer) widget.TransferCells {
	c := widget.TransferCells{
		Title: t.Title, Percent: t.Percent, Numbers: t.Numbers, Detail: t.Detail,
		Problem: t.Problem, Attention: t.Attention, Ended: t.Ended, Fraction: t.Fraction,
		Pause: t.CanPause, Resume: t.CanResume, Cancel: t.CanCancel, Review: t.CanReview,
		Retry: t.CanRetry, Show: t.CanShow, Clear: t.CanClear,
	}
	switch t.Mark {
	case present.MarkPaused:
		c.Icon, c.Fill = theme.Paused, theme.Secondary
	case present.MarkWaiting:
		c.Icon, c.Fill = theme.Question, fynetheme.ColorNameWarning
		c.Urgent = t.Questions > 0
	case present.MarkDone:
		c.Icon = theme.Check
	case present.MarkPartly:
		c.Icon = theme.Warning
	case present.MarkFailed:
		c.Icon = theme.Failed
	case present.MarkCancelled:
		c.Icon = theme.Stopped
	default:
		c.Icon = theme.Copying
	}
	return c
}
