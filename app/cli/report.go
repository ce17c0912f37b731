package cli

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"drover/engine"
	"drover/ui/present"
)

// listed is how many failures and how many questions are told one by one; the rest is counted. JSON has all.
const listed = 20

// page is how many questions or failures are fetched at once, after a first page of what is told one by one: looking at
// a question looks at the disk.
const page = 1000

// questions are the open ones, in the order they arose.
func (o outcome) questions() iter.Seq[engine.Conflict] {
	if o.job == nil {
		return func(func(engine.Conflict) bool) {}
	}
	return o.job.Conflicts()
}

// failures are the failed items, and what else kept the job from being done.
func (o outcome) failures() iter.Seq[*engine.ItemError] {
	return func(yield func(*engine.ItemError) bool) {
		var refused *engine.RefusedError
		if errors.As(o.result.Err, &refused) {
			for _, item := range refused.Items {
				if !yield(item) {
					return
				}
			}
			return
		}
		found := false
		for f := range pages(o.job, (*engine.Job).Failures) {
			found = true
			if !yield(f.ItemError) {
				return
			}
		}
		cause := o.stall
		if cause == nil && o.result.State == engine.StateFailed && !found {
			cause = o.result.Err
		}
		if cause != nil {
			yield(itemError(cause))
		}
	}
}

// itemError makes one of an error that is about the whole job.
func itemError(err error) *engine.ItemError {
	var item *engine.ItemError
	if errors.As(err, &item) {
		return item
	}
	return &engine.ItemError{Stage: engine.StageCopy, Err: err}
}

func (o outcome) warnings() iter.Seq[engine.Warning] {
	return func(yield func(engine.Warning) bool) {
		if o.job == nil {
			return
		}
		for _, w := range o.job.Warnings() {
			if !yield(w) {
				return
			}
		}
	}
}

// pages goes through one of a job's lists.
func pages[T any](job *engine.Job, fetch func(j *engine.Job, from, n int) []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		if job == nil {
			return
		}
		for from, n := 0, listed; ; from, n = from+n, page {
			items := fetch(job, from, n)
			for _, item := range items {
				if !yield(item) {
					return
				}
			}
			if len(items) < n {
				return
			}
		}
	}
}

// report tells how the job went and returns the exit status.
func report(f *copyFlags, stdio Streams, o outcome, began time.Time) int {
	status := o.status()
	elapsed := time.Since(began)
	var err error
	if f.json {
		err = writeDone(stdio.Out, o, f.dryRun, elapsed.Seconds())
	} else {
		if status != ExitRefused && !f.quiet {
			_, err = fmt.Fprintln(stdio.Out, summary(o, f, elapsed))
		}
		explain(stdio.Err, o, f)
	}
	if err != nil { // nobody has got the result: the caller must not take it for success
		fmt.Fprintf(stdio.Err, "%s: %s\n", program(), present.T("cli.no_output", "Error", present.Name(err.Error())))
		if status == ExitDone {
			status = ExitUnfinished
		}
	}
	return status
}

// say is a text without names in it. What does not break elsewhere is an ordinary space here: a terminal breaks lines
// where they are full, and people search what it has printed.
func say(id string, pairs ...any) string { return plain(present.T(id, pairs...)) }

