package ui

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"sync"

	"fyne.io/fyne/v2"

	"drover/ui/theme"
)

// settings are what the window remembers. They are read once, in the beginning, and each is written when it is set, on a goroutine, one
// after the other.
//
// They are not fyne's preferences: those are written into the old file, so that a program that ends meanwhile leaves half of it, and
// another one that runs reads half of it, says so, and goes on with none.
type settings struct {
	path  string // "": nothing is kept
	write chan func()

	mu sync.Mutex
	// guarded by mu
	now kept
}

// kept is the file.
type kept struct {
	Theme       theme.Choice `json:"theme"`
	Hidden      bool         `json:"hidden"`
	Sort        int          `json:"sort"`
	SortReverse bool         `json:"sort_reverse"`
	Width       float64      `json:"width"`
	Height      float64      `json:"height"`
}

// readKept reads the file. What it does not say, or if it cannot be read, is as for somebody new.
func readKept(path string) kept {
	fresh := kept{Theme: theme.System, Width: 1000, Height: 680}
	text, err := os.ReadFile(path)
	if err != nil {
		return fresh
	}
	k := fresh
	if json.Unmarshal(text, &k) != nil {
		return fresh
	}
	return k
}

// writeKept replaces the file, or what a link in its place points to, by one that is whole.
func writeKept(path string, k kept) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".settings-*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

func newSettings(path string) *settings {
	s := &settings{path: path, write: make(chan func(), 16), now: readKept(path)}
	go func() { // as long as the program: what is set while it ends must not be lost either
		for f := range s.write {
			f()
		}
	}()
	return s
}

func (s *settings) get() kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// change sets something at once for this window and soon in the file, where another one may have set something else meanwhile. done, which
// may be nil, is called when it is written, or cannot be: it is not worth a word to a person.
func (s *settings) change(set func(*kept), done func()) {
	s.mu.Lock()
	set(&s.now)
	s.mu.Unlock()
	if done == nil {
		done = func() {}
	}
	if s.path == "" {
		done()
		return
	}
	write := func() {
		before := readKept(s.path)
		after := before
		if set(&after); after != before {
			_ = writeKept(s.path, after)
		}
		done()
	}
	select {
	case s.write <- write:
	default: // sixteen wait for a hung disk
		done()
	}
}

func (s *settings) theme() theme.Choice { return s.get().Theme }

func (s *settings) setTheme(c theme.Choice) { s.change(func(k *kept) { k.Theme = c }, nil) }

func (s *settings) hidden() bool { return s.get().Hidden }

func (s *settings) setHidden(on bool) { s.change(func(k *kept) { k.Hidden = on }, nil) }

func (s *settings) order() (column int, reverse bool) {
	k := s.get()
	return k.Sort, k.SortReverse
}

// size is that of the window when it was last closed.
func (s *settings) size() fyne.Size {
	k := s.get()
	return fyne.NewSize(float32(min(max(k.Width, 480), 8000)), float32(min(max(k.Height, 320), 8000)))
}

// close notes how the window is left; done is called when all is written.
func (s *settings) close(size fyne.Size, column int, reverse bool, done func()) {
	s.change(func(k *kept) {
		k.Width, k.Height = math.Round(float64(size.Width)), math.Round(float64(size.Height))
		k.Sort, k.SortReverse = column, reverse
	}, done)
}
