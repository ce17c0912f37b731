package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// options are what is to be measured. The first of the rivals is what the others are compared with.
type options struct {
	bin, work, dir, json string
	sets                 []set
	filesystems          []string
	rivals               []rival
	rounds               int
	scale                int
	features             bool
}

// parse reads the flags. Rivals that are not installed are left out with a word about it. If help was asked for, it goes to stdout, and
// the error is flag.ErrHelp.
func parse(args []string, root bool, stdout, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {}
	f.StringVar(&o.bin, "bin", "bin/drover-cli", "the Drover to measure")
	f.StringVar(&o.work, "work", "/dev/shm", "as root: where file systems are made; a folder in memory")
	f.StringVar(&o.dir, "dir", "", "measure in this folder and on its file system, instead of fresh ones in memory")
	f.StringVar(&o.json, "json", "", "write everything that was measured to this `file`")
	f.IntVar(&o.rounds, "n", 7, "counted rounds; with -scale 3 unless it is given")
	f.IntVar(&o.scale, "scale", 0, "instead of all sets copy so many tiny files, and tell how even the rate was; on ext4 and against floor and cp unless others are given")
	f.BoolVar(&o.features, "features", false, "measure what showing progress costs, instead of comparing with other programs")
	setNames := f.String("sets", usual, "sets of files: "+strings.Join(names(sets), ", "))
	fsNames := f.String("fs", "ext4,xfs,btrfs,tmpfs", "file systems")
	rivalNames := f.String("rivals", strings.Join(names(rivals), ","), "programs to compare with")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			f.SetOutput(stdout)
		}
		fmt.Fprintln(f.Output(), "The flags of drover-bench (make bench BENCHFLAGS=…):")
		f.PrintDefaults()
		return o, err
	}
	given := map[string]bool{}
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if f.NArg() > 0 || o.rounds < 1 || o.scale < 0 || o.features && (o.scale > 0 || given["rivals"]) || o.scale > 0 && given["sets"] {
		return o, fmt.Errorf("wrong usage: %q", args)
	}
	if o.scale > 0 {
		byDefault := func(name string, set func()) {
			if !given[name] {
				set()
			}
		}
		byDefault("n", func() { o.rounds = 3 })
		byDefault("fs", func() { *fsNames = "ext4" })
		byDefault("rivals", func() { *rivalNames = "floor,cp" })
	}
	var err error
	if o.bin, err = filepath.Abs(o.bin); err != nil {
		return o, err
	}
	if o.sets, err = pick(sets, *setNames); err != nil {
		return o, err
	}
	if o.scale > 0 {
		o.sets = []set{many(fmt.Sprintf("scale%d", o.scale), o.scale)}
		o.sets[0].most = 0
	}
	if o.rivals, err = pick(rivals, *rivalNames); err != nil {
		return o, err
	}
	o.rivals = o.programs(stderr)
	o.filesystems = strings.Split(*fsNames, ",")
	if o.dir == "" && !root {
		o.dir = os.TempDir()
		fmt.Fprintf(stderr, "only root can mount: measuring in %s (-dir chooses another folder)\n", o.dir)
	}
	if o.dir != "" {
		o.work, o.filesystems = o.dir, []string{asIs}
	}
	return o, nil
}

// programs are those to measure: Drover, and the rivals that were picked and are installed.
func (o *options) programs(stderr io.Writer) []rival {
	quiet := drover(o.bin, "drover", "--quiet")
	switch {
	case o.features:
		return featured(o.bin)
	case o.scale > 0:
		quiet = watched(o.bin)
	}
	there := slices.DeleteFunc(o.rivals, func(r rival) bool {
		_, err := exec.LookPath(r.program)
		if err != nil {
			fmt.Fprintf(stderr, "%s is not installed and left out\n", r.program)
		}
		return err != nil
	})
	return append([]rival{quiet, asFolder(o.bin)}, there...)
}

// named is what can be chosen by name on the command line.
type named interface{ String() string }

func names[T named](of []T) []string {
	out := make([]string, len(of))
	for i, v := range of {
		out[i] = v.String()
	}
	return out
}

// pick returns those of a list that the comma-separated names ask for, in the order of the names.
func pick[T named](from []T, wanted string) ([]T, error) {
	var out []T
	for name := range strings.SplitSeq(wanted, ",") {
		i := slices.Index(names(from), name)
		if i < 0 {
			return nil, fmt.Errorf("%q is none of %s", name, strings.Join(names(from), ", "))
		}
		out = append(out, from[i])
	}
	return out, nil
}
