package main

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A rival is a program that copies. Its command copies all sources into the folder dst.
type rival struct {
	name    string
	program string
	can     func(set) bool // nil: every set
	keeps   keeps
	command func(sources []string, dst string) []string
	env     []string
	version []string // arguments that make it tell its version; nil: --version
	watched bool     // it says on its standard output how far it is, see progress
}

func (r rival) String() string { return r.name }

// takes reports whether a program can copy a set at all. Those that fill holes are spared ten gigabytes of memory.
func (r rival) takes(s set) bool { return (r.can == nil || r.can(s)) && (r.keeps.holes || !s.sparse) }

// everything is what Drover keeps.
var everything = keeps{modes: true, times: time.Nanosecond, folders: time.Nanosecond, twins: true, holes: true}

// drover calls Drover's program bin.
func drover(bin, name string, flags ...string) rival {
	return rival{name: name, program: bin, keeps: everything, command: func(sources []string, dst string) []string {
		return slices.Concat([]string{bin, "copy"}, flags, sources, []string{dst})
	}}
}

// asFolder copies as a folder what was to be copied file by file.
func asFolder(bin string) rival {
	return rival{
		name: "as-folder", program: bin, keeps: everything,
		can: func(s set) bool { return s.single },
		command: func(sources []string, dst string) []string {
			return []string{bin, "copy", "--quiet", filepath.Dir(sources[0]) + "/.", dst}
		},
	}
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

// rivals are the programs to compare with, each with what it promises to keep. gio copies no folders; what the file
// manager of GNOME does with it for each file of a folder it does here for the files of a set, all at once.
var rivals = []rival{
	{
		name: "floor", program: self(), keeps: everything, command: plain(self(), floorFlag),
	},
	{
		name: "cp", program: "cp", command: plain("cp", "-r", "--preserve=mode,timestamps"),
		keeps: keeps{modes: true, times: time.Nanosecond, folders: time.Nanosecond, holes: true},
	},
	{
		name: "cp-a", program: "cp", keeps: everything, command: plain("cp", "-a"),
	},
	{
		name: "rsync", program: "rsync", command: plain("rsync", "-a"),
		// The time of a folder is left as it is if it is off by less than a second.
		keeps: keeps{modes: true, times: time.Nanosecond, folders: time.Second},
	},
	{
		name: "tar", program: "tar", keeps: keeps{modes: true, times: time.Second, folders: time.Second, twins: true},
		command: func(sources []string, dst string) []string {
			argv := []string{"bash", "-c", `set -o pipefail; dst=$1; dir=$2; shift 2; tar -C "$dir" -cf - "$@" | tar -C "$dst" -xpf -`, "tar", dst, filepath.Dir(sources[0])}
			for _, s := range sources {
				argv = append(argv, filepath.Base(s))
			}
			return argv
		},
	},
	{
		name: "gio", program: "gio", keeps: keeps{modes: true, times: time.Microsecond}, version: []string{"version"},
		can: func(s set) bool { return s.flat },
		command: func(sources []string, dst string) []string {
			if len(sources) > 1 {
				return slices.Concat([]string{"gio", "copy", "--preserve"}, sources, []string{dst})
			}
			into := filepath.Join(dst, filepath.Base(sources[0]))
			return []string{"bash", "-c", `mkdir "$2" && exec gio copy --preserve "$1"/* "$2"`, "gio", sources[0], into}
		},
	},
	{
		name: "kio", program: "kioclient5", keeps: keeps{modes: true, times: time.Second},
		// Without a screen, without a word about every file, and without a service that might be there or not.
		env: []string{"QT_QPA_PLATFORM=offscreen", "QT_LOGGING_RULES=*=false", "DBUS_SESSION_BUS_ADDRESS=disabled:"},
		command: func(sources []string, dst string) []string {
			argv := []string{"kioclient5", "--noninteractive", "copy"}
			for _, s := range append(sources[:len(sources):len(sources)], dst) {
				argv = append(argv, (&url.URL{Scheme: "file", Path: s}).String())
			}
			return argv
		},
	},
	{
		// Its --metadata would keep modes, but versions around 1.60 get them wrong.
		name: "rclone", program: "rclone", keeps: keeps{times: time.Nanosecond}, version: []string{"version"},
		can: func(s set) bool { return !s.single },
		command: func(sources []string, dst string) []string {
			return []string{"rclone", "copy", "--links", sources[0], filepath.Join(dst, filepath.Base(sources[0]))}
		},
	},
}

// plain is a command that takes its sources and then the folder.
func plain(argv ...string) func(sources []string, dst string) []string {
	return func(sources []string, dst string) []string { return slices.Concat(argv, sources, []string{dst}) }
}
