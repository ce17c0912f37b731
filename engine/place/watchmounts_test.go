package place

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Where the kernel does not tell, whoever listens is sent to look from time to time.
func TestWatchMountsWithoutTheKernel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := watchMounts(ctx, func(context.Context, func()) error { return errors.ErrUnsupported })
		start := time.Now()
		for range 4 {
			<-c
		}
		if d := time.Since(start); d != 3*remeasure {
			t.Errorf("4 signals in %v", d)
		}
		time.Sleep(time.Hour) // nobody listens
		<-c
		cancel()
		if _, ok := <-c; ok {
			if _, ok := <-c; ok {
				t.Error("not closed")
			}
		}
	})
}
