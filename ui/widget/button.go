package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// Look is how prominent a button is.
type Look uint8

// The looks.
const (
	Flat    Look = iota // no background until the pointer is over it
	Normal              // one of several answers
	Primary             // what most people want
	Danger              // what cannot be taken back lightly
)

// Button is a button with an icon, a text or both, which Space and Enter press too.
type Button struct {
	widget.BaseWidget

	Text  string
	Icon  fyne.Resource
	Look  Look
	Hint  string // what it does, for where there is no text
	OnTap func()
	// OnPointer is called before OnTap when the pointer pressed, not the keyboard: the keyboard can go to where it is of more use.
	OnPointer func()
	// OnKey gets the keys that a button has no use for.
	OnKey func(*fyne.KeyEvent)
	// OnHint is told the Hint while the pointer or the keyboard is on the button, and "" after that.
	OnHint func(string)

	disabled, hovered, focused, pressed bool
}

var (
	_ fyne.Focusable    = (*Button)(nil)
	_ fyne.Tappable     = (*Button)(nil)
	_ desktop.Hoverable = (*Button)(nil)
	_ desktop.Mouseable = (*Button)(nil)
)

// NewButton returns a button with a text.
func NewButton(text string, look Look, tap func()) *Button {
	b := &Button{Text: text, Look: look, OnTap: tap}
	b.ExtendBaseWidget(b)
	return b
}

// NewIconButton returns a flat button with an icon.
func NewIconButton(icon fyne.Resource, hint string, tap func()) *Button {
	b := &Button{Icon: icon, Hint: hint, OnTap: tap}
	b.ExtendBaseWidget(b)
	return b
}

// Enable says whether the button can be pressed.
func (b *Button) Enable(on bool) {
	if b.disabled == !on {
		return
	}
	b.disabled = !on
	if b.disabled {
		b.hovered, b.pressed = false, false
	}
	b.Refresh()
}

// Enabled reports whether the button can be pressed.
func (b *Button) Enabled() bool { return !b.disabled }

// SetText changes the text.
func (b *Button) SetText(s string) {
	if b.Text != s {
		b.Text = s
		b.Refresh()
	}
}

// SetIcon changes the icon and the hint.
func (b *Button) SetIcon(r fyne.Resource, hint string) {
	b.SetHint(hint)
	if b.Icon != r {
		b.Icon = r
		b.Refresh()
	}
}

// SetHint changes what the button says it does, also while the pointer is on it.
func (b *Button) SetHint(s string) {
	if b.Hint != s {
		b.Hint = s
		if b.hovered || b.focused {
			b.hint(s)
		}
	}
}

// SetLook changes how prominent the button is.
func (b *Button) SetLook(l Look) {
	if b.Look != l {
		b.Look = l
		b.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (b *Button) Tapped(*fyne.PointEvent) {
	if b.OnPointer != nil {
		b.OnPointer()
	}
	b.press()
}

func (b *Button) press() {
	if !b.disabled && b.OnTap != nil {
		b.OnTap()
	}
}

// FocusGained implements fyne.Focusable.
func (b *Button) FocusGained() {
	b.focused = true
	b.hint(b.Hint)
	b.Refresh()
}

// FocusLost implements fyne.Focusable.
func (b *Button) FocusLost() {
	b.focused = false
	b.hint("")
	b.Refresh()
}

// TypedRune implements fyne.Focusable.
func (b *Button) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (b *Button) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.press()
	default:
		if b.OnKey != nil {
			b.OnKey(ev)
		}
	}
}

// MouseIn implements desktop.Hoverable.
func (b *Button) MouseIn(*desktop.MouseEvent) {
	b.hint(b.Hint)
	if !b.disabled {
		b.hovered = true
		b.Refresh()
	}
}

// MouseMoved implements desktop.Hoverable.
func (b *Button) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *Button) MouseOut() {
	b.hint("")
	if b.hovered || b.pressed {
		b.hovered, b.pressed = false, false
		b.Refresh()
	}
}

