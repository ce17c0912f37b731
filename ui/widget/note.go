package widget

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// Blank stands where a list has nothing to show: an icon, a title and a sentence, in the middle.
type Blank struct {
	widget.BaseWidget
	icon        fyne.Resource
	title, text string
}

// NewBlank returns an empty one.
func NewBlank() *Blank {
	b := &Blank{}
	b.ExtendBaseWidget(b)
	return b
}

// Set says what there is to say.
func (b *Blank) Set(icon fyne.Resource, title, text string) {
	if b.icon != icon || b.title != title || b.text != text {
		b.icon, b.title, b.text = icon, title, text
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *Blank) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	const iconSize = 52
	icon := newIcon(theme.Folder)
	icon.Translucency = 0.35
	title := newText(fynetheme.Size(fynetheme.SizeNameSubHeadingText))
	text := widget.NewLabel("")
	text.Alignment = fyne.TextAlignCenter
	text.Wrapping = fyne.TextWrapWord
	r := &simple{objects: []fyne.CanvasObject{icon, title, text}}
	r.min = func() fyne.Size { return fyne.NewSize(200, 150) }
	r.layout = func(s fyne.Size) {
		y := max(12, s.Height/2.4-iconSize)
		icon.Move(fyne.NewPos((s.Width-iconSize)/2, y))
		icon.Resize(fyne.NewSquareSize(iconSize))
		y += iconSize + 12
		title.Text = Elide(b.title, s.Width-32, title.TextSize, title.TextStyle, false)
		w := measure(title.Text, title.TextSize, title.TextStyle)
		place(title, (s.Width-w)/2, y, w, 24)
		tw := min(s.Width-32, 420)
		text.Move(fyne.NewPos((s.Width-tw)/2, y+24))
		text.Resize(fyne.NewSize(tw, 72))
	}
	r.refresh = func() {
		icon.Hidden = b.icon == nil
		if b.icon != nil {
			icon.Resource = b.icon
		}
		title.TextSize = fynetheme.Size(fynetheme.SizeNameSubHeadingText)
		title.Color = colour(fynetheme.ColorNameForeground)
		text.SetText(b.text)
		r.layout(b.Size())
		icon.Refresh()
		title.Refresh()
		text.Refresh()
	}
	r.refresh()
	return r
}

// Line is one line of quiet text with an end that is right aligned, for the foot of a view.
type Line struct {
	widget.BaseWidget
	left, right string
}

// NewLine returns an empty line.
func NewLine() *Line {
	l := &Line{}
	l.ExtendBaseWidget(l)
	return l
}

// Set shows two texts. The left one is shortened if both do not fit.
func (l *Line) Set(left, right string) {
	if l.left != left || l.right != right {
		l.left, l.right = left, right
		l.Refresh()
	}
}

// Texts are what is shown.
func (l *Line) Texts() (left, right string) { return l.left, l.right }

// CreateRenderer implements fyne.Widget.
func (l *Line) CreateRenderer() fyne.WidgetRenderer {
	l.ExtendBaseWidget(l)
	a, b := newText(captionSize()), newText(captionSize())
	rule := canvas.NewRectangle(nil)
	r := &simple{objects: []fyne.CanvasObject{rule, a, b}}
	r.min = func() fyne.Size { return fyne.NewSize(80, 26) }
	r.layout = func(s fyne.Size) {
		const pad = 12
		rule.Resize(fyne.NewSize(s.Width, 1))
		w := s.Width - 2*pad
		b.Text = Elide(l.right, w*0.6, b.TextSize, b.TextStyle, false)
		bw := measure(b.Text, b.TextSize, b.TextStyle)
		place(b, s.Width-pad-bw, 0, bw, s.Height)
		aw := max(0, w-bw-12)
		a.Text = Elide(l.left, aw, a.TextSize, a.TextStyle, false)
		place(a, pad, 0, aw, s.Height)
	}
	r.refresh = func() {
		rule.FillColor = colour(fynetheme.ColorNameSeparator)
		for _, t := range []*canvas.Text{a, b} {
			t.TextSize, t.Color = captionSize(), colour(theme.Secondary)
		}
		r.layout(l.Size())
		rule.Refresh()
		a.Refresh()
		b.Refresh()
	}
	r.refresh()
	return r
}

