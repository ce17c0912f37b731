package change

import (
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// inbox is where the engine and the kernel leave news of one folder for one watch. Writers never wait for the consumer.
type inbox struct {
	ring  chan struct{} // capacity 1: the inbox is not empty any more
	flood chan struct{} // capacity 1: the engine does so much here that names are not told any more

	mu          sync.Mutex
	absent      bool // there is no folder: nothing is news until it is back
	news        pending
	first, last time.Time // when the oldest and the newest of news came
	swallowed   int       // reports since names are not collected any more
	echo        echoes
}

func newInbox() *inbox { return &inbox{ring: make(chan struct{}, 1), flood: make(chan struct{}, 1)} }

// post takes what the engine did.
func (b *inbox) post(op fsnotify.Op, names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.absent {
		return
	}
	if b.news.told() {
		// The echoes of these names need not be known: before the news is taken they change nothing, afterwards they are noise.
		b.last = now
		return
	}
	for _, name := range names {
		if IsTemp(name) {
			continue
		}
		b.echo.posted(name, op, now)
		if b.news.add(name, op); b.news.told() {
			select {
			case b.flood <- struct{}{}:
			default:
			}
			break // the listing covers the rest
		}
	}
	b.touch(now)
}

// report takes what the kernel saw, name being empty for the folder itself. It returns false in a flood: names are not
// collected any more, and still many come.
func (b *inbox) report(name string, op fsnotify.Op) bool {
	if IsTemp(name) {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if op = b.echo.reported(name, op, now); op == 0 {
		return true
	}
	if b.news.told() {
		b.swallowed++
	}
	b.news.add(name, op)
	b.touch(now)
	return b.swallowed <= maxNames
}

// gone says that there is no folder.
func (b *inbox) gone() {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.absent = true
	b.echo.missed(now)
	b.news.setGone()
	b.touch(now)
}

// lookAgain says that there is a folder (again), or that reports of the kernel about it are missing.
func (b *inbox) lookAgain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.absent = false
	b.echo.missed(now)
	b.news.setLookAgain()
	b.touch(now)
}

func (b *inbox) touch(now time.Time) {
	if b.news.empty() {
		return
	}
	b.last = now
	if b.first.IsZero() {
		b.first = now
		select {
		case b.ring <- struct{}{}:
		default:
		}
	}
}

// age says when the oldest and the newest news came and whether the folder must be looked at; ok is false if there is none.
func (b *inbox) age() (first, last time.Time, lookAgain, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.first, b.last, b.news.lookAgain, !b.news.empty()
}

// moveTo empties the inbox into p.
func (b *inbox) moveTo(p *pending) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.news.moveTo(p)
	b.first, b.swallowed = time.Time{}, 0
}