func plain(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

// summary says in one line what was done.
func summary(o outcome, f *copyFlags, elapsed time.Duration) string {
	r := o.result
	what := say("cli.files", "Count", r.Files+r.Links)
	folders := r.Dirs > 0 && o.last.Questions+o.last.Failures == 0
	switch {
	case folders && r.Files+r.Links == 0:
		what = say("cli.folders", "Count", r.Dirs) // there was nothing else in the sources
	case folders && f.move: // what is in a folder that was renamed is not counted
		what += ", " + say("cli.folders", "Count", r.Dirs)
	}
	if r.Bytes > 0 {
		what += ", " + present.Size(r.Bytes)
	}
	var s string
	switch {
	case f.dryRun && f.move:
		s = say("cli.would_move", "What", what)
	case f.dryRun:
		s = say("cli.would_copy", "What", what)
	case r.State == engine.StateCancelled:
		s = say("cli.cancelled_after", "What", what, "Time", duration(elapsed))
	default:
		s = say("cli.copied", "What", what, "Time", duration(elapsed))
	}
	if r.Skipped > 0 {
		s += "; " + say("cli.summary_skipped", "Count", r.Skipped)
	}
	return s
}

// duration writes a time as exactly as it is of interest.
func duration(d time.Duration) string {
	switch {
	case d < 100*time.Millisecond:
		return say("cli.milliseconds", "Count", max(d.Milliseconds(), 1))
	case d < 10*time.Second:
		s := strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
		if present.Language() == "de" {
			s = strings.Replace(s, ".", ",", 1)
		}
		return say("cli.seconds", "Seconds", s)
	case d < time.Minute:
		return say("cli.seconds", "Seconds", strconv.FormatInt(int64(d/time.Second), 10))
	default:
		return present.Clock(d)
	}
}

// explain tells on w what was not copied and why, and warns.
func explain(w io.Writer, o outcome, f *copyFlags) {
	failed := o.last.Failures
	var refused *engine.RefusedError
	head := ""
	switch {
	case errors.As(o.result.Err, &refused):
		head, failed = say(f.word("cli.refused", "cli.refused_move")), len(refused.Items)
	case o.stall != nil:
		head, failed = say("cli.stalled"), failed+1
	case o.result.State == engine.StateFailed:
		head, failed = say("cli.stopped"), max(failed, 1)
	case failed > 0:
		head = say(f.word("cli.failed", "cli.failed_move"), "Count", failed)
	}
	if head != "" {
		fmt.Fprintf(w, "%s: %s\n", program(), head)
		explainFailures(w, o, failed)
	}
	if o.last.Questions > 0 {
		explainQuestions(w, o)
	}
	if f.quiet {
		return
	}
	for x := range o.warnings() {
		fmt.Fprintf(w, "%s: %s\n  %s\n", present.T("cli.warning"), plain(present.WarnText(x.Kind, x.N)),
			present.T("cli.for_example", "Name", present.Name(x.Src)))
	}
}

// explainFailures lists the first of n failures, and after those of one kind what can be done about them.
func explainFailures(w io.Writer, o outcome, n int) {
	told, do := 0, ""
	for item := range o.failures() {
		if told++; told > listed {
			break
		}
		a := present.AdviseItem(item)
		if a.Do != do && do != "" {
			fmt.Fprintf(w, "  %s\n", do)
		}
		do = a.Do
		fmt.Fprintf(w, "  %s\n", strings.TrimPrefix(itemName(item)+": "+a.Title, ": "))
	}
	if do != "" {
		fmt.Fprintf(w, "  %s\n", do)
	}
	more(w, n-listed)
}

// explainQuestions lists what is in the way and says how it can be answered.
func explainQuestions(w io.Writer, o outcome) {
	fmt.Fprintf(w, "%s: %s\n", program(), say("cli.open_questions", "Count", o.last.Questions))
	n := 0
	about := map[engine.Why]bool{}
	for q := range o.questions() {
		about[q.Why] = true
		if n++; n <= listed {
			fmt.Fprintf(w, "  %s: %s\n", present.Name(q.Dst), present.WhyText(q.Why))
		}
	}
	more(w, o.last.Questions-listed)
	switch {
	case about[engine.WhyExists]:
		fmt.Fprintf(w, "  %s\n", present.T("cli.how_to_answer", "Values", "skip, replace, newer, keep-both, rename-old"))
	case about[engine.WhyFolderInWay], about[engine.WhyFileInWay], about[engine.WhyLinkInWay]: // nothing replaces another kind
		fmt.Fprintf(w, "  %s\n", present.T("cli.how_to_answer", "Values", "skip, keep-both, rename-old"))
	}
}

func more(w io.Writer, n int) {
	if n > 0 {
		fmt.Fprintf(w, "  %s\n", say("cli.more", "Count", n))
	}
}

// itemName is the side of an item that a person knows it by; "" for the whole job.
func itemName(item *engine.ItemError) string {
	if item.Src != "" {
		return present.Name(item.Src)
	}
	return present.Name(item.Dst)
}

// adviseLine is advice in one line.
func adviseLine(err error) string {
	a := present.Advise(err)
	return a.Title + ". " + a.Do
}
