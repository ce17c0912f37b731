package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"drover/engine/enginetest"
)

func (s *script) needs(args []string) error {
	for _, a := range args {
		if a == "root" {
			enginetest.NeedsRoot(s)
		} else {
			enginetest.NeedsProgram(s, a)
		}
	}
	return nil
}

func (s *script) write(args []string) error { return s.put(args, os.O_TRUNC) }

func (s *script) append(args []string) error { return s.put(args, os.O_APPEND) }

func (s *script) put(args []string, flag int) error {
	if len(args) != 2 {
		return errors.New("want: FILE TEXT")
	}
	at := s.abs(args[0])
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|flag, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(args[1])
	return errors.Join(err, f.Close())
}

// numbers reads all words from the n-th on.
func numbers(args []string, n int) ([]int64, error) {
	if len(args) < n {
		return nil, errors.New("too few words")
	}
	var out []int64
	for _, a := range args[n:] {
		k, err := strconv.ParseInt(a, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

func (s *script) random(args []string) error {
	n, err := numbers(args, 1)
	if err == nil {
		enginetest.Build(s, s.work, enginetest.Random(args[0], int(n[0])))
	}
	return err
}

func (s *script) sparse(args []string) error {
	n, err := numbers(args, 1)
	if err == nil {
		enginetest.Build(s, s.work, enginetest.Sparse(args[0], n[0], n[1:]...))
	}
	return err
}

func (s *script) socket(args []string) error {
	enginetest.Build(s, s.work, enginetest.Socket(args[0]))
	return nil
}

func (s *script) zoo(args []string) error {
	enginetest.Build(s, s.abs(args[0]), enginetest.Zoo(os.Geteuid() == 0)...)
	return nil
}

func (s *script) many(args []string) error {
	n, err := numbers(args, 1)
	if err == nil {
		enginetest.Many(s, s.abs(args[0]), int(n[0]), int(n[1]))
	}
	return err
}

func (s *script) deep(args []string) error {
	n, err := numbers(args, 2)
	if err == nil {
		err = os.MkdirAll(s.abs(args[0]), 0o755)
	}
	if err == nil {
		enginetest.Deep(s, s.abs(args[0]), args[1], int(n[0]), enginetest.File("end", "end\n"))
	}
	return err
}

// largexattr sets an attribute of any length, which setfattr cannot be told.
func (s *script) largexattr(args []string) error {
	n, err := numbers(args, 2)
	if err != nil {
		return err
	}
	return syscall.Setxattr(s.abs(args[0]), args[1], bytes.Repeat([]byte("x"), int(n[0])), 0)
}

// fill writes until nothing fits any more.
func (s *script) fill(args []string) error {
	f, err := os.Create(s.abs(args[0]))
	if err != nil {
		return err
	}
	block := make([]byte, 64<<10)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return f.Close()
}

func (s *script) mount(args []string) error {
	if len(args) < 2 {
		return errors.New("want: mount KIND DIR …")
	}
	kind, dir, size := args[0], s.abs(args[1]), int64(320<<20)
	if kind == "tmpfs" && len(args) > 2 && strings.Contains(args[2], "=") {
		enginetest.Tmpfs(s, dir, args[2])
		return nil
	}
	if len(args) > 2 && kind != "bind" {
		n, err := numbers(args, 2)
		if err != nil {
			return err
		}
		size = n[0]
	}
	switch kind {
	case "bind":
		enginetest.Bind(s, s.abs(args[2]), dir)
	case "tmpfs":
		enginetest.Tmpfs(s, dir, enginetest.Sized(size))
	default:
		enginetest.Loop(s, dir, kind, size)
	}
	return nil
}

func (s *script) remount(args []string) error {
	switch args[0] {
	case "ro":
		enginetest.Remount(s, s.abs(args[1]), syscall.MS_RDONLY, "")
	case "rw":
		enginetest.Remount(s, s.abs(args[1]), 0, "")
	default:
		enginetest.Remount(s, s.abs(args[1]), 0, args[0])
	}
	return nil
}

func (s *script) valve(name string) *enginetest.Valve {
	v := s.valves[name]
	if v == nil {
		v = enginetest.NewValve()
		s.valves[name] = v
	}
	return v
}

func (s *script) release(args []string) error {
	s.valve(args[0]).Open()
	return nil
}

func (s *script) fuse(args []string) error {
	if len(args) < 3 || args[1] != "from" {
		return errors.New("want: fuse DIR from BACKING FAULT…")
	}
	var faults []enginetest.Fault
	for _, a := range args[3:] {
		f, err := s.fault(a)
		if err != nil {
			return fmt.Errorf("%q: %w", a, err)
		}
		faults = append(faults, f)
	}
	enginetest.Fuse(s, s.abs(args[2]), s.abs(args[0]), faults...)
	return nil
}

var lacks = map[string]func() enginetest.Fault{
	"no-unnamed": enginetest.NoUnnamed, "no-rename-flags": enginetest.NoRenameFlags, "no-links": enginetest.NoLinks,
	"no-symlinks": enginetest.NoSymlinks, "no-xattrs": enginetest.NoXattrs, "link-unnamed": enginetest.LinkUnnamed,
	"jitter-times": enginetest.JitterTimes,
}

func (s *script) fault(word string) (enginetest.Fault, error) {
	if lack, ok := lacks[word]; ok {
		return lack(), nil
	}
	var none enginetest.Fault
	name, rest, _ := strings.Cut(word, "=")
	parts := strings.Split(rest, ":")
	at := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	var err error
	number := func(i int) int64 {
		n, e := strconv.ParseInt(at(i), 10, 64)
		err = errors.Join(err, e)
		return n
	}
	errno := func(i int) syscall.Errno {
		for e := syscall.Errno(1); e < 134; e++ {
			if unix.ErrnoName(e) == at(i) {
				return e
			}
		}
		err = errors.Join(err, fmt.Errorf("no errno %q", at(i)))
		return 0
	}
	var f enginetest.Fault
	switch name {
	case "read-error":
		f = enginetest.ReadError(at(0), number(1), errno(2))
	case "write-error":
		f = enginetest.WriteError(at(0), number(1), errno(2), number(3))
	case "close-error":
		f = enginetest.CloseError(at(0), errno(1))
	case "short-reads":
		f = enginetest.ShortReads("", int(number(0)))
	case "short-writes":
		f = enginetest.ShortWrites("", int(number(0)))
	case "hang-read":
		f = enginetest.HangRead(s.valve(at(0)), at(1), number(2))
	case "hang-write":
		f = enginetest.HangWrite(s.valve(at(0)), at(1), number(2))
	case "sync-error":
		f = enginetest.SyncError(at(0), errno(1))
	case "hang-sync":
		f = enginetest.HangSync(s.valve(at(0)), at(1))
	case "hang-folder":
		f = enginetest.HangFolder(s.valve(at(0)), at(1))
	case "no-owner":
		f = enginetest.NoOwner(errno(0))
	case "no-mode":
		f = enginetest.NoMode(errno(0))
	case "no-times":
		f = enginetest.NoTimes(errno(0))
	case "coarse-times":
		f = enginetest.CoarseTimes(uint64(number(0)))
	case "shift-times":
		f = enginetest.ShiftTimes(number(0))
	case "refuse":
		i := strings.LastIndexByte(rest, ':')
		parts = []string{rest[:max(i, 0)], rest[i+1:]}
		f = enginetest.RefuseNames(at(0), errno(1))
	default:
		return none, errors.New("no such fault")
	}
	return f, err
}
