package cli

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"drover/engine"
	"drover/ui/present"
)

// inLanguage makes texts appear in lang for one test.
func inLanguage(t *testing.T, lang string) {
	t.Helper()
	before := present.Language()
	present.SetLanguage(lang)
	t.Cleanup(func() { present.SetLanguage(before) })
}

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		name    string
		lang    string
		result  engine.Result
		dryRun  bool
		elapsed time.Duration
		want    string
	}{
		{"many", "en", engine.Result{State: engine.StateDone, Files: 19_990, Links: 10, Bytes: 1_200_000_000, Dirs: 3}, false, 3400 * time.Millisecond, "20 000 files, 1.2 GB in 3.4 s"},
		{"one", "en", engine.Result{State: engine.StateDone, Files: 1, Bytes: 12}, false, 4 * time.Millisecond, "1 file, 12 B in 4 ms"},
		{"empty files", "en", engine.Result{State: engine.StateDone, Files: 2}, false, 50 * time.Millisecond, "2 files in 50 ms"},
		{"only folders", "en", engine.Result{State: engine.StateDone, Dirs: 7}, false, 140 * time.Millisecond, "7 folders in 0.1 s"},
		{"nothing", "en", engine.Result{State: engine.StateDone}, false, 0, "0 files in 1 ms"},
		{"skipped", "en", engine.Result{State: engine.StateDone, Files: 1, Skipped: 1500}, false, 31 * time.Second, "1 file in 31 s; 1 500 skipped"},
		{"long", "en", engine.Result{State: engine.StateDone, Files: 3}, false, 2*time.Hour + 3*time.Minute + 4*time.Second, "3 files in 2:03:04"},
		{"dry", "en", engine.Result{State: engine.StateDone, Files: 3, Bytes: 4096}, true, time.Second, "Would copy 3 files, 4.1 kB"},
		{"cancelled", "en", engine.Result{State: engine.StateCancelled, Files: 3}, false, time.Second, "Cancelled: 3 files in 1.0 s"},
		{"german", "de", engine.Result{State: engine.StateDone, Files: 2, Bytes: 1_200_000_000}, false, 3400 * time.Millisecond, "2 Dateien, 1,2 GB in 3,4 s"},
		{"japanese", "ja", engine.Result{State: engine.StateDone, Files: 2}, false, time.Second, "2 個のファイル (1.0 秒)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inLanguage(t, c.lang)
			if got := summary(outcome{result: c.result}, &copyFlags{dryRun: c.dryRun}, c.elapsed); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestSummaryOfFoldersAlone: folders are worth a word only if they are all there was.
func TestSummaryOfFoldersAlone(t *testing.T) {
	inLanguage(t, "en")
	o := outcome{result: engine.Result{State: engine.StateWaiting, Dirs: 2}, last: engine.Snapshot{Questions: 5}}
	if got, want := summary(o, &copyFlags{}, time.Second), "0 files in 1.0 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestStatus(t *testing.T) {
	failed := errors.New("x")
	for _, c := range []struct {
		name string
		o    outcome
		want int
	}{
		{"done", outcome{result: engine.Result{State: engine.StateDone}}, ExitDone},
		{"skipped is done", outcome{result: engine.Result{State: engine.StateDone, Skipped: 4}}, ExitDone},
		{"warned is done", outcome{result: engine.Result{State: engine.StateDone}, last: engine.Snapshot{Warnings: 2}}, ExitDone},
		{"failed item", outcome{result: engine.Result{State: engine.StateDone}, last: engine.Snapshot{Failures: 1}}, ExitUnfinished},
		{"open question", outcome{result: engine.Result{State: engine.StateWaiting}, last: engine.Snapshot{Questions: 1}}, ExitUnfinished},
		{"failed", outcome{result: engine.Result{State: engine.StateFailed, Err: failed}}, ExitUnfinished},
		{"refused", outcome{result: engine.Result{State: engine.StateFailed, Err: &engine.RefusedError{}}}, ExitRefused},
		{"signal", outcome{result: engine.Result{State: engine.StateCancelled, Err: engine.ErrCancelled}}, ExitCancelled},
		{"disk full, nobody there", outcome{result: engine.Result{State: engine.StateCancelled, Err: engine.ErrCancelled}, stall: failed}, ExitUnfinished},
	} {
		if got := c.o.status(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestExplainRefused(t *testing.T) {
	inLanguage(t, "en")
	items := []*engine.ItemError{
		{Src: "/a\nb", Err: syscall.ENOENT},
		{Src: "/c\xff", Err: syscall.ENOENT},
		{Src: "/d", Dst: "/d/e", Err: engine.ErrInsideSelf},
	}
	for range listed {
		items = append(items, &engine.ItemError{Src: "/more", Err: engine.ErrInsideSelf})
	}
	var b strings.Builder
	explain(&b, outcome{result: engine.Result{State: engine.StateFailed, Err: &engine.RefusedError{Items: items}}}, &copyFlags{})
	got := b.String()
	for _, want := range []string{
		": nothing was copied\n",
		"  /a\\nb: It is not there (any more)\n  /c\\xFF: It is not there (any more)\n  Check the spelling",
		"  /d: A folder cannot go into itself\n",
		"  and 3 more\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "Check the spelling"); n != 1 {
		t.Errorf("the same advice %d times", n)
	}
	if n := strings.Count(got, "/more"); n != listed-3 {
		t.Errorf("%d listed beside the first three, want %d", n, listed-3)
	}
}

func TestExplainStall(t *testing.T) {
	inLanguage(t, "en")
	var b strings.Builder
	explain(&b, outcome{result: engine.Result{State: engine.StateCancelled}, stall: syscall.ENOSPC}, &copyFlags{})
	want := ": stopped by a problem\n  The disk is full\n  Make room on the destination, then try again.\n"
	if got := b.String(); !strings.HasSuffix(got, want) {
		t.Errorf("%q, want …%q", got, want)
	}
}
