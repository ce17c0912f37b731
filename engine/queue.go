package engine

import "sync"

// queue hands batches to workers. What was answered at the desk comes first, then what the scan found, then ranges of
// big files that another worker has in hand. The scan waits when it is too far ahead; the desk never does.
type queue struct {
	mu       sync.Mutex
	notEmpty sync.Cond
	notFull  sync.Cond

	// guarded by mu
	answered []*batch
	scanned  []*batch // a ring: head, length
	head, n  int
	shared   []*sharedCopy
	closed   bool
}

func newQueue() *queue {
	q := &queue{scanned: make([]*batch, queueBatches)}
	q.notEmpty.L = &q.mu
	q.notFull.L = &q.mu
	return q
}

// offer adds a scanned batch. It returns false at once if the queue is full, or closed.
func (q *queue) offer(b *batch) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.n == len(q.scanned) {
		return false
	}
	q.add(b)
	return true
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
	q.add(b)
	return true
}

func (q *queue) add(b *batch) {
	q.scanned[(q.head+q.n)%len(q.scanned)] = b
	q.n++
	q.notEmpty.Signal()
}

// putAnswered adds a batch that must not wait.
func (q *queue) putAnswered(b *batch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.answered = append(q.answered, b)
	q.notEmpty.Signal()
}

// share invites idle workers to copy ranges of one big file.
func (q *queue) share(s *sharedCopy) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shared = append(q.shared, s)
	q.notEmpty.Broadcast()
}

// unshare takes the invitation back.
func (q *queue) unshare(s *sharedCopy) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, x := range q.shared {
		if x == s {
			q.shared = append(q.shared[:i], q.shared[i+1:]...)
			return
		}
	}
}

// next waits for work: a batch, or a shared copy that the caller has joined. Both nil: the queue was closed.
func (q *queue) next() (*batch, *sharedCopy) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.closed {
			return nil, nil
		}
		if len(q.answered) > 0 {
			b := q.answered[0]
			q.answered[0] = nil
			q.answered = q.answered[1:]
			return b, nil
		}
		if q.n > 0 {
			b := q.scanned[q.head]
			q.scanned[q.head] = nil
			q.head = (q.head + 1) % len(q.scanned)
			q.n--
			q.notFull.Signal()
			return b, nil
		}
		for _, s := range q.shared {
			if s.join() {
				return nil, s
			}
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
		left := q.answered
		for ; q.n > 0; q.n-- {
			left = append(left, q.scanned[q.head])
			q.head = (q.head + 1) % len(q.scanned)
		}
		q.answered = nil
		q.mu.Unlock()
		for _, b := range left {
			if !yield(b) {
				return
			}
		}
	}
}
