package ui

import (
	"math"

	"fyne.io/fyne/v2"

	"drover/ui/theme"
)

// settings are what the window remembers. They are read once, in the beginning; fyne writes them to disk when they are set, so
// they are set on a goroutine, one after the other.
type settings struct {
	prefs fyne.Preferences
	write chan func()
}

func newSettings(p fyne.Preferences) *settings {
	s := &settings{prefs: p, write: make(chan func(), 16)}
	go func() { // as long as the program: what is set while it ends must not be lost either
		for f := range s.write {
			f()
		}
	}()
	return s
}

// later sets something soon; if sixteen are waiting for a hung disk it is not worth another.
func (s *settings) later(f func()) {
	select {
	case s.write <- f:
	default:
	}
}

func (s *settings) theme() theme.Choice {
	return theme.Choice(s.prefs.StringWithFallback("theme", string(theme.System)))
}

func (s *settings) setTheme(c theme.Choice) {
	s.later(func() { set(s.prefs.String, s.prefs.SetString, "theme", string(c)) })
}

// set writes what differs. fyne writes its file for every value, and reads it again because it has changed.
func set[T comparable](get func(string) T, put func(string, T), key string, value T) {
	if get(key) != value {
		put(key, value)
	}
}

func (s *settings) hidden() bool { return s.prefs.Bool("hidden") }

func (s *settings) setHidden(on bool) {
	s.later(func() { set(s.prefs.Bool, s.prefs.SetBool, "hidden", on) })
}

func (s *settings) order() (column int, reverse bool) {
	return s.prefs.Int("sort"), s.prefs.Bool("sort_reverse")
}

func (s *settings) setOrder(column int, reverse bool) {
	s.later(func() {
		set(s.prefs.Int, s.prefs.SetInt, "sort", column)
		set(s.prefs.Bool, s.prefs.SetBool, "sort_reverse", reverse)
	})
}

// size is that of the window when it was last closed.
func (s *settings) size() fyne.Size {
	w := s.prefs.FloatWithFallback("width", 1000)
	h := s.prefs.FloatWithFallback("height", 680)
	return fyne.NewSize(float32(min(max(w, 480), 8000)), float32(min(max(h, 320), 8000)))
}

// close writes the size of the window; done is called when all is written.
func (s *settings) close(size fyne.Size, done func()) {
	last := func() {
		set(s.prefs.Float, s.prefs.SetFloat, "width", math.Round(float64(size.Width)))
		set(s.prefs.Float, s.prefs.SetFloat, "height", math.Round(float64(size.Height)))
		done()
	}
	select {
	case s.write <- last:
	default:
		done()
	}
}
