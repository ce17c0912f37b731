package main

import (
	"os"
	"path/filepath"
)

// A rival is a program that copies a folder. Its command copies the folder src into the folder dst.
type rival struct {
	name      string
	program   string
	filesOnly bool // it copies files and no folders below them
	command   func(src, dst string) []string
}

func (r rival) String() string { return r.name }

func (r rival) can(s set) bool { return s.flat || !r.filesOnly }

func drover(bin string) rival {
	return rival{name: "drover", program: bin, command: func(src, dst string) []string {
		return []string{bin, "copy", "--quiet", src, dst}
	}}
}

// floorFlag makes this program copy by itself, see package floor.
const floorFlag = "-floor"

// self is this program.
func self() string {
	exe, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return exe
}

// rivals are the programs to compare with. All keep modes and times; cp-a, rsync and tar also owners and links, as
// Drover does. gio is what the file manager of GNOME copies with; it is handed the files of a set, all at once.
var rivals = []rival{
	{name: "floor", program: self(), command: func(src, dst string) []string {
		return []string{self(), floorFlag, src, dst}
	}},
	{name: "cp", program: "cp", command: func(src, dst string) []string {
		return []string{"cp", "-r", "--preserve=mode,timestamps", src, dst}
	}},
	{name: "cp-a", program: "cp", command: func(src, dst string) []string {
		return []string{"cp", "-a", src, dst}
	}},
	{name: "rsync", program: "rsync", command: func(src, dst string) []string {
		return []string{"rsync", "-a", src, dst}
	}},
	{name: "tar", program: "tar", command: func(src, dst string) []string {
		dir, base := filepath.Split(src)
		return []string{"bash", "-c", `set -o pipefail; tar -C "$1" -cf - "$2" | tar -C "$3" -xpf -`, "tar", dir, base, dst}
	}},
	{name: "gio", program: "gio", filesOnly: true, command: func(src, dst string) []string {
		into := filepath.Join(dst, filepath.Base(src))
		return []string{"bash", "-c", `mkdir "$2" && exec gio copy --preserve "$1"/* "$2"`, "gio", src, into}
	}},
}
