package engine

import (
	"testing"
	"testing/synctest"
)

// Several scans wait for room; when there is some, none of them is forgotten.
func TestAllWhoWaitForTheQueueGetRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = queueBatches + 1
		q := newQueue()
		for range 3 {
			go func() {
				for range each {
					q.put(&batch{})
				}
			}()
		}
		synctest.Wait()
		for range 3 * each {
			if q.next() == nil {
				t.Fatal("the queue is closed")
			}
			synctest.Wait()
		}
	})
}