// MouseDown implements desktop.Mouseable.
func (b *Button) MouseDown(*desktop.MouseEvent) {
	if !b.disabled {
		b.pressed = true
		b.Refresh()
	}
}

// MouseUp implements desktop.Mouseable.
func (b *Button) MouseUp(*desktop.MouseEvent) {
	if b.pressed {
		b.pressed = false
		b.Refresh()
	}
}

func (b *Button) hint(s string) {
	if b.OnHint != nil && b.Hint != "" {
		b.OnHint(s)
	}
}

// CreateRenderer implements fyne.Widget.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	bg, over := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	icon := newIcon(b.Icon)
	text := newText(textSize())
	const iconSize, padX, gap, height = 18, 12, 6, 30
	r := &simple{objects: []fyne.CanvasObject{bg, over, icon, text}}
	r.min = func() fyne.Size {
		if b.Text == "" {
			return fyne.NewSize(height, height)
		}
		w := 2*padX + measure(b.Text, textSize(), text.TextStyle)
		if b.Icon != nil {
			w += iconSize + gap - 4
		}
		return fyne.NewSize(w, height)
	}
	r.layout = func(s fyne.Size) {
		bg.Resize(s)
		over.Resize(s)
		if b.Text == "" {
			icon.Resize(fyne.NewSquareSize(iconSize))
			icon.Move(fyne.NewPos((s.Width-iconSize)/2, (s.Height-iconSize)/2))
			return
		}
		w := measure(b.Text, textSize(), text.TextStyle)
		x := (s.Width - w) / 2
		if b.Icon != nil {
			x = (s.Width - w - iconSize - gap) / 2
			icon.Resize(fyne.NewSquareSize(iconSize))
			icon.Move(fyne.NewPos(x, (s.Height-iconSize)/2))
			x += iconSize + gap
		}
		place(text, x, 0, w, s.Height)
	}
	r.refresh = func() {
		fg := fynetheme.ColorNameForeground
		fill := fyne.ThemeColorName("")
		switch b.Look {
		case Normal:
			fill = fynetheme.ColorNameButton
		case Primary:
			fill, fg = fynetheme.ColorNamePrimary, fynetheme.ColorNameForegroundOnPrimary
		case Danger:
			fill, fg = fynetheme.ColorNameButton, fynetheme.ColorNameError
		}
		if b.disabled {
			fg = fynetheme.ColorNameDisabled
			if fill != "" {
				fill = fynetheme.ColorNameDisabledButton
			}
		}
		radius := fynetheme.Size(fynetheme.SizeNameInputRadius)
		bg.CornerRadius, over.CornerRadius = radius, radius
		bg.FillColor, over.FillColor = nil, nil
		if fill != "" {
			bg.FillColor = colour(fill)
		}
		switch {
		case b.pressed:
			over.FillColor = colour(fynetheme.ColorNamePressed)
		case b.hovered:
			over.FillColor = colour(fynetheme.ColorNameHover)
		}
		over.StrokeWidth = 0
		if b.focused {
			over.StrokeWidth = 2
			over.StrokeColor = colour(fynetheme.ColorNamePrimary)
			if b.Look == Primary {
				over.StrokeColor = colour(fynetheme.ColorNameForeground)
			}
		}
		icon.Hidden = b.Icon == nil
		res := b.Icon
		if b.disabled && res != nil {
			if t, ok := res.(*theme.Tinted); ok {
				res = t.In(fynetheme.ColorNameDisabled)
			}
		}
		if b.Icon != nil {
			setIcon(icon, res)
		}
		text.Hidden = b.Text == ""
		text.TextSize = textSize()
		if b.Look == Primary {
			text.TextStyle.Bold = true
		}
		text.Text, text.Color = b.Text, colour(fg)
		r.layout(b.Size())
		for _, o := range r.objects {
			o.Refresh()
		}
	}
	r.refresh()
	return r
}
