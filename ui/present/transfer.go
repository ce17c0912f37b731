package present

import (
	"errors"
	"strings"
	"time"

	"drover/engine"
)

// Mark is the one thing to see of a transfer at a glance.
type Mark uint8

// The marks.
const (
	MarkRunning   Mark = iota
	MarkPaused         // by a person
	MarkWaiting        // stands still until a person does something: questions, or a stall
	MarkDone           // everything was done
	MarkPartly         // done, but not everything
	MarkFailed         // nothing more will come, and that is an error
	MarkCancelled      // by a person
)

// Transfer is one row of the transfers list: everything that is to be seen, nothing to work out.
type Transfer struct {
	ID    string
	Mark  Mark
	Title string // what → where

	Ended    bool
	Fraction float64 // 0 … 1
	Known    bool    // whether Fraction means anything yet
	Percent  string  // "62 %", "" while not known
	Numbers  string  // rate and time left, or the summary of an ended job
	Detail   string  // files and bytes, or what the job is doing or waiting for
	Problem  string  // why it stands still or failed

	Questions, Failures int
	Attention           string // "12 questions · 2 failed"

	CanPause, CanResume, CanCancel, CanReview, CanRetry, CanShow, CanClear bool
}

// TransferState is what a Transfer is made of. Result is nil while the job runs.
type TransferState struct {
	ID       string
	Request  engine.Request
	Snapshot engine.Snapshot
	Result   *engine.Result
	Final    bool // none of the failures can be mended by trying again
	Retried  bool // another job tries again what failed
	Again    bool // this is such a job
}

// sep stands between the parts of a line.
const sep = "  ·  "

// NewTransfer makes the row. left is the countdown of this job and is moved on to now.
func NewTransfer(s TransferState, left *Countdown, now time.Time) Transfer {
	t := Transfer{
		ID:        s.ID,
		Title:     Title(s.Request),
		Questions: s.Snapshot.Questions,
		Failures:  s.Snapshot.Failures,
	}
	if s.Again {
		t.Title = T("window.retry_of", "What", t.Title)
	}
	t.Attention = attention(t.Questions, t.Failures)
	t.CanReview = t.Questions > 0 || t.Failures > 0
	if s.Result != nil {
		t.ended(s)
		return t
	}
	snap := s.Snapshot
	t.Fraction = min(max(snap.Fraction, 0), 1)
	t.Known = snap.TotalKnown
	if t.Known {
		t.Percent = Percent(t.Fraction)
	}
	t.CanCancel = true
	t.Detail = amounts(snap)
	estimate := time.Duration(-1)
	switch snap.State {
	case engine.StateQueued:
		t.Mark = MarkRunning
		t.Detail = T("window.queued")
		t.CanPause = true
	case engine.StatePaused:
		t.Mark = MarkPaused
		t.Numbers = T("window.paused")
		t.CanResume = true
	case engine.StateStalled:
		t.Mark = MarkWaiting
		t.Numbers = T("window.stalled")
		t.Problem = Explain(snap.Stall)
		t.CanResume = true
	case engine.StateWaiting:
		t.Mark = MarkWaiting
		t.Numbers = T("window.waiting_for_you")
		t.Known = true // all that could be done is done
		t.Percent = Percent(t.Fraction)
	default:
		t.Mark = MarkRunning
		t.CanPause = true
		estimate = snap.Left
	}
	clock := left.Show(now, estimate)
	if t.Mark == MarkRunning && snap.State == engine.StateRunning {
		t.Numbers = join(speed(snap), clock)
	}
	return t
}

