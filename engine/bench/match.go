package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// A measurement is one run of one program.
type measurement struct {
	Wall   time.Duration `json:"wall_ns"`
	CPU    time.Duration `json:"cpu_ns"`
	MaxRSS int64         `json:"max_rss_bytes"` // of the largest of its processes
}

// A match is the comparison of some programs on one set and one kind of file system.
type match struct {
	set    set
	rivals []rival
	rounds int
	state  string // home of the programs measured, so that they leave nothing in the user's
	ground func(context.Context) (*ground, error)
	tell   func(round int)
}

// play returns the measurements of every rival that can copy the set, one a round, in the order of the rounds.
//
// Copies of small files stay until the end of a round, and every round has a new ground: file systems are slow where
// much was just deleted. Copies of big files are deleted at once, and all rounds share a ground: there the memory that a
// copy needs matters more, and memory just freed is at hand, while a virtual machine first has to ask its host for other.
func (m *match) play(ctx context.Context) (series map[string][]measurement, err error) {
	series = map[string][]measurement{}
	var g *ground
	defer func() {
		if g != nil {
			err = errors.Join(err, g.free())
		}
	}()
	for i := range m.rounds + 1 {
		m.tell(i)
		if g == nil {
			if g, err = m.prepare(ctx); err != nil {
				return nil, err
			}
		}
		if err := m.round(ctx, i, g, series); err != nil {
			return nil, err
		}
		if m.set.small {
			done := g
			g = nil
			if err := done.free(); err != nil {
				return nil, err
			}
		}
	}
	return series, nil
}

// prepare makes a ground with the set on it.
func (m *match) prepare(ctx context.Context) (*ground, error) {
	g, err := m.ground(ctx)
	if err != nil {
		return nil, err
	}
	src := g.path(m.set.name)
	if err := os.Mkdir(src, 0o755); err != nil {
		return g, err
	}
	if err := m.set.write(src); err != nil {
		return g, fmt.Errorf("make the set: %w", err)
	}
	return g, nil
}

// round lets every rival copy once, another one first each time. Round 0 is not counted, and its copies are compared
// with the source.
func (m *match) round(ctx context.Context, i int, g *ground, series map[string][]measurement) error {
	src := g.path(m.set.name)
	for k := range m.rivals {
		r := m.rivals[(k+i)%len(m.rivals)]
		if !r.can(m.set) {
			continue
		}
		dst := g.path(fmt.Sprintf("%d-%s", i, r.name))
		if err := os.Mkdir(dst, 0o755); err != nil {
			return err
		}
		if err := g.flush(ctx); err != nil {
			return err
		}
		got, err := measure(ctx, r.command(src, dst), m.state)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if i > 0 {
			series[r.name] = append(series[r.name], got)
		} else if err := sameTree(src, filepath.Join(dst, m.set.name)); err != nil {
			return fmt.Errorf("%s made a copy that differs: %w", r.name, err)
		}
		if !m.set.small {
			if err := os.RemoveAll(dst); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure runs a program to its end.
func measure(ctx context.Context, argv []string, home string) (measurement, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return measurement{}, err
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "XDG_CACHE_HOME="+home)
	// A pipeline is several processes: an interrupt must end them all, or the file system stays in use.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return measurement{}, fmt.Errorf("%w: %s", err, tail(stderr.Bytes()))
	}
	got := measurement{Wall: wall, CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		got.MaxRSS = u.Maxrss << 10 // Linux counts it in KiB
	}
	return got, nil
}
