package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Entry is a line to type into that reports Escape, the arrows up and down and other keys it has no use for.
type Entry struct {
	widget.Entry
	OnEscape func()
	OnKey    func(*fyne.KeyEvent)
	OnBlur   func()
}

// NewEntry returns an empty line with a hint in it.
func NewEntry(placeholder string) *Entry {
	e := &Entry{}
	e.PlaceHolder = placeholder
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyEscape:
		if e.OnEscape != nil {
			e.OnEscape()
			return
		}
		if e.OnKey != nil {
			e.OnKey(ev)
		}
	case fyne.KeyUp, fyne.KeyDown:
		if e.OnKey != nil {
			e.OnKey(ev)
		}
	default:
		e.Entry.TypedKey(ev)
	}
}

// FocusLost implements fyne.Focusable.
func (e *Entry) FocusLost() {
	e.Entry.FocusLost()
	if e.OnBlur != nil {
		e.OnBlur()
	}
}
