package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"drover/app/cli"
)

// patience is how long a test waits for something that should come at once, on a machine that is busy otherwise.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"drover-cli": func() { os.Exit(cli.Run(context.Background(), os.Args[1:], cli.Standard())) },
	})
}

// TestScripts runs the commands as processes. The language of the scripts is testscript's, with these commands:
//
//	exits STATUS ARG…         run drover-cli ARG…; it must end with this exit status
//	interrupt SIGNAL DIR N STATUS ARG…
//	                          run drover-cli ARG…, send it SIGNAL when DIR has N entries; it must end with STATUS
//	tree DIR FILE             DIR must hold what FILE lists (see listTree)
//	mode PATH OCTAL           PATH must have these permission bits
//	many DIR N                make N small files in DIR, each with its own name in it
//	whole DIR                 every file that many has made and that is in DIR must be complete
//	jsondone KEY=VALUE…       standard output of the last exits must keep the contract for --json, and its last line must
//	                          have these values; of a list the value is its length
//	jsonlist NAME FIELD…      print a list of that line, sorted, with $WORK written out
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("LC_ALL", "")
			env.Setenv("LANG", "C.UTF-8")
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Geteuid() == 0, nil
			case "hup": // whether SIGHUP arrives: under nohup it does not, here and in what is started from here
				return !signal.Ignored(syscall.SIGHUP), nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"interrupt": interrupt,
			"tree":      tree,
			"mode":      mode,
			"many":      many,
			"whole":     whole,
			"jsondone":  jsonDone,
			"jsonlist":  jsonList,
		},
	})
}

// need ends the script unless it uses a command as it is meant.
func need(ts *testscript.TestScript, neg bool, args []string, atLeast int, how string) {
	if neg || len(args) < atLeast {
		ts.Fatalf("usage: %s", how)
	}
}

// statusOf is the exit status behind the error of a finished process.
func statusOf(err error) (int, error) {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil
	}
	return 0, err
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "exits STATUS ARG…")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got, err := statusOf(ts.Exec("drover-cli", args[1:]...))
	ts.Check(err)
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 5, "interrupt SIGNAL DIR N STATUS ARG…")
	signals := map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
	signal, ok := signals[args[0]]
	if !ok {
		ts.Fatalf("unknown signal %s", args[0])
	}
	dir := ts.MkAbs(args[1])
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	want, err := strconv.Atoi(args[3])
	ts.Check(err)

	self, err := os.Executable()
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, args[4:]...)
	cmd.Args[0] = "drover-cli"
	cmd.Dir = ts.Getenv("WORK")
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	ts.Check(cmd.Start())
	if err := await(ctx, func() bool { return entries(dir) >= n }); err != nil {
		ts.Fatalf("%s never had %d entries: %v\n%s", dir, n, err, out.String())
	}
	ts.Check(cmd.Process.Signal(signal))
	got, err := statusOf(cmd.Wait())
	ts.Check(err)
	ts.Logf("%s", out.String())
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// entries counts what is in dir so far.
func entries(dir string) int {
	d, err := os.Open(dir)
	if err != nil {
		return 0
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	return len(names)
}

// await waits until done reports true, looking often.
func await(ctx context.Context, done func() bool) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}

// listTree describes what is in dir, a line for each: "sub/", "file: first line", "link -> target", "pipe|". Bytes that
// are not printable are quoted.
func listTree(dir string) ([]string, error) {
	var lines []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := strings.Trim(strconv.QuoteToASCII(rel), `"`)
		switch d.Type() {
		case 0:
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			first, _, _ := strings.Cut(string(content), "\n")
			lines = append(lines, strings.TrimRight(name+": "+first, " "))
		case fs.ModeDir:
			lines = append(lines, name+"/")
		case fs.ModeSymlink:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			lines = append(lines, name+" -> "+target)
		case fs.ModeNamedPipe:
			lines = append(lines, name+"|")
		default:
			lines = append(lines, name+" "+d.Type().String())
		}
		return nil
	})
	slices.Sort(lines)
	return lines, err
}

func tree(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "tree DIR FILE")
	got, err := listTree(ts.MkAbs(args[0]))
	ts.Check(err)
	var want []string
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			want = append(want, line)
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		ts.Fatalf("%s holds\n  %s\nwant\n  %s", args[0], strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func mode(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "mode PATH OCTAL")
	info, err := os.Lstat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[1] {
		ts.Fatalf("%s has mode %s, want %s", args[0], got, args[1])
	}
}

// content is what a file of this name from many holds: more than one write of a small buffer.
func content(name string) []byte { return bytes.Repeat([]byte(name+"\n"), 1000) }

func many(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "many DIR N")
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	for i := range n {
		name := fmt.Sprintf("%06d", i)
		ts.Check(os.WriteFile(filepath.Join(dir, name), content(name), 0o644))
	}
}

func whole(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "whole DIR")
	dir := ts.MkAbs(args[0])
	list, err := os.ReadDir(dir)
	ts.Check(err)
	for _, e := range list {
		got, err := os.ReadFile(filepath.Join(dir, e.Name()))
		ts.Check(err)
		if len(e.Name()) != 6 || !bytes.Equal(got, content(e.Name())) {
			ts.Fatalf("%s is not whole: %d bytes", e.Name(), len(got))
		}
	}
	ts.Logf("%d files, all whole", len(list))
}

