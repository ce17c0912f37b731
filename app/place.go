package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"drover/engine"
	"drover/engine/place"
	"drover/ui/present"
)

// startPatience is how long the start waits for the folder that it was given. A dead mount is opened all the same: the view
// waits for it without freezing.
const startPatience = 500 * time.Millisecond

// start is what the window begins with.
type start struct{ dir, problem string }

// chooseStart finds the folder that arg means: a path or a file URI. Where there is none, it is home, and the window says why.
func chooseStart(arg, home string) start {
	if arg == "" {
		return start{dir: home}
	}
	best := start{dir: home, problem: cannotShow(arg, place.ErrNotResponding)}
	found := make(chan start, 2)
	go func() {
		defer close(found)
		dir, err := toPath(arg)
		if err != nil {
			found <- start{dir: home, problem: present.T("window.bad_path", "Path", present.Name(arg))}
			return
		}
		found <- start{dir: dir}
		if err := isFolder(dir); err != nil {
			found <- start{dir: home, problem: cannotShow(dir, err)}
		}
	}()
	limit := time.NewTimer(startPatience)
	defer limit.Stop()
	for {
		select {
		case s, more := <-found:
			if !more {
				return best
			}
			best = s
		case <-limit.C:
			return best
		}
	}
}

// isNoPlace reports whether a word on the command line can be no folder to open: a flag, or a mere word that nothing is called by here.
// A desktop that opens the window on a folder gives a path or an address.
func isNoPlace(arg string) bool {
	switch {
	case strings.HasPrefix(arg, "-"):
		return true
	case arg == "" || strings.ContainsAny(arg, "/:"):
		return false
	}
	missing := make(chan bool, 1)
	go func() {
		_, err := os.Lstat(arg)
		missing <- errors.Is(err, fs.ErrNotExist)
	}()
	limit := time.NewTimer(startPatience)
	defer limit.Stop()
	select {
	case m := <-missing:
		return m
	case <-limit.C:
		return false
	}
}

func cannotShow(path string, why error) string {
	return present.T("window.cannot_show", "Path", present.Name(path), "Why", present.Advise(why).Title)
}

func toPath(arg string) (string, error) {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "/"
	}
	p, err := place.Parse(arg, cwd)
	if err != nil {
		return "", err
	}
	path, err := p.Local()
	if err != nil {
		return "", err
	}
	return filepath.Clean(path), nil
}

func isFolder(dir string) error {
	fi, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return fmt.Errorf("%s: %w", dir, engine.ErrNotFolder)
	}
	return nil
}
