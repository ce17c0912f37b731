package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"drover/engine"
	"drover/ui/drop"
	"drover/ui/present"
)

// placePatience is how long the start waits for the folder that it was given. A dead mount is opened all the same: the view
// waits for it without freezing.
const placePatience = 500 * time.Millisecond

// choosePlace finds the folder that arg means: a path or a file URI. Where there is none, it is home, and the window says why.
func choosePlace(arg, home string) place {
	if arg == "" {
		return place{dir: home}
	}
	dir, err := toPath(arg)
	if err != nil {
		return place{dir: home, problem: present.T("window.bad_path", "Path", present.Name(arg))}
	}
	looked := make(chan error, 1)
	go func() { looked <- isFolder(dir) }()
	limit := time.NewTimer(placePatience)
	defer limit.Stop()
	select {
	case err = <-looked:
	case <-limit.C:
	}
	if err != nil {
		return place{dir: home, problem: present.T("window.cannot_show", "Path", present.Name(dir), "Why", present.Advise(err).Title)}
	}
	return place{dir: dir}
}

func toPath(arg string) (string, error) {
	p, err := drop.Path(arg)
	if errors.Is(err, drop.ErrNotPath) {
		p, err = filepath.Abs(arg)
	}
	if err != nil {
		return "", err
	}
	return filepath.Clean(p), nil
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
