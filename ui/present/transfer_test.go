package present

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"drover/engine"
)

const nb = "\u00a0"

func TestTransferRow(t *testing.T) {
	SetLanguage("en")
	req := engine.Request{Sources: []string{"/home/a/photos"}, Dest: "/media/USB"}
	many := engine.Request{Sources: make([]string, 5000), Dest: "/"}
	running := engine.Snapshot{
		State: engine.StateRunning, Files: 300, TotalFiles: 400, Bytes: 62e6, TotalBytes: 100e6, TotalKnown: true,
		Fraction: 0.62, Rate: 41e6, FileRate: 10, Left: 12 * time.Second, Questions: 12, Failures: 2,
	}
	for _, c := range []struct {
		name string
		in   TransferState
		want Transfer
	}{
		{"running", TransferState{ID: "1", Request: req, Snapshot: running}, Transfer{
			ID: "1", Mark: MarkRunning, Title: "photos  →  USB", Fraction: 0.62, Known: true, Percent: "62" + nb + "%",
			Numbers: "41" + nb + "MB/s  ·  0:12 left", Detail: "300 of 400 files  ·  62" + nb + "MB of 100" + nb + "MB",
			Questions: 12, Failures: 2, Attention: "12 questions  ·  2 failed",
			CanPause: true, CanCancel: true, CanReview: true,
		}},
		{"counting", TransferState{Request: many, Snapshot: engine.Snapshot{State: engine.StateRunning, Files: 1, Bytes: 2000, Left: -1}}, Transfer{
			Mark: MarkRunning, Title: "5" + nb + "000 items  →  /", Detail: "Counting…  ·  1 file  ·  2.0" + nb + "kB", CanPause: true, CanCancel: true,
		}},
		{"tiny files", TransferState{Request: req, Snapshot: engine.Snapshot{
			State: engine.StateRunning, TotalKnown: true, TotalFiles: 10, FileRate: 34821, Rate: 1000, Left: -1,
		}}, Transfer{
			Mark: MarkRunning, Title: "photos  →  USB", Known: true, Percent: "0" + nb + "%", Numbers: "35" + nb + "000 files/s",
			Detail: "0 of 10 files", CanPause: true, CanCancel: true,
		}},
		{"stalled", TransferState{Request: req, Snapshot: engine.Snapshot{
			State: engine.StateStalled, TotalKnown: true, TotalFiles: 1, Stall: syscall.ENOSPC, Left: -1,
		}}, Transfer{
			Mark: MarkWaiting, Title: "photos  →  USB", Known: true, Percent: "0" + nb + "%", Numbers: "Stopped for now",
			Detail: "0 of 1 file", Problem: Explain(syscall.ENOSPC), CanResume: true, CanCancel: true,
		}},
		{"paused", TransferState{Request: req, Snapshot: engine.Snapshot{State: engine.StatePaused, TotalKnown: true, TotalFiles: 1, Left: time.Second}}, Transfer{
			Mark: MarkPaused, Title: "photos  →  USB", Known: true, Percent: "0" + nb + "%", Numbers: "Paused", Detail: "0 of 1 file", CanResume: true, CanCancel: true,
		}},
		{"done", TransferState{
			Request: req, Snapshot: engine.Snapshot{State: engine.StateDone, Fraction: 1},
			Result: &engine.Result{State: engine.StateDone, Files: 20000, Bytes: 1.2e9, Elapsed: 31 * time.Second, Skipped: 3},
		}, Transfer{
			Mark: MarkDone, Title: "photos  →  USB", Ended: true, Fraction: 1, Known: true,
			Numbers: "20" + nb + "000 files, 1.2" + nb + "GB in 0:31  ·  3 skipped", CanShow: true, CanClear: true,
		}},
		{"done in part", TransferState{
			Request: req, Snapshot: engine.Snapshot{State: engine.StateDone, Failures: 1, Questions: 4},
			Result: &engine.Result{State: engine.StateDone, Files: 1},
		}, Transfer{
			Mark: MarkPartly, Title: "photos  →  USB", Ended: true, Fraction: 1, Known: true, Questions: 4, Failures: 1,
			Numbers: "1 file", Attention: "4 not answered  ·  1 failed", CanReview: true, CanRetry: true, CanShow: true, CanClear: true,
		}},
		{"refused", TransferState{
			Request: req, Snapshot: engine.Snapshot{State: engine.StateFailed},
			Result: &engine.Result{State: engine.StateFailed, Err: &engine.RefusedError{Items: []*engine.ItemError{{Err: engine.ErrInsideSelf}}}},
		}, Transfer{
			Mark: MarkFailed, Title: "photos  →  USB", Ended: true, Fraction: 1, Known: true,
			Numbers: "Nothing was copied", Problem: Explain(engine.ErrInsideSelf), CanClear: true,
		}},
		{"cancelled", TransferState{
			Request: req, Snapshot: engine.Snapshot{State: engine.StateCancelled},
			Result: &engine.Result{State: engine.StateCancelled, Err: engine.ErrCancelled, Files: 2},
		}, Transfer{
			Mark: MarkCancelled, Title: "photos  →  USB", Ended: true, Fraction: 1, Known: true, Numbers: "Cancelled  ·  2 files", CanShow: true, CanClear: true,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := NewTransfer(c.in, &Countdown{}, time.Unix(1000, 0))
			if got != c.want {
				t.Errorf("\n got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestPercentIsHonest(t *testing.T) {
	for f, want := range map[float64]string{0: "0", 0.999999: "99", 1: "100", 0.5: "50", 2: "100", -1: "0"} {
		if got := Percent(f); got != want+nb+"%" {
			t.Errorf("Percent(%v) = %q", f, got)
		}
	}
}

func TestWindowTitle(t *testing.T) {
	if got := WindowTitle("doc", nil); got != "Drover – doc" {
		t.Error(got)
	}
	if got := WindowTitle("doc", []float64{0.24, 1}); got != "62"+nb+"% – Drover – doc" {
		t.Error(got)
	}
}

func TestExplainNamesTheCause(t *testing.T) {
	SetLanguage("en")
	if Explain(nil) != "" {
		t.Error("a text for no error")
	}
	err := &engine.ItemError{Src: "/x", Err: syscall.ENOSPC}
	if Explain(err) != Explain(syscall.ENOSPC) {
		t.Errorf("%q", Explain(err))
	}
	if Explain(errors.New("odd")) == "" {
		t.Error("nothing said of an unknown error")
	}
}