// Heading is the title of a group of rows.
type Heading struct {
	widget.BaseWidget
	text string
}

// NewHeading returns a title.
func NewHeading(text string) *Heading {
	h := &Heading{text: text}
	h.ExtendBaseWidget(h)
	return h
}

// CreateRenderer implements fyne.Widget.
func (h *Heading) CreateRenderer() fyne.WidgetRenderer {
	h.ExtendBaseWidget(h)
	t := newText(captionSize() - 1)
	r := &simple{objects: []fyne.CanvasObject{t}}
	r.min = func() fyne.Size { return fyne.NewSize(80, 30) }
	r.layout = func(s fyne.Size) { place(t, 14, 6, s.Width-28, s.Height-6) }
	r.refresh = func() {
		t.Text, t.TextStyle.Bold = strings.ToUpper(h.text), true
		t.TextSize, t.Color = captionSize()-1, colour(theme.Secondary)
		t.Refresh()
	}
	r.refresh()
	return r
}

// Notice is a message above the contents of a window, with a button that takes it away.
type Notice struct {
	widget.BaseWidget
	text  string
	bad   bool
	close *Button
}

// NewNotice returns a notice without a text.
func NewNotice(closed func()) *Notice {
	n := &Notice{close: NewIconButton(theme.Close, "", closed)}
	n.ExtendBaseWidget(n)
	return n
}

// Set changes the message; problem says that it is about something that did not work.
func (n *Notice) Set(text string, problem bool) {
	n.text, n.bad = text, problem
	n.Refresh()
}

// Text is the message.
func (n *Notice) Text() string { return n.text }

// CreateRenderer implements fyne.Widget.
func (n *Notice) CreateRenderer() fyne.WidgetRenderer {
	n.ExtendBaseWidget(n)
	bg, rule := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	icon := newIcon(theme.Warning)
	t := newText(textSize())
	r := &simple{objects: []fyne.CanvasObject{bg, rule, icon, t, n.close}}
	r.min = func() fyne.Size { return fyne.NewSize(200, 36) }
	r.layout = func(s fyne.Size) {
		bg.Resize(s)
		rule.Move(fyne.NewPos(0, s.Height-1))
		rule.Resize(fyne.NewSize(s.Width, 1))
		icon.Move(fyne.NewPos(14, (s.Height-18)/2))
		icon.Resize(fyne.NewSquareSize(18))
		n.close.Move(fyne.NewPos(s.Width-38, 3))
		n.close.Resize(fyne.NewSquareSize(30))
		w := s.Width - 42 - 46
		t.Text = Elide(n.text, w, t.TextSize, t.TextStyle, false)
		place(t, 42, 0, w, s.Height)
	}
	r.refresh = func() {
		bg.FillColor = colour(theme.Selected)
		rule.FillColor = colour(fynetheme.ColorNameSeparator)
		t.TextSize, t.Color = textSize(), colour(fynetheme.ColorNameForeground)
		icon.Resource = theme.Info
		if n.bad {
			icon.Resource = theme.Warning
		}
		r.layout(n.Size())
		for _, o := range r.objects {
			o.Refresh()
		}
	}
	r.refresh()
	return r
}

// Soft is one line of text that explains and does not lead.
type Soft struct {
	widget.BaseWidget
	text string
}

// NewSoft returns an empty line.
func NewSoft() *Soft {
	s := &Soft{}
	s.ExtendBaseWidget(s)
	return s
}

// SetText changes the text.
func (s *Soft) SetText(text string) {
	if s.text != text {
		s.text = text
		s.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (s *Soft) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	t := newText(captionSize())
	r := &simple{objects: []fyne.CanvasObject{t}}
	r.min = func() fyne.Size { return fyne.NewSize(measure(s.text, captionSize(), t.TextStyle)+12, 28) }
	r.layout = func(size fyne.Size) { place(t, 6, 0, size.Width-12, size.Height) }
	r.refresh = func() {
		t.Text, t.TextSize, t.Color = s.text, captionSize(), colour(theme.Secondary)
		r.layout(s.Size())
		t.Refresh()
	}
	r.refresh()
	return r
}
