package engine_test

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"drover/engine"
	"drover/engine/enginetest"
)

// The scripts in testdata/script are tests of whole jobs. Each is a txtar archive: commands, then the files that they work on,
// which are laid out in a fresh folder before the first command. Its name is category_detail.txtar. To run one:
//
//	go test ./engine -run 'TestScript/^conflict_keepboth$' -v
//
// A line is a command with words. Words are parted by blanks; 'single quotes' take everything literally, "double quotes" are Go
// strings, so that a name can have any byte. # begins a comment. A command after ! must fail; error then says with what. Names are
// relative to the folder of the script. A section whose name ends in / is a folder; one whose name begins with "want" is only
// for comparing and laid out nowhere.
//
// Before anything else:
//
//	as user groups=7000 umask=077 deaf   the script runs in a process of its own: of an ordinary user, with these further
//	                                     groups, with this umask, without inotify. Any of them can be left out
//	needs root | PROGRAM                 else the script is skipped
//
// The job:
//
//	start copy|move [FLAG…] SOURCE… into DEST begins a job. Flags: -rule=skip|replace|newer|keep-both|rename-old -onerror=stop
//	                                     -preserve=none|all|default|mode,owner,times,xattr,acl,hardlinks -reflink=always|never
//	                                     -sparse=always|never -follow -onefs -exclude=GLOB -duplicate -dry -workers=N
//	await KEY=N… | state=S | held=V      waits until: parked (questions), copied (files), failed, skipped, warned, dirs, bytes, total;
//	                                     KEY>=N waits for at least as many; held: until something waits at a valve
//	decide WHAT ACTION [NAME]            WHAT is all, rest, failed, or the end of a path. ACTION: skip replace newer keep-both
//	                                     rename-old rename retry
//	pause  resume  cancel  leave  retry  what they say; retry starts a new job for what failed
//	wait STATE                           waits for the end of the job and says which it must be
//	result KEY=N…                        files, dirs, links, bytes, skipped of the result
//	refused CAUSE                        the job was refused, before anything was written, because of CAUSE
//	stalled CAUSE                        waits until the job stalls because of CAUSE
//	error CAUSE                          why the last command with ! failed
//	questions WANT  failures WANT        what is open: "dst/a  exists  file file" and "src/a  copy  EIO". Without WANT: nothing is
//	warnings [KIND=N…]                   the warnings of the job: changed owner mode times xattr acl hardlinks leftover
//
// What came of it:
//
//	tree DIR WANT [mode] [owner] [links] [time]  all below DIR: name, the aspects asked for, what it is. Columns are parted by two
//	                                     blanks: "a  hello" (file), "b/" (folder), "c  -> text" (link), "d  fifo". A file that
//	                                     is long or no text is told as "N bytes SUM"; names are quoted where they need it
//	same A B [ASPECT…]                   the trees are equal: in all aspects, or in these: mode owner time links xattr none
//	note FILE…  unchanged FILE…          nothing about the files, or the trees, has changed since note, not even their ctime
//	renamed A B                          B is the very file that A was at note, and A is not there any more
//	allocated FILE N                     the file takes at most N bytes on the disk
//	watch DIR…  events WANT              the folders' views are told of exactly this: "create dst/b". Run it deaf, or the kernel
//	                                     tells as well
//
// What it works on (and every program in scriptPrograms, such as chmod, ln, touch, setfacl):
//
//	write FILE TEXT  append FILE TEXT  random FILE SIZE  sparse FILE SIZE [OFFSET…]  socket FILE  fill FILE (until the disk is full)
//	largexattr FILE NAME SIZE  zoo DIR  many DIR N SIZE  deep DIR NAME LEVELS
//	mount tmpfs|ext4|xfs|btrfs|exfat|ntfs DIR [SIZE] (or OPTION=VALUE for tmpfs)
//	mount bind DIR FROM  remount ro|rw|OPTION DIR
//	fuse DIR from BACKING FAULT…         FAULT: read-error=GLOB:FROM:ERRNO write-error=GLOB:FROM:ERRNO:TIMES close-error=GLOB:ERRNO
//	                                     sync-error=GLOB:ERRNO hang-sync=V:GLOB (GLOB is empty: all)
//	                                     short-reads=N short-writes=N hang-read=V:GLOB:FROM hang-write=V:GLOB:FROM hang-folder=V:GLOB
//	                                     no-unnamed no-rename-flags no-links no-symlinks no-xattrs link-unnamed refuse=CHARS:ERRNO
//	                                     no-owner=ERRNO no-mode=ERRNO no-times=ERRNO coarse-times=SECONDS shift-times=SECONDS jitter-times
//	release V                            opens the valve V of a hang- fault
//
// At the end of every script the engine is closed, and then no temporary file and no open descriptor may be left.

