package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"time"

	"drover/engine"
)

// jsonEvery keeps the promise of two lines a second, with some room for a busy machine.
const jsonEvery = 400 * time.Millisecond

// progressJSON is a line that tells how far a job is. Files ≤ TotalFiles and Bytes ≤ TotalBytes; neither goes back. In the last one,
// however the job ended, nothing moves any more and nothing is waited for: BytesPerSecond and SecondsLeft are 0.
type progressJSON struct {
	Event          string `json:"event"` // "progress"
	Files          int64  `json:"files"` // everything that is not a folder
	Bytes          int64  `json:"bytes"`
	TotalFiles     int64  `json:"total_files"`
	TotalBytes     int64  `json:"total_bytes"`
	TotalKnown     bool   `json:"total_known"`      // whether the totals are final
	BytesPerSecond int64  `json:"bytes_per_second"` // 0 when not known
	SecondsLeft    int64  `json:"seconds_left"`     // -1 when not known
	DryRun         bool   `json:"dry_run,omitempty"`
}

// doneJSON is the beginning of the last line; the lists follow it.
type doneJSON struct {
	Event   string `json:"event"` // "done"
	Job     string `json:"job"`
	State   string `json:"state"` // done, waiting (questions are open), failed or cancelled
	Files   int64  `json:"files"`
	Dirs    int64  `json:"dirs"`
	Links   int64  `json:"links"`
	Bytes   int64  `json:"bytes"`
	Skipped int64  `json:"skipped"`
	DryRun  bool   `json:"dry_run,omitempty"` // it is what would have been done: nothing was written
}

// conflictJSON is an open question. Src and Dst are file:// URIs, as everywhere.
type conflictJSON struct {
	Src string `json:"src"`
	Dst string `json:"dst"`
	Why string `json:"why"` // exists, folder-in-way, file-in-way, link-in-way or bad-name
}

// errorJSON is an item that failed. Dst is empty for what failed before it had a destination.
type errorJSON struct {
	Src   string `json:"src"`
	Dst   string `json:"dst"`
	Stage string `json:"stage"` // scan, copy, commit, resolve, folder or remove
	Error string `json:"error"`
}

// warningJSON is something that is true of n items that were copied. Src is one of them, or for leftover what was left of one.
type warningJSON struct {
	Src   string `json:"src"`
	Kind  string `json:"kind"` // changed, owner, mode, times, xattr, acl, hardlinks or leftover
	N     int64  `json:"n"`
	Error string `json:"error"`
}

// jsonProgress writes progress as lines of JSON.
type jsonProgress struct {
	w      io.Writer
	dryRun bool
}

func (*jsonProgress) first() time.Duration { return jsonEvery }
func (*jsonProgress) every() time.Duration { return jsonEvery }

func (p *jsonProgress) progress(s engine.Snapshot) {
	left := int64(-1)
	if s.Left >= 0 {
		left = int64(s.Left.Round(time.Second) / time.Second)
	}
	// A reader that has gone away shows when the last line is written.
	_ = json.NewEncoder(p.w).Encode(progressJSON{
		Event: "progress",
		Files: s.Files, Bytes: s.Bytes, TotalFiles: s.TotalFiles, TotalBytes: s.TotalBytes,
		TotalKnown: s.TotalKnown, BytesPerSecond: int64(s.Rate), SecondsLeft: left, DryRun: p.dryRun,
	})
}

func (p *jsonProgress) last(s engine.Snapshot) {
	s.Left, s.Rate = 0, 0
	p.progress(s)
}

// writeDone writes the last line piece by piece: a job can leave hundreds of thousands of questions, and a list of them
// in memory would be the largest thing in the process.
func writeDone(w io.Writer, o outcome, dryRun bool, seconds float64) error {
	bw := bufio.NewWriterSize(w, 64<<10)
	done := doneJSON{
		Event: "done", State: o.jsonState(),
		Files: o.result.Files, Dirs: o.result.Dirs, Links: o.result.Links,
		Bytes: o.result.Bytes, Skipped: o.result.Skipped, DryRun: dryRun,
	}
	if o.job != nil {
		done.Job = o.job.ID()
	}
	head, err := json.Marshal(done)
	if err != nil {
		return err
	}
	bw.Write(head[:len(head)-1]) //nolint:errcheck // a bufio.Writer keeps its error for Flush
	list(bw, "conflicts", o.questions(), func(q engine.Conflict) any {
		return conflictJSON{Src: fileURI(q.Src), Dst: fileURI(q.Dst), Why: whyName(q.Why)}
	})
	list(bw, "errors", o.failures(), func(e *engine.ItemError) any {
		j := errorJSON{Src: fileURI(e.Src), Dst: fileURI(e.Dst), Stage: e.Stage.String()}
		if e.Err != nil {
			j.Error = e.Err.Error()
		}
		return j
	})
	list(bw, "warnings", o.warnings(), func(x engine.Warning) any {
		j := warningJSON{Src: fileURI(x.Src), Kind: warnName(x.Kind), N: x.N}
		if x.Err != nil {
			j.Error = x.Err.Error()
		}
		return j
	})
	bw.WriteString(`,"seconds":`) //nolint:errcheck // see above
	tail, err := json.Marshal(seconds)
	if err != nil {
		return err
	}
	bw.Write(append(tail, "}\n"...)) //nolint:errcheck // see above
	return bw.Flush()
}

// list writes one member whose value is an array.
func list[T any](bw *bufio.Writer, name string, items func(yield func(T) bool), encode func(T) any) {
	bw.WriteString(`,"` + name + `":[`) //nolint:errcheck // the caller looks at Flush
	first := true
	for item := range items {
		if !first {
			bw.WriteByte(',') //nolint:errcheck // see above
		}
		first = false
		buf, err := json.Marshal(encode(item))
		if err != nil {
			continue // strings and numbers always can be
		}
		bw.Write(buf) //nolint:errcheck // see above
	}
	bw.WriteByte(']') //nolint:errcheck // see above
}

func (o outcome) jsonState() string {
	switch {
	case o.stall != nil:
		return engine.StateFailed.String()
	case o.result.State == engine.StateDone && o.last.Questions > 0:
		return engine.StateWaiting.String()
	default:
		return o.result.State.String()
	}
}

func whyName(w engine.Why) string {
	switch w {
	case engine.WhyFolderInWay:
		return "folder-in-way"
	case engine.WhyFileInWay:
		return "file-in-way"
	case engine.WhyLinkInWay:
		return "link-in-way"
	case engine.WhyBadName:
		return "bad-name"
	default:
		return "exists"
	}
}

func warnName(k engine.WarnKind) string {
	names := [...]string{"changed", "owner", "mode", "times", "xattr", "acl", "hardlinks", "leftover"}
	if int(k) < len(names) {
		return names[k]
	}
	return "other"
}
