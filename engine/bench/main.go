// Bench measures Drover against the programs that people copy with today.
//
// For every file system and every set of files it goes through rounds. In a round each program copies the set once into
// an empty folder of a fresh file system, and they take turns in who begins. The figure to read is the median over the
// rounds of Drover's time divided by the other's: both ran a moment apart, so that what slows the machine down slows
// both. The first round is not counted; its copies are compared with the source, byte by byte.
//
// As root the file systems are made in memory and mounted; otherwise the rounds take place in a folder given with -dir.
// What is measured is the whole process with a warm cache: starting, copying, ending. It says nothing of how fast a
// disk is. BENCHMARKING.md has the method at length.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"drover/engine/bench/floor"
)

func main() {
	if floorRun(os.Args) {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	end(err)
}

// floorRun copies as package floor does, if the program is called for that: "bench -floor SOURCE… FOLDER".
func floorRun(args []string) bool {
	if len(args) < 4 || args[1] != floorFlag {
		return false
	}
	end(floor.Copy(args[2:len(args)-1], args[len(args)-1]))
	return true
}

func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	bin, work, dir, json string
	sets                 []set
	filesystems          []string
	rivals               []rival
	rounds               int
	scale                int
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, os.Geteuid() == 0, stderr)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(o.work, "drover-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()

	if o.scale > 0 {
		return scale(ctx, o.bin, work, o.scale, stdout)
	}
	rep := report{Machine: machine(ctx, o.bin), Rounds: o.rounds}
	for _, fs := range o.filesystems {
		for _, s := range o.sets {
			m := match{set: s, rivals: o.rivals, rounds: o.rounds, state: filepath.Join(work, "state")}
			m.ground = func(ctx context.Context) (*ground, error) { return newGround(ctx, fs, work, s.room(len(o.rivals))) }
			m.tell = func(round int) { fmt.Fprintf(stderr, "\r%s on %s: round %d of %d  ", s.name, fs, round, o.rounds) }
			series, err := m.play(ctx)
			fmt.Fprintln(stderr)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", s.name, fs, err)
			}
			rep.add(s.name, fs, o.rivals, series)
		}
	}
	if o.json != "" {
		text, err := json.MarshalIndent(rep, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.json, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	return rep.markdown(stdout)
}

// parse reads the flags. Rivals that are not installed are left out with a word about it.
func parse(args []string, root bool, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.bin, "bin", "bin/drover-cli", "the Drover to measure")
	f.StringVar(&o.work, "work", "/dev/shm", "as root: where file systems are made; a folder in memory")
	f.StringVar(&o.dir, "dir", "", "measure in this folder and on its file system, instead of fresh ones in memory")
	f.StringVar(&o.json, "json", "", "write everything that was measured to this `file`")
	f.IntVar(&o.rounds, "n", 7, "counted rounds")
	f.IntVar(&o.scale, "scale", 0, "instead of all that, as root: copy so many empty files, and tell memory and how even the rate was")
	setNames := f.String("sets", "flat5k,tree20k,big200", "sets of files: "+strings.Join(names(sets), ", "))
	fsNames := f.String("fs", "ext4,xfs,btrfs,tmpfs", "file systems")
	rivalNames := f.String("rivals", strings.Join(names(rivals), ","), "programs to compare with")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.rounds < 1 {
		return o, fmt.Errorf("wrong usage: %q", args)
	}
	var err error
	if o.bin, err = filepath.Abs(o.bin); err != nil {
		return o, err
	}
	if o.sets, err = pick(sets, *setNames); err != nil {
		return o, err
	}
	if o.rivals, err = pick(rivals, *rivalNames); err != nil {
		return o, err
	}
	o.rivals = slices.DeleteFunc(o.rivals, func(r rival) bool {
		_, err := exec.LookPath(r.program)
		if err != nil {
			fmt.Fprintf(stderr, "%s is not installed and left out\n", r.program)
		}
		return err != nil
	})
	o.rivals = append([]rival{drover(o.bin)}, o.rivals...)

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
