package cli

import (
	"encoding/json"
	"errors"
	"net/url"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"drover/engine"
)

func TestProgressJSON(t *testing.T) {
	for _, c := range []struct {
		s    engine.Snapshot
		want string
	}{
		{
			engine.Snapshot{
				Files: 2, Bytes: 10, TotalFiles: 4, TotalBytes: 30, TotalKnown: true, Rate: 12.7, Left: 1600 * time.Millisecond,
			},
			`{"event":"progress","files":2,"bytes":10,"total_files":4,"total_bytes":30,"total_known":true,"bytes_per_second":12,"seconds_left":2}`,
		},
		{
			engine.Snapshot{Left: -1},
			`{"event":"progress","files":0,"bytes":0,"total_files":0,"total_bytes":0,"total_known":false,"bytes_per_second":0,"seconds_left":-1}`,
		},
	} {
		var b strings.Builder
		(&jsonProgress{w: &b}).progress(c.s)
		if got := b.String(); got != c.want+"\n" {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestWriteDone(t *testing.T) {
	refused := &engine.RefusedError{Items: []*engine.ItemError{
		{Stage: engine.StageScan, Src: "/a b\n\xff%", Dst: "", Err: syscall.ENOENT},
		{Stage: engine.StageScan, Src: "/c", Dst: "/c/d", Err: engine.ErrInsideSelf},
	}}
	var b strings.Builder
	o := outcome{result: engine.Result{State: engine.StateFailed, Err: refused, Skipped: 2}}
	if err := writeDone(&b, o, false, 0.25); err != nil {
		t.Fatal(err)
	}
	const want = `{"event":"done","job":"","state":"failed","files":0,"dirs":0,"links":0,"bytes":0,"skipped":2,` +
		`"conflicts":[],"errors":[` +
		`{"src":"file:///a%20b%0A%FF%25","dst":"","stage":"scan","error":"no such file or directory"},` +
		`{"src":"file:///c","dst":"file:///c/d","stage":"scan","error":"destination lies inside the source"}],` +
		`"warnings":[],"seconds":0.25}` + "\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if !json.Valid([]byte(b.String())) {
		t.Error("not JSON")
	}
}

func TestWriteDoneOfAStall(t *testing.T) {
	var b strings.Builder
	o := outcome{result: engine.Result{State: engine.StateCancelled, Err: engine.ErrCancelled}, stall: syscall.ENOSPC}
	if err := writeDone(&b, o, false, 1); err != nil {
		t.Fatal(err)
	}
	var got struct {
		State  string
		Errors []errorJSON
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	want := []errorJSON{{Stage: "copy", Error: "no space left on device"}}
	if got.State != "failed" || !reflect.DeepEqual(got.Errors, want) {
		t.Errorf("%+v, want failed with %+v", got, want)
	}
}

// brokenWriter is standard output that nobody reads, or a full disk.
type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestUnwrittenResultIsNoSuccess(t *testing.T) {
	inLanguage(t, "en")
	for _, flags := range []copyFlags{{}, {json: true}} {
		var diagnosis strings.Builder
		stdio := Streams{Out: brokenWriter{errors.New("pipe\x1b")}, Err: &diagnosis}
		status := report(&flags, stdio, outcome{result: engine.Result{State: engine.StateDone}}, time.Now())
		if status != ExitUnfinished || !strings.Contains(diagnosis.String(), `could not be written: pipe\x1B`) {
			t.Errorf("json %t: %d %q", flags.json, status, diagnosis.String())
		}
	}
	quiet := Streams{Out: brokenWriter{errors.New("pipe")}, Err: brokenWriter{errors.New("pipe")}}
	if status := report(&copyFlags{quiet: true}, quiet, outcome{result: engine.Result{State: engine.StateDone}}, time.Now()); status != ExitDone {
		t.Errorf("quiet: %d", status)
	}
}

func FuzzFileURI(f *testing.F) {
	for _, s := range []string{"/", "/a b", "/\xff\n", "/%41", "//x", "/a?b#c", "/ü/日本"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if !strings.HasPrefix(path, "/") || strings.ContainsRune(path, 0) {
			t.Skip("not a full path")
		}
		uri := fileURI(path)
		for i := range len(uri) {
			if uri[i] <= ' ' || uri[i] >= 0x7f {
				t.Fatalf("%q is not printable ASCII", uri)
			}
		}
		if u, err := url.Parse(uri); err != nil || u.Path != path || u.Host != "" {
			t.Fatalf("%q became %q, host %q: %v", path, u.Path, u.Host, err)
		}
		if back, err := parsePlace(uri); err != nil || back != path {
			t.Fatalf("%q came back as %q: %v", path, back, err)
		}
	})
}

func TestNamesOfValues(t *testing.T) {
	seen := map[string]bool{}
	for w := engine.WhyExists; w <= engine.WhyBadName; w++ {
		seen[whyName(w)] = true
	}
	for k := engine.WarnChanged; k <= engine.WarnLeftover; k++ {
		seen[warnName(k)] = true
	}
	if want := int(engine.WhyBadName) + 1 + int(engine.WarnLeftover) + 1; len(seen) != want {
		t.Errorf("%d names for %d values: %v", len(seen), want, seen)
	}
}