// lines splits what a command has printed.
func lines(s string) []string {
	var out []string
	sc := bufio.NewScanner(strings.NewReader(s))
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return out
}

// strict decodes one object and refuses fields that the contract does not know.
func strict(line string, into any) error {
	dec := json.NewDecoder(strings.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one object in a line")
	}
	return nil
}

// progressLine and doneLine are the contract once more, written by hand: pointers, so that a field that is missing shows.
type progressLine struct {
	Event          *string
	Files, Bytes   *int64
	TotalFiles     *int64   `json:"total_files"`
	TotalBytes     *int64   `json:"total_bytes"`
	TotalKnown     *bool    `json:"total_known"`
	BytesPerSecond *float64 `json:"bytes_per_second"`
	SecondsLeft    *float64 `json:"seconds_left"`
	DryRun         bool     `json:"dry_run"` // there only if true
}

type doneLine struct {
	Event, Job, State           *string
	Files, Dirs, Links          *int64
	Bytes, Skipped              *int64
	Conflicts, Errors, Warnings []map[string]any
	Seconds                     *float64
	DryRun                      bool `json:"dry_run"` // there only if true
}

// checkContract holds the output of --json against DESIGN §5 and returns its last line.
func checkContract(out string) (map[string]any, error) {
	all := lines(out)
	if len(all) < 1 {
		return nil, errors.New("no output")
	}
	last := len(all) - 1
	var before progressLine
	for i, line := range all[:last] {
		var p progressLine
		if err := strict(line, &p); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if p.Event == nil || *p.Event != "progress" || p.Files == nil || p.Bytes == nil || p.TotalFiles == nil ||
			p.TotalBytes == nil || p.TotalKnown == nil || p.BytesPerSecond == nil || p.SecondsLeft == nil {
			return nil, fmt.Errorf("line %d lacks a field: %s", i+1, line)
		}
		if *p.Files > *p.TotalFiles || *p.Bytes > *p.TotalBytes {
			return nil, fmt.Errorf("line %d: more than all: %s", i+1, line)
		}
		if i > 0 && (*p.Files < *before.Files || *p.Bytes < *before.Bytes) {
			return nil, fmt.Errorf("line %d: goes back: %s", i+1, line)
		}
		before = p
	}
	var d doneLine
	if err := strict(all[last], &d); err != nil {
		return nil, fmt.Errorf("last line: %w: %s", err, all[last])
	}
	if d.Event == nil || *d.Event != "done" || d.Job == nil || d.State == nil || d.Files == nil || d.Dirs == nil ||
		d.Links == nil || d.Bytes == nil || d.Skipped == nil || d.Conflicts == nil || d.Errors == nil || d.Warnings == nil ||
		d.Seconds == nil {
		return nil, fmt.Errorf("the last line lacks a field: %s", all[last])
	}
	if !slices.Contains([]string{"done", "waiting", "failed", "cancelled"}, *d.State) {
		return nil, fmt.Errorf("unknown state %q", *d.State)
	}
	for name, keys := range map[string]struct {
		list []map[string]any
		keys []string
	}{
		"conflicts": {d.Conflicts, []string{"dst", "src", "why"}},
		"errors":    {d.Errors, []string{"dst", "error", "src", "stage"}},
	} {
		for _, item := range keys.list {
			for _, k := range keys.keys {
				s, ok := item[k].(string)
				if !ok || len(item) != len(keys.keys) {
					return nil, fmt.Errorf("%s: %v, want %v", name, item, keys.keys)
				}
				if (k == "src" || k == "dst") && s != "" && !strings.HasPrefix(s, "file:///") {
					return nil, fmt.Errorf("%s: %q is no file:// URI", name, s)
				}
			}
		}
	}
	var m map[string]any
	return m, json.Unmarshal([]byte(all[last]), &m)
}

func jsonDone(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 0, "jsondone KEY=VALUE…")
	done, err := checkContract(ts.ReadFile("stdout"))
	ts.Check(err)
	for _, arg := range args {
		key, want, ok := strings.Cut(arg, "=")
		if !ok {
			ts.Fatalf("%s is not KEY=VALUE", arg)
		}
		got := fmt.Sprint(done[key])
		if list, ok := done[key].([]any); ok {
			got = strconv.Itoa(len(list))
		}
		if got != want {
			ts.Fatalf("%s is %s, want %s", key, got, want)
		}
	}
}

func jsonList(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "jsonlist NAME FIELD…")
	done, err := checkContract(ts.ReadFile("stdout"))
	ts.Check(err)
	items, ok := done[args[0]].([]any)
	if !ok {
		ts.Fatalf("there is no list %s", args[0])
	}
	work := (&url.URL{Scheme: "file", Path: ts.Getenv("WORK")}).String()
	var out []string
	for _, item := range items {
		var fields []string
		for _, f := range args[1:] {
			fields = append(fields, strings.Replace(fmt.Sprint(item.(map[string]any)[f]), work, "$WORK", 1))
		}
		out = append(out, strings.Join(fields, " "))
	}
	slices.Sort(out)
	for _, line := range out {
		fmt.Fprintln(ts.Stdout(), line)
	}
}
