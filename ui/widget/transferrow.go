package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// TransferCells is what a TransferRow shows.
type TransferCells struct {
	Icon      fyne.Resource
	Title     string
	Percent   string
	Numbers   string
	Detail    string
	Problem   string // in the colour of a warning, instead of Detail
	Attention string
	Ended     bool
	Urgent    bool // nothing goes on before a person has reviewed it
	Fraction  float64
	Fill      fyne.ThemeColorName

	// Which buttons there are.
	Pause, Resume, Cancel, Review, Retry, Show, Clear bool
}

// TransferRow is one job: what goes where, how far it is, and what can be done with it.
type TransferRow struct {
	widget.BaseWidget

	OnPause, OnResume, OnCancel, OnReview, OnRetry, OnShow, OnClear func()

	cells                               TransferCells
	pause, cancel, review, retry, shown *Button
	texts                               TransferTexts
}

// TransferTexts are the words on the buttons.
type TransferTexts struct{ Pause, Resume, Cancel, Review, Retry, Show, Clear string }

// NewTransferRow returns an empty row. pointer is called before whatever a press with the pointer does; it may be nil.
func NewTransferRow(t TransferTexts, hint func(string), key func(*fyne.KeyEvent), pointer func()) *TransferRow {
	r := &TransferRow{texts: t}
	call := func(f *func()) func() {
		return func() {
			if *f != nil {
				(*f)()
			}
		}
	}
	r.pause = NewIconButton(theme.Pause, t.Pause, func() {
		if r.cells.Resume {
			call(&r.OnResume)()
		} else {
			call(&r.OnPause)()
		}
	})
	r.cancel = NewIconButton(theme.Close, t.Cancel, func() {
		if r.cells.Clear {
			call(&r.OnClear)()
		} else {
			call(&r.OnCancel)()
		}
	})
	r.review = NewButton(t.Review, Normal, call(&r.OnReview))
	r.retry = NewButton(t.Retry, Normal, call(&r.OnRetry))
	r.shown = NewButton(t.Show, Flat, call(&r.OnShow))
	for _, b := range r.buttons() {
		b.OnHint, b.OnKey, b.OnPointer = hint, key, pointer
		b.Hide()
	}
	r.ExtendBaseWidget(r)
	return r
}

func (r *TransferRow) buttons() []*Button {
	return []*Button{r.review, r.retry, r.shown, r.pause, r.cancel}
}

// relabel gives the two buttons that change their meaning the right one.
func (r *TransferRow) relabel() {
	if r.cells.Resume {
		r.pause.SetIcon(theme.Play, r.texts.Resume)
	} else {
		r.pause.SetIcon(theme.Pause, r.texts.Pause)
	}
	hint := r.texts.Cancel
	if r.cells.Clear {
		hint = r.texts.Clear
	}
	r.cancel.SetHint(hint)
	r.review.Look = Normal
	if r.cells.Urgent {
		r.review.Look = Primary
	}
}

// Set shows c. It reports whether the height of the row changed.
func (r *TransferRow) Set(c TransferCells) bool {
	if c == r.cells {
		return false
	}
	h := r.height()
	r.cells = c
	r.Refresh()
	return r.height() != h
}

func (r *TransferRow) height() float32 {
	if !r.cells.Ended {
		return 74
	}
	if r.cells.Problem != "" {
		return 58
	}
	return 40
}

