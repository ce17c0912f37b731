// Package cli is Drover's command line, the same in drover and drover-cli.
//
// It promises to scripts, and its tests hold it to that:
//
//   - The exit status says how it went: see the Exit constants.
//   - Results go to standard output: the summary, or with --json one object a line (json.go describes them). Everything
//     else goes to standard error: progress, questions, what was not copied and why, warnings.
//   - Nothing waits for a person unless standard input and standard error are a terminal: without one, questions stay
//     open and the command ends with ExitUnfinished.
//   - Names are passed on byte by byte; on the screen what is not printable is escaped, in JSON a name is a file:// URI.
//
// It makes no promise about the wording of what people read, nor about the language that it is in.
//
// A copy of a few files takes a few milliseconds, of which starting the process is the larger part. So nothing happens
// in init, texts are loaded when the first one is needed, and the loop that follows a job wakes up only for what
// somebody wants to see.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"drover/ui/present"
)

// The exit statuses of every command.
const (
	ExitDone       = 0   // everything was done
	ExitUnfinished = 1   // it ended, but items failed or questions are unanswered
	ExitUsage      = 2   // the command line is wrong
	ExitRefused    = 3   // refused before anything was written
	ExitCancelled  = 130 // cancelled by a signal
)

// Version is set when a release is linked.
var Version = "devel"

// Streams are what a command reads and writes. That one of them is a terminal shows by its being an *os.File.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Standard are the streams of the process.
func Standard() Streams { return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr} }

// IsCommand reports whether Run is meant by a command line that begins with arg, so that the desktop program can tell
// a command from a folder to show. A folder of that name is reached as ./copy.
func IsCommand(arg string) bool {
	return slices.Contains([]string{
		"copy", "cp", "move", "mv", "version", "help", "completion", "__complete", "__completeNoDesc", "-h", "--help", "--version",
	}, arg)
}

// Run carries out one command line, without the program's name, and returns its exit status. While it copies it takes
// over SIGINT, SIGTERM and SIGHUP; ctx ends the work as SIGTERM does.
func Run(ctx context.Context, args []string, stdio Streams) int {
	args, more := divide(args)
	root := newRoot(stdio, more)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would read os.Args
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return ExitDone
	}
	var exit exitStatus
	if errors.As(err, &exit) {
		return int(exit)
	}
	// Everything that is not an exit status comes from reading the command line.
	fmt.Fprintf(stdio.Err, "%s: %s\n%s\n", program(), usageText(err),
		present.T("cli.see_help", "Command", cmd.CommandPath()+" --help"))
	return ExitUsage
}

// manyNames is from how many names on the command line are not shown to cobra.
const manyNames = 256

// divide takes names off the end of a long command line, such that cannot be anything else: none begins like a flag, and the
// first ones, which may be a command and the value of a flag, stay. Cobra copies and searches its arguments several times,
// which for 10 000 names took 17 ms, a tenth of what copying the files takes.
func divide(args []string) (head, names []string) {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args, nil // the last one is to be completed
	}
	k := len(args)
	for k > 0 && !strings.HasPrefix(args[k-1], "-") {
		k--
	}
	if k += 4; len(args)-k < manyNames {
		return args, nil
	}
	return args[:k], args[k:]
}

// exitStatus ends a command whose outcome has been told already.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// asError makes a status what a command returns.
func asError(status int) error {
	if status == ExitDone {
		return nil
	}
	return exitStatus(status)
}

// program is the name that the person typed, without folders.
func program() string {
	if name := filepath.Base(os.Args[0]); name == "drover-cli" {
		return name
	}
	return windowed
}

// windowed is the program that has a window, too: without a command it opens it.
const windowed = "drover"

// terminal returns the file if stream is a terminal, else nil.
func terminal(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}
