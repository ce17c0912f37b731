package change

import (
	"context"
	"time"
)

// pacer delivers the news of an inbox in batches, not too soon, not too often, and never more than the newest state.
type pacer struct {
	dir string
	in  *inbox
	out chan<- Batch

	lastBatch, lastLook time.Time // delivered
}

// due is when news that came from first to last should go out.
func (p *pacer) due(first, last time.Time, lookAgain bool) time.Time {
	t := earlier(last.Add(quiet), first.Add(maxDelay))
	t = later(t, p.lastBatch.Add(minGap))
	if lookAgain {
		t = later(t, p.lastLook.Add(lookGap))
	}
	return t
}

// run delivers until ctx ends. A batch that the consumer does not take yet is held back and brought up to date, so that there is never more than one.
func (p *pacer) run(ctx context.Context) {
	defer close(p.out)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var (
		held  pending
		batch Batch
		out   chan<- Batch // nil until the batch is due
	)
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.in.ring:
		case <-timer.C:
		case out <- batch:
			p.lastBatch = time.Now()
			if batch.LookAgain {
				p.lastLook = p.lastBatch
			}
			out, batch = nil, Batch{}
			held.reset()
		}
		first, last, lookAgain, ok := p.in.age()
		if !ok {
			continue
		}
		if wait := time.Until(p.due(first, last, lookAgain)); out == nil && wait > 0 {
			timer.Reset(wait)
			continue
		}
		p.in.moveTo(&held)
		out, batch = p.out, held.batch(p.dir)
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
