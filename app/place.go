package app

import (
	"fmt"
	"os"
	"path/filepath"
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