// ended fills in what is left to say of a job that is over.
func (t *Transfer) ended(s TransferState) {
	r := s.Result
	t.Ended, t.Known, t.Fraction = true, true, 1
	t.CanClear, t.CanShow = true, true
	t.CanReview = t.Failures > 0 && !s.Retried
	t.CanRetry = t.CanReview && !s.Final
	t.Attention = attention(0, t.Failures)
	if s.Retried { // what failed is the other row's now
		t.Attention = T("window.retried", "Count", int64(t.Failures))
	}
	if t.Questions > 0 { // nothing asks any more: what was not answered was left out
		t.Attention = join(T("window.unanswered", "Count", int64(t.Questions)), t.Attention)
	}
	t.Numbers = Summary(*r)
	switch {
	case r.State == engine.StateCancelled || errors.Is(r.Err, engine.ErrCancelled):
		t.Mark = MarkCancelled
		t.Numbers = join(T("window.cancelled"), Summary(*r))
	case r.State == engine.StateFailed:
		t.Mark = MarkFailed
		t.Problem = Explain(r.Err)
		if nothing(*r) {
			t.Numbers = T("window.nothing_copied")
			t.CanShow = false
		}
	case t.Questions > 0 || t.Failures > 0:
		t.Mark = MarkPartly
	default:
		t.Mark = MarkDone
	}
}

// Title says what goes where: "5 000 items → USB", "holiday.jpg → Pictures".
func Title(r engine.Request) string {
	dest := Base(strings.TrimSuffix(r.Dest, "/."))
	if r.Dest == "/" {
		dest = "/"
	}
	if len(r.Sources) == 1 {
		return Base(strings.TrimSuffix(r.Sources[0], "/.")) + "  →  " + dest
	}
	return T("window.items", "Count", int64(len(r.Sources))) + "  →  " + dest
}

// Percent writes a fraction so that 100 % is only said of what is whole.
func Percent(f float64) string {
	p := int64(f * 100)
	if p >= 100 && f < 1 {
		p = 99
	}
	return string(appendInt(nil, min(max(p, 0), 100), 1)) + "\u00a0%"
}

// Summary says what an ended job did: "20 000 files, 1.2 GB in 0:31  ·  3 skipped".
func Summary(r engine.Result) string {
	var what []string
	if n := r.Files + r.Links; n > 0 || r.Dirs == 0 {
		what = append(what, T("window.files", "Count", n))
	}
	if r.Dirs > 0 && r.Files+r.Links == 0 {
		what = append(what, T("window.folders", "Count", r.Dirs))
	}
	if r.Bytes > 0 {
		what = append(what, Size(r.Bytes))
	}
	s := strings.Join(what, ", ")
	if r.Elapsed >= time.Second {
		s = T("window.in_time", "What", s, "Time", Clock(r.Elapsed))
	}
	if r.Skipped > 0 {
		s = join(s, T("window.skipped", "Count", r.Skipped))
	}
	return s
}

func nothing(r engine.Result) bool { return r.Files+r.Links+r.Dirs == 0 }

// amounts says how much of how much: "12 300 of 20 000 files  ·  1.2 GB of 3.4 GB".
func amounts(s engine.Snapshot) string {
	if !s.TotalKnown {
		return join(T("window.counting"), T("window.files", "Count", s.Files), Size(s.Bytes))
	}
	files := T("window.files_of", "Done", Number(s.Files), "Count", s.TotalFiles)
	if s.TotalBytes == 0 {
		return files
	}
	return join(files, T("window.bytes_of", "Done", Size(s.Bytes), "Total", Size(s.TotalBytes)))
}

// speed prefers the unit that says more: of many tiny files the files, else the bytes.
func speed(s engine.Snapshot) string {
	if s.FileRate >= 100 && s.Rate < s.FileRate*4096 {
		return T("window.files_per_second", "Count", roundTo2(int64(s.FileRate)))
	}
	return Rate(s.Rate)
}

// roundTo2 keeps the two digits that matter, so that the text is calm.
func roundTo2(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

func attention(questions, failures int) string {
	var q, f string
	if questions > 0 {
		q = T("window.questions", "Count", int64(questions))
	}
	if failures > 0 {
		f = T("window.failed", "Count", int64(failures))
	}
	return join(q, f)
}

func join(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(sep)
		}
		b.WriteString(p)
	}
	return b.String()
}

// WindowTitle is the title of the window: the folder, and how far the running jobs are.
func WindowTitle(folder string, fractions []float64) string {
	s := "Drover"
	if folder != "" {
		s += " – " + folder
	}
	if len(fractions) == 0 {
		return s
	}
	sum := 0.0
	for _, f := range fractions {
		sum += f
	}
	return Percent(sum/float64(len(fractions))) + " – " + s
}
