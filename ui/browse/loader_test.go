package browse

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"drover/engine/change"
)

// While jobs run the view leaves the processors to them, and at their end it shows at once what they have done.
func TestTheViewStandsBackWhileJobsRun(t *testing.T) {
	for _, tt := range []struct {
		name string
		busy bool
		most int64 // refreshes in three seconds
	}{
		{"nothing runs", false, 21},
		{"a job runs", true, 11},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				var shows atomic.Int64
				w := &fakeWatch{dir, make(chan change.Batch)}
				l := newLoader(func(string) (Watch, error) { return w, nil }, func(shown) { shows.Add(1) })
				l.jobs(tt.busy)
				ctx, stop := context.WithCancel(t.Context())
				over := make(chan struct{})
				go func() { l.run(ctx); close(over) }()
				l.set(want{dir: dir})
				for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
					w.batches <- change.Batch{LookAgain: true}
				}
				if n := shows.Load(); n > tt.most || n < tt.most-2 {
					t.Errorf("shown %d times in three seconds, want %d", n, tt.most)
				}
				synctest.Wait()
				before := shows.Load()
				w.batches <- change.Batch{LookAgain: true}
				l.jobs(true)
				l.jobs(false)
				ended := time.Now()
				for shows.Load() == before {
					time.Sleep(time.Millisecond)
				}
				if late := time.Since(ended); late > 5*time.Millisecond {
					t.Errorf("shown %v after the jobs had ended", late)
				}
				stop()
				<-over
			})
		})
	}
}
