package app

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
)

// crash is where a report of a crash goes.
type crash struct {
	path string
	file *os.File
}

// catchCrash has the runtime write what it says in a crash into a file too, since a program started from a menu has no terminal. The
// file is there from the beginning, because after a crash there is no making one.
func catchCrash() crash {
	dir := filepath.Join(stateDir(), "drover")
	if os.MkdirAll(dir, 0o700) != nil {
		return crash{}
	}
	path := filepath.Join(dir, "crash-"+strconv.Itoa(os.Getpid())+".log")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return crash{}
	}
	if debug.SetCrashOutput(f, debug.CrashOptions{}) != nil {
		_ = f.Close()
		_ = os.Remove(path)
		return crash{}
	}
	return crash{path: path, file: f}
}

// clean takes the empty report away after an end that was none.
func (c crash) clean() {
	if c.file == nil {
		return
	}
	_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	_ = c.file.Close()
	_ = os.Remove(c.path)
}

// stateDir is where programs keep what outlives a run and is no setting.
func stateDir() string {
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return d
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return os.TempDir()
	}
	return filepath.Join(home, ".local", "state")
}

// settingsFile is where the window keeps what it remembers, "" where no folder is for that.
func settingsFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "drover", "settings.json")
}