//go:embed testdata/script
var scripts embed.FS

// scriptPrograms are the programs that a script may call as they are.
var scriptPrograms = []string{
	"btrfs", "chattr", "chgrp", "chmod", "chown", "cmp", "cp", "diff", "fallocate", "ln", "mkdir", "mkfifo", "mknod", "mv", "rm", "rmdir", "setcap", "setfacl", "setfattr",
	"test", "touch", "truncate", "umount",
}

type command func(s *script, args []string) error

var commands map[string]command

func init() {
	commands = map[string]command{
		"allocated": (*script).allocated, "append": (*script).append, "await": (*script).await, "cancel": (*script).cancel,
		"decide": (*script).decide, "deep": (*script).deep, "error": (*script).error, "events": (*script).events,
		"failures": (*script).failures, "fill": (*script).fill, "fuse": (*script).fuse, "largexattr": (*script).largexattr, "leave": (*script).leave,
		"many": (*script).many, "mount": (*script).mount, "needs": (*script).needs, "note": (*script).note, "pause": (*script).pause,
		"questions": (*script).questions, "random": (*script).random, "refused": (*script).refused, "release": (*script).release,
		"renamed": (*script).renamed, "remount": (*script).remount, "result": (*script).result, "resume": (*script).resume, "retry": (*script).retry,
		"same": (*script).same, "socket": (*script).socket, "sparse": (*script).sparse, "stalled": (*script).stalled,
		"start": (*script).start, "tree": (*script).tree, "unchanged": (*script).unchanged, "wait": (*script).wait,
		"warnings": (*script).warnings, "watch": (*script).watch, "write": (*script).write, "zoo": (*script).zoo,
	}
}

func TestScript(t *testing.T) {
	files, err := scripts.ReadDir("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".txtar")
		if !ok {
			t.Errorf("%s is no script", f.Name())
			continue
		}
		t.Run(name, func(t *testing.T) {
			data, err := scripts.ReadFile("testdata/script/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			runScript(t, f.Name(), data)
		})
	}
}

// script is one script on its way.
type script struct {
	*testing.T
	name     string
	line     int
	work     string            // where relative names begin
	want     map[string]string // sections to compare with
	engine   *engine.Engine
	job      *engine.Job
	failure  error // of the last command with !
	valves   map[string]*enginetest.Valve
	notes    map[string]string
	inodes   map[string]os.FileInfo
	watchers []*watcher
}

func runScript(t *testing.T, name string, data []byte) {
	archive := txtar.Parse(data)
	lines := strings.Split(string(archive.Comment), "\n")
	for _, l := range lines {
		if words, ok := strings.CutPrefix(l, "as "); ok {
			p, err := enginetest.ParseProcess(strings.Fields(words))
			if err != nil {
				t.Fatal(err)
			}
			if !enginetest.As(t, p) {
				return
			}
		}
	}
	for range 20 {
		if err := once(t, name, archive, lines); !errors.Is(err, errOnceMore) {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Skip("too much is mounted and unmounted here to tell what the engine says of its own")
}

// once runs all lines of a script.
func once(t *testing.T, name string, archive *txtar.Archive, lines []string) error {
	s := &script{
		T: t, name: name, work: enginetest.WorkDir(t), want: map[string]string{}, valves: map[string]*enginetest.Valve{},
		notes: map[string]string{}, inodes: map[string]os.FileInfo{},
	}
	if err := s.layOut(archive); err != nil {
		return err
	}
	s.useEngine(0)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s:%d: %s%s", name, s.line, strings.TrimSpace(lines[s.line-1]), s.where())
		}
	})
	for i, l := range lines {
		s.line = i + 1
		if err := s.run(l); err != nil {
			return err
		}
	}
	s.checkClean()
	return nil
}

// useEngine takes a new engine.
func (s *script) useEngine(workers int) {
	e := engine.New(engine.Options{Workers: workers})
	s.engine = e
	s.Cleanup(func() {
		for _, v := range s.valves {
			v.Open()
		}
		ctx, cancel := context.WithTimeout(context.Background(), enginetest.Patience)
		defer cancel()
		if err := e.Close(ctx); err != nil {
			s.Errorf("the engine does not close: %v", err)
		}
	})
}

