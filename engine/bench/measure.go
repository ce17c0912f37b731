package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A measurement is one run of one program.
type measurement struct {
	Wall     time.Duration `json:"wall_ns"`
	CPU      time.Duration `json:"cpu_ns"`
	MaxRSS   int64         `json:"max_rss_bytes"`      // of the largest of its processes
	Progress []progress    `json:"progress,omitempty"` // of programs that are watched
}

// environment is that of a measured program: everything that it keeps for itself goes to home.
func (r rival) environment(home string) []string {
	env := os.Environ()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
		env = append(env, name+"="+home)
	}
	return append(env, r.env...)
}

// measure runs a program to its end.
func measure(ctx context.Context, r rival, sources []string, dst, home string) (measurement, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return measurement{}, err
	}
	argv := r.command(sources, dst)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = r.environment(home)
	// A pipeline is several processes: an interrupt must end them all, or the file system stays in use.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	var stdout io.Reader
	if r.watched {
		pipe, err := cmd.StdoutPipe()
		if err != nil {
			return measurement{}, err
		}
		stdout = pipe
	}
	slim()
	var got measurement
	start := time.Now()
	err := cmd.Start()
	if err == nil && r.watched {
		got.Progress, err = follow(stdout, start)
	}
	if e := cmd.Wait(); err == nil {
		err = e
	}
	got.Wall = time.Since(start)
	if err != nil {
		return measurement{}, fmt.Errorf("%w: %s", err, tail(stderr.Bytes()))
	}
	got.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		got.MaxRSS = u.Maxrss << 10 // Linux counts it in KiB
	}
	return got, nil
}
