package control

import (
	"context"
	"os"
	"time"

	"drover/engine"
	"drover/ui/present"
)

const (
	// lookAhead is how many questions are looked at to show one: enough to say how many are like it.
	lookAhead = 200
	// page is how many questions are looked at at a time when all of one kind are answered.
	page = 512
	// failuresShown is how many failures a list has; the rest is counted.
	failuresShown = 1000
)

// Asked is the first open question of a job as the dialog shows it.
type Asked struct {
	View  present.QuestionView
	Like  int  // questions of the same kind, this one included
	All   int  // open questions in all
	Going bool // the job still works, so there may be more
}

type (
	askedKey    struct{ id string }
	decidedKey  struct{ id string }
	failuresKey struct{ id string }
)

// Ask looks the first open question up, leaving out those that were put off, and calls show on the main goroutine; with ok false if
// there is none.
func (c *Control) Ask(id string, later map[engine.QuestionID]bool, show func(a Asked, ok bool)) {
	off := make(map[engine.QuestionID]bool, len(later))
	for q := range later {
		off[q] = true
	}
	c.ask(id, func(t *task) {
		qs := t.job.Questions(0, lookAhead+len(off))
		snap := t.job.Snapshot()
		a, ok := Asked{}, false
		for _, q := range qs {
			if !off[q.ID] {
				ok = true
				a.View = present.NewQuestion(q, home(), c.now())
				a.All = max(snap.Questions, len(qs))
				a.Like = present.Like(qs, q.Why, a.All)
				a.Going = snap.State != engine.StateWaiting && !snap.State.Ended()
				break
			}
		}
		c.put(askedKey{id}, func() { show(a, ok) })
	})
}

// Answer is what a person decided about a question.
type Answer struct {
	ID     engine.QuestionID
	Why    engine.Why
	Action engine.Action
	Name   string // for ActionRename
	Like   bool   // for all of the same kind too
	Coming bool   // and for those that are still to come
}

// Decide passes an answer on and calls done on the main goroutine, with a text if the answer was refused.
func (c *Control) Decide(id string, a Answer, done func(problem string)) {
	c.ask(id, func(t *task) {
		err := decide(t.job, a)
		c.put(decidedKey{id}, func() { done(present.Explain(err)) })
	})
}

func decide(j Job, a Answer) error {
	if !a.Like {
		return j.Decide(engine.Decision{IDs: []engine.QuestionID{a.ID}, Action: a.Action, Name: a.Name})
	}
	if a.Coming {
		return j.Decide(engine.Decision{Rest: true, Action: a.Action})
	}
	// only those of one kind: a person who says "skip" to files that exist has said nothing of a folder in the way
	var same []engine.QuestionID
	mixed := false
	for from := 0; ; {
		qs := j.Questions(from, page)
		for _, q := range qs {
			if q.Why == a.Why {
				same = append(same, q.ID)
			} else {
				mixed = true
			}
		}
		if from += len(qs); len(qs) < page {
			break
		}
	}
	if !mixed {
		return j.Decide(engine.Decision{All: true, Action: a.Action})
	}
	return j.Decide(engine.Decision{IDs: same, Action: a.Action})
}

// Failures looks the failed items of a job up and calls show on the main goroutine with as many as a list has room for, and how many
// there are. ended says that the job is over.
func (c *Control) Failures(id string, show func(list []present.FailureView, all int, ended bool)) {
	c.ask(id, func(t *task) {
		fs := t.job.Failures(0, failuresShown)
		views := make([]present.FailureView, len(fs))
		for i, f := range fs {
			views[i] = present.NewFailure(f, home())
		}
		all := max(t.job.Snapshot().Failures, len(views))
		c.mu.Lock()
		ended := t.result != nil
		c.mu.Unlock()
		c.put(failuresKey{id}, func() { show(views, all, ended) })
	})
}

// Retry tries all failed items again that this may mend. For an ended job a new one does that, on a row of its own: that of the old one
// goes on telling what it did, if it did anything.
func (c *Control) Retry(id string) {
	c.ask(id, func(t *task) {
		c.mu.Lock()
		ended, over := t.result, t.retried || t.final
		c.mu.Unlock()
		if ended == nil {
			if ids := failedIDs(t.job); len(ids) > 0 {
				c.report(t.job.Decide(engine.Decision{IDs: ids, Action: engine.ActionRetry}))
			}
			return
		}
		if over {
			return
		}
		next, err := c.engine.Retry(context.Background(), t.job)
		if err != nil {
			c.report(err)
			return
		}
		c.mu.Lock()
		t.retried = true
		c.mu.Unlock()
		if ended.Files+ended.Dirs+ended.Links == 0 {
			c.Clear(id)
		}
		c.add(next, true)
	})
}

// RetryOne tries one failed item again.
func (c *Control) RetryOne(id string, f engine.QuestionID) {
	c.ask(id, func(t *task) {
		c.report(t.job.Decide(engine.Decision{IDs: []engine.QuestionID{f}, Action: engine.ActionRetry}))
	})
}

// failedIDs are the failed items of a job that trying again may mend.
func failedIDs(j Job) []engine.QuestionID {
	var ids []engine.QuestionID
	for from := 0; ; from += page {
		fs := j.Failures(from, page)
		for _, f := range fs {
			if !present.Final(f.Err) {
				ids = append(ids, f.ID)
			}
		}
		if len(fs) < page {
			return ids
		}
	}
}

func (c *Control) report(err error) {
	if err != nil {
		c.say(present.Explain(err))
	}
}

// home is asked of the environment, not of the disk.
func home() string {
	h, _ := os.UserHomeDir()
	return h
}

// Since is how long ago t was by the clock of c.
func (c *Control) Since(t time.Time) time.Duration { return c.now().Sub(t) }
