package engine_test

import (
	"errors"
	"sync"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// An answer that comes at the moment of a cancel begins nothing that the end of the job does not wait for: once it sent on
// a channel that was closed. What could not even be looked at before is the hardest: it reports at once.
func TestAnswerAtTheMomentOfCancel(t *testing.T) {
	rounds := 500
	if testing.Short() {
		rounds = 200
	}
	r := clashes(t, 1)
	for i := range 20 {
		r.Sources = append(r.Sources, r.Dest+"/missing"+string(rune('a'+i)))
	}
	e := newEngine(t, 2)
	for range rounds {
		j := start(t, e, r)
		until(t, j, "the question", func(s engine.Snapshot) bool { return s.State == engine.StateWaiting && s.Failures == 20 })
		var race sync.WaitGroup
		race.Go(func() {
			for range 5 {
				if err := j.Decide(engine.Decision{All: true, Action: engine.ActionRetry}); err != nil && !errors.Is(err, engine.ErrNoQuestion) {
					t.Error(err)
				}
			}
		})
		race.Go(j.Cancel)
		race.Wait()
		if got := wait(t, j); got.State != engine.StateCancelled {
			t.Fatalf("%+v", got)
		}
		e.Forget(j)
	}
	enginetest.AwaitNamed(t, r.Dest)
}
