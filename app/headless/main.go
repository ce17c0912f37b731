// Command drover-cli copies like drover, on machines without a display: the same commands in a static program.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"drover/app/cli"
)

// gcPercent lets the heap grow further before it is collected. The work is done in system calls and the live heap is a few
// megabytes, so collecting it at every doubling costs time and saves memory that nobody misses. GOGC in the environment
// has the last word.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(cli.Run(context.Background(), os.Args[1:], cli.Standard()))
}
