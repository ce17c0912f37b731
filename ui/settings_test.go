package ui

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fyne.io/fyne/v2"

	"drover/ui/theme"
)

// flush waits until all that was set is written.
func flush(s *settings) {
	done := make(chan struct{})
	s.change(func(*kept) {}, func() { close(done) })
	<-done
}

func TestSettingsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "drover", "settings.json")
	s := newSettings(path)
	if s.theme() != theme.System || s.hidden() || s.size() != fyne.NewSize(1000, 680) {
		t.Errorf("for somebody new: %+v", s.get())
	}
	flush(s)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("nothing was set, and there is a file: %v", err)
	}
	s.setTheme(theme.Dark)
	s.setHidden(true)
	if s.theme() != theme.Dark {
		t.Error("what is set does not hold at once")
	}
	done := make(chan struct{})
	s.close(fyne.NewSize(1234.4, 567), 2, true, func() { close(done) })
	<-done
	s = newSettings(path)
	column, reverse := s.order()
	if s.theme() != theme.Dark || !s.hidden() || s.size() != fyne.NewSize(1234, 567) || column != 2 || !reverse {
		t.Errorf("kept is %+v", s.get())
	}
	if left, _ := filepath.Glob(filepath.Dir(path) + "/.*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Two windows write at the same time, and a third starts again and again: it never finds half a file, and what each has set stays.
func TestSettingsOfSeveralWindows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	one, two := newSettings(path), newSettings(path)
	one.setHidden(true)
	flush(one)
	two.setTheme(theme.Light)
	flush(two)
	var writers sync.WaitGroup
	for _, s := range []*settings{one, two} {
		writers.Go(func() {
			for i := range 200 {
				s.close(fyne.NewSize(float32(500+i), 500), 0, false, nil)
				flush(s)
			}
		})
	}
	over := make(chan struct{})
	go func() { writers.Wait(); close(over) }()
	for {
		if k := readKept(path); !k.Hidden || k.Theme != theme.Light {
			t.Fatalf("read %+v", k)
		}
		select {
		case <-over:
			return
		default:
		}
	}
}

func TestSettingsThatCannotBeReadOrWritten(t *testing.T) {
	dir := t.TempDir()
	for text, width := range map[string]float64{"": 1000, "{": 1000, "[]": 1000, `{"width":700}`: 700, `{"width":"x"}`: 1000, `{"later":1,"width":800}`: 800} {
		if err := os.WriteFile(dir+"/s", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if k := readKept(dir + "/s"); k.Width != width || k.Height != 680 {
			t.Errorf("%q: %+v", text, k)
		}
	}
	for _, path := range []string{"", dir + "/s/below"} { // nowhere, and below a file
		s := newSettings(path)
		s.setHidden(true)
		flush(s)
		if !s.hidden() {
			t.Errorf("%q: it holds for this window", path)
		}
	}
	if err := os.Symlink("s", dir+"/link"); err != nil {
		t.Fatal(err)
	}
	s := newSettings(dir + "/link")
	s.setHidden(true)
	flush(s)
	if fi, err := os.Lstat(dir + "/link"); err != nil || fi.Mode().Type() != os.ModeSymlink || !readKept(dir+"/s").Hidden {
		t.Errorf("through a link: %v, %v, %+v", fi, err, readKept(dir+"/s"))
	}
}
