package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine describes where the figures come from, and which version of each program was measured.
func machine(ctx context.Context, programs []rival, home string) map[string]string {
	m := map[string]string{
		"cores":  fmt.Sprint(runtime.NumCPU()),
		"cpu":    field("/proc/cpuinfo", "model name"),
		"memory": field("/proc/meminfo", "MemTotal"),
		"kernel": firstLine(ctx, nil, "uname", "-sr"),
	}
	for _, r := range programs {
		switch {
		case r.program == self(): // is what it is measured with
		case r.version != nil:
			m[r.name] = firstLine(ctx, r.environment(home), append([]string{r.program}, r.version...)...)
		default:
			m[r.name] = firstLine(ctx, r.environment(home), r.program, "--version")
		}
	}
	return m
}

// field returns the value of the first line "name : value" of a file in /proc.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// firstLine is what a program says first, or nothing.
func firstLine(ctx context.Context, env []string, argv ...string) string {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}
