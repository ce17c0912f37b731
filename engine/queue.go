package engine

import "sync"

// queue hands batches to workers: first what was answered at the desk or put back by a worker, then what the scan found.
// The scan waits when it is too far ahead; the others never do.
type queue struct {
	mu       sync.Mutex
	notEmpty sync.Cond
	notFull  sync.Cond

	// guarded by mu
	first   []*batch
	scanned []*batch // a ring: head, length
	head, n int
	closed  bool
}

func newQueue() *queue {
	q := &queue{scanned: make([]*batch, queueBatches)}
	q.notEmpty.L = &q.mu
	q.notFull.L = &q.mu
	return q
}

// put adds a scanned batch and waits for room. It returns false if the queue was closed.
func (q *queue) put(b *batch) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.n == len(q.scanned) && !q.closed {
		q.notFull.Wait()
	}
	if q.closed {
		return false
	}
	q.scanned[(q.head+q.n)%len(q.scanned)] = b
	q.n++
	q.notEmpty.Signal()
	return true
}

// putFirst adds a batch that must not wait.
func (q *queue) putFirst(b *batch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.first = append(q.first, b)
	q.notEmpty.Signal()
}

// next waits for a batch. nil: the queue was closed.
func (q *queue) next() *batch {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.closed {
			return nil
		}
		if len(q.first) > 0 {
			b := q.first[0]
			q.first[0] = nil
			q.first = q.first[1:]
			return b
		}
		if q.n > 0 {
			b := q.scanned[q.head]
			q.scanned[q.head] = nil
			q.head = (q.head + 1) % len(q.scanned)
			q.n--
			if q.n == len(q.scanned)/2 { // wakes the scans for a good piece of work
				q.notFull.Broadcast()
			}
			return b
		}
		q.notEmpty.Wait()
	}
}

// close ends all waiting. Batches that are still in the queue stay undone.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.notEmpty.Broadcast()
	q.notFull.Broadcast()
}

// drain takes what is left after close.
func (q *queue) drain() func(yield func(*batch) bool) {
	return func(yield func(*batch) bool) {
		q.mu.Lock()
		left := q.first
		for ; q.n > 0; q.n-- {
			left = append(left, q.scanned[q.head])
			q.head = (q.head + 1) % len(q.scanned)
		}
		q.first = nil
		q.mu.Unlock()
		for _, b := range left {
			if !yield(b) {
				return
			}
		}
	}
}