// CreateRenderer implements fyne.Widget.
func (r *TransferRow) CreateRenderer() fyne.WidgetRenderer {
	r.ExtendBaseWidget(r)
	const iconSize, padX, button = 20, 14, 30
	icon := newIcon(theme.Copying)
	title, percent := newText(textSize()), newText(textSize())
	numbers, detail, attention := newText(textSize()), newText(captionSize()), newText(captionSize())
	title.TextStyle.Bold, percent.TextStyle.Bold = true, true
	attention.TextStyle.Bold = true
	line := canvas.NewRectangle(nil)
	bar := NewBar(6)
	rr := &simple{objects: []fyne.CanvasObject{icon, title, percent, numbers, bar, detail, attention, line}}
	for _, b := range r.buttons() {
		rr.objects = append(rr.objects, b)
	}
	rr.min = func() fyne.Size { return fyne.NewSize(320, r.height()) }
	width := func(t *canvas.Text, s string) float32 { return measure(s, t.TextSize, t.TextStyle) }
	rr.layout = func(s fyne.Size) {
		c := &r.cells
		const firstTop, first = 6, 28
		top := float32(firstTop)
		icon.Move(fyne.NewPos(padX, top+(first-iconSize)/2))
		icon.Resize(fyne.NewSquareSize(iconSize))
		left := float32(padX + iconSize + 10)
		right := s.Width - padX + 4
		put := func(b *Button, on bool, w float32) {
			b.Hidden = !on
			if on {
				right -= w
				b.Move(fyne.NewPos(right, top+(first-button)/2))
				b.Resize(fyne.NewSize(w, button))
				right -= 2
			}
		}
		put(r.cancel, c.Cancel || c.Clear, button)
		put(r.pause, c.Pause || c.Resume, button)
		edge := right - 6 // of the bar
		wReview := r.review.MinSize().Width
		if c.Ended {
			put(r.shown, c.Show, r.shown.MinSize().Width)
			put(r.retry, c.Retry, r.retry.MinSize().Width)
			put(r.review, c.Review, wReview)
			right -= 8
		} else {
			r.shown.Hidden, r.retry.Hidden = true, true
			right = edge
		}
		// the numbers stand at the right of the first line, the title gets what is left of it
		room := right - left
		num := Elide(c.Numbers, room*0.62, numbers.TextSize, numbers.TextStyle, false)
		wn := width(numbers, num)
		numbers.Text = num
		place(numbers, right-wn, top, wn, first)
		end := right - wn
		wp := width(percent, c.Percent)
		percent.Text = c.Percent
		percent.Hidden = c.Percent == "" || c.Ended
		if !percent.Hidden {
			if wn > 0 {
				end -= 16
			}
			place(percent, end-wp, top, wp, first)
			end -= wp
		}
		if c.Ended && c.Attention != "" {
			wa := width(attention, c.Attention)
			attention.Text = c.Attention
			place(attention, end-wa-14, top, wa, first)
			end -= wa + 14
		}
		attention.Hidden = c.Attention == ""
		wt := max(0, end-left-16)
		title.Text = Elide(c.Title, wt, title.TextSize, title.TextStyle, true)
		place(title, left, top, wt, first)

		bar.Hidden = c.Ended
		second := c.Problem
		if !c.Ended {
			bar.Move(fyne.NewPos(left, top+first+2))
			bar.Resize(fyne.NewSize(edge-left, 6))
			top += first + 9
			rightEdge := edge
			r.review.Hidden = !c.Review
			if c.Review {
				x := edge - wReview
				r.review.Move(fyne.NewPos(x, top))
				r.review.Resize(fyne.NewSize(wReview, 24))
				rightEdge = x - 10
			}
			if c.Attention != "" {
				wa := width(attention, c.Attention)
				attention.Text = c.Attention
				place(attention, rightEdge-wa, top, wa, 24)
				rightEdge -= wa + 14
			}
			if second == "" {
				second = c.Detail
			}
			right = rightEdge
		} else {
			top += first - 2
			right = s.Width - padX
		}
		detail.Hidden = second == ""
		detail.Text = Elide(second, right-left, detail.TextSize, detail.TextStyle, false)
		place(detail, left, top, right-left, 24)
		line.Move(fyne.NewPos(0, s.Height-1))
		line.Resize(fyne.NewSize(s.Width, 1))
	}
	rr.refresh = func() {
		c := &r.cells
		fg, soft := colour(fynetheme.ColorNameForeground), colour(theme.Secondary)
		if c.Icon != nil {
			icon.Resource = c.Icon
		}
		title.Color, percent.Color, numbers.Color = fg, fg, soft
		detail.Color, attention.Color = soft, colour(fynetheme.ColorNameWarning)
		if c.Problem != "" {
			detail.Color = colour(fynetheme.ColorNameWarning)
			if c.Ended {
				detail.Color = colour(fynetheme.ColorNameError)
			}
		}
		line.FillColor = colour(fynetheme.ColorNameSeparator)
		for _, t := range []*canvas.Text{title, percent, numbers} {
			t.TextSize = textSize()
		}
		detail.TextSize, attention.TextSize = captionSize(), captionSize()
		r.relabel()
		fill := c.Fill
		if fill == "" {
			fill = fynetheme.ColorNamePrimary
		}
		bar.Set(c.Fraction, fill)
		rr.layout(r.Size())
		for _, o := range rr.objects[:8] {
			if o != fyne.CanvasObject(bar) {
				o.Refresh()
			}
		}
		for _, b := range r.buttons() {
			if b.Visible() {
				b.Refresh()
			}
		}
	}
	rr.refresh()
	return rr
}
