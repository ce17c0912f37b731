// Bench measures Drover against the programs that people copy with today, and against the bare system calls.
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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
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

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, os.Geteuid() == 0, stdout, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(o.work, "drover-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()

	rep := report{Machine: machine(ctx, o.rivals, filepath.Join(work, "state")), Rounds: o.rounds, features: o.features}
	for _, fs := range o.filesystems {
		for _, s := range o.sets {
			m := newMatch(s, fs, work, o)
			if why := m.lack(); why != "" {
				why = fmt.Sprintf("%s on %s is left out: %s", s.name, fs, why)
				fmt.Fprintln(stderr, why)
				rep.LeftOut = append(rep.LeftOut, why)
				continue
			}
			m.tell = func(round int) { fmt.Fprintf(stderr, "\r%s on %s: round %d of %d  ", s.name, fs, round, m.rounds) }
			series, err := m.play(ctx)
			fmt.Fprintln(stderr)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", s.name, fs, err)
			}
			rep.add(s.name, fs, m.rivals, series)
		}
	}
	return rep.write(o.json, stdout)
}
