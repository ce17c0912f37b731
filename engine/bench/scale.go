package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// perFolder is how many files a folder of the scale test has.
const perFolder = 1000

// progress is a moment of a copy: so many files were there then.
type progress struct {
	at    time.Duration
	files int64
}

// scale copies n empty files, and tells how much memory that took and whether the copy became slower with time.
func scale(ctx context.Context, bin, work string, n int, stdout io.Writer) (err error) {
	dir := filepath.Join(work, "scale")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := command(ctx, "mount", "-t", "tmpfs", "-o", "size=50%,nr_inodes=0", "tmpfs", dir); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, command(context.WithoutCancel(ctx), "umount", dir)) }()
	for i := range n {
		sub := filepath.Join(dir, "src", fmt.Sprintf("d%05d", i/perFolder))
		if i%perFolder == 0 {
			if err := os.MkdirAll(sub, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%03d", i%perFolder)), nil, 0o644); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, bin, "copy", "--json", filepath.Join(dir, "src"), filepath.Join(dir, "dst"))
	cmd.Env = append(os.Environ(), "HOME="+work)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	seen, err := follow(pipe, start)
	if err := errors.Join(err, cmd.Wait()); err != nil {
		return err
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok || len(seen) == 0 || seen[len(seen)-1].files != int64(n) {
		return fmt.Errorf("not all of %d files were copied", n)
	}
	first, last := tenths(seen)
	_, err = fmt.Fprintf(stdout, "%d empty files in %.1f s, at most %d MB of memory; the last tenth ran at %.2f of the rate of the first (%.0f and %.0f files/s)\n",
		n, seen[len(seen)-1].at.Seconds(), usage.Maxrss/1024, last/first, last, first)
	return err
}

// follow reads what a copy says about its progress.
func follow(r io.Reader, start time.Time) ([]progress, error) {
	seen := []progress{{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var event struct {
			Files int64 `json:"files"`
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return nil, err
		}
		seen = append(seen, progress{time.Since(start), event.Files})
	}
	return seen, lines.Err()
}

// tenths returns the rates, in files a second, of the first and the last tenth of the files. Between two moments the rate is taken as even.
func tenths(seen []progress) (first, last float64) {
	total := float64(seen[len(seen)-1].files)
	reach := func(files float64) float64 {
		for i := 1; i < len(seen); i++ {
			a, b := seen[i-1], seen[i]
			if float64(b.files) >= files {
				if b.files == a.files {
					return b.at.Seconds()
				}
				part := (files - float64(a.files)) / float64(b.files-a.files)
				return a.at.Seconds() + part*(b.at-a.at).Seconds()
			}
		}
		return seen[len(seen)-1].at.Seconds()
	}
	return total / 10 / reach(total/10), total / 10 / (reach(total) - reach(total*9/10))
}