// layOut writes the files of the archive.
func (s *script) layOut(a *txtar.Archive) error {
	for _, f := range a.Files {
		at := filepath.Join(s.work, f.Name)
		switch {
		case strings.HasPrefix(f.Name, "want"):
			s.want[f.Name] = string(f.Data)
		case strings.HasSuffix(f.Name, "/"):
			if err := os.MkdirAll(at, 0o755); err != nil {
				return err
			}
		default:
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(at, f.Data, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *script) run(line string) error {
	words, err := splitWords(line)
	if err != nil || len(words) == 0 || words[0] == "as" {
		return err
	}
	mustFail := words[0] == "!"
	if mustFail {
		words = words[1:]
	}
	if len(words) == 0 {
		return errors.New("no command")
	}
	err = s.call(words[0], words[1:])
	switch {
	case mustFail && err == nil:
		return errors.New("succeeded")
	case mustFail:
		s.failure = err
		return nil
	}
	return err
}

func (s *script) call(name string, args []string) error {
	if c, ok := commands[name]; ok {
		return c(s, args)
	}
	if !slices.Contains(scriptPrograms, name) {
		return fmt.Errorf("no command %q", name)
	}
	c := exec.Command(name, args...)
	c.Dir = s.work
	c.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	out, err := c.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		s.Skipf("no %s here", name)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// splitWords parts a line into words.
func splitWords(line string) ([]string, error) {
	var words []string
	for rest := line; ; {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" || rest[0] == '#' {
			return words, nil
		}
		word := ""
		for rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			switch rest[0] {
			case '\'':
				text, after, ok := strings.Cut(rest[1:], "'")
				if !ok {
					return nil, errors.New("' is not closed")
				}
				word, rest = word+text, after
			case '"':
				quoted, err := strconv.QuotedPrefix(rest)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", rest, err)
				}
				text, err := strconv.Unquote(quoted)
				if err != nil {
					return nil, err
				}
				word, rest = word+text, rest[len(quoted):]
			default:
				word, rest = word+rest[:1], rest[1:]
			}
		}
		words = append(words, word)
	}
}

// abs makes a name absolute, and changes nothing else: /. and // are the engine's to understand.
func (s *script) abs(name string) string {
	if name == "" || name[0] == '/' {
		return name
	}
	return s.work + "/" + name
}

// rel is the reverse, for comparing.
func (s *script) rel(at string) string {
	if at = path.Clean(at); at == s.work {
		return "."
	}
	return strings.TrimPrefix(at, s.work+"/")
}

// compare compares lines in any order with a section, or with nothing.
func (s *script) compare(args, got []string) error {
	var want []string
	if len(args) > 0 {
		text, ok := s.want[args[0]]
		if !ok {
			return fmt.Errorf("no section %q", args[0])
		}
		for l := range strings.Lines(text) {
			if l = strings.TrimSpace(l); l != "" {
				want = append(want, strings.Join(columns(l), "  "))
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if slices.Equal(want, got) {
		return nil
	}
	var out strings.Builder
	for _, w := range want {
		if !slices.Contains(got, w) {
			fmt.Fprintf(&out, "\n\t- %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			fmt.Fprintf(&out, "\n\t+ %s", g)
		}
	}
	return fmt.Errorf("differs (- wanted, + found):%s", cmp.Or(out.String(), fmt.Sprintf("\n\twant %q\n\tgot  %q", want, got)))
}

// columns parts a line where two blanks or more are.
func columns(line string) []string {
	var out []string
	for c := range strings.SplitSeq(line, "  ") {
		if c = strings.TrimSpace(c); c != "" {
			out = append(out, c)
		}
	}
	return out
}

// where says how the job stands, for failure reports.
func (s *script) where() string {
	if s.job == nil {
		return ""
	}
	var b strings.Builder
	n := s.job.Snapshot()
	fmt.Fprintf(&b, "\n\tjob: %v %v, %d/%d files, %d/%d bytes, %d dirs, %d skipped, %d questions, %d failures, in hand %q",
		n.State, n.Stall, n.Files, n.TotalFiles, n.Bytes, n.TotalBytes, n.Dirs, n.Skipped, n.Questions, n.Failures, n.Current)
	if n.State.Ended() {
		r, _ := s.job.Wait(context.Background())
		fmt.Fprintf(&b, "\n\tresult: %+v", r)
	}
	for _, f := range s.job.Failures(0, 10) {
		fmt.Fprintf(&b, "\n\tfailed: %v", f.ItemError)
	}
	for _, w := range s.job.Warnings() {
		fmt.Fprintf(&b, "\n\twarning: %+v", w)
	}
	return b.String()
}

// checkClean ends the engine and looks for what it may have left.
func (s *script) checkClean() {
	for _, v := range s.valves {
		v.Open()
	}
	for _, w := range s.watchers {
		w.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), enginetest.Patience)
	defer cancel()
	if err := s.engine.Close(ctx); err != nil {
		s.Fatalf("the engine does not close: %v", err)
	}
	enginetest.Await(s, "descriptors to be closed", func() bool { return len(enginetest.OpenFiles(s.work)) == 0 })
	for _, l := range enginetest.Fingerprint(s, s.work) {
		if strings.HasPrefix(path.Base(l.Path), ".drover-") {
			s.Errorf("left behind: %q", l.Path)
		}
	}
}
