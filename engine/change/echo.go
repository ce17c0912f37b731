package change

import (
	"time"

	"github.com/fsnotify/fsnotify"
)

// echoes finds the kernel's reports of what the engine itself posted.
//
// Usually the kernel is first: it reports when the file is made, the engine posts when the batch is finished. So reports are
// remembered as heard, and a post makes an echo expected only of what was not heard yet. Each expectation swallows one report
// and is given up when something contrary happens to the name, so that a change by another program is never taken for an echo.
type echoes struct {
	marks    map[string]mark
	queue    [echoNames]string // the names in marks, oldest at next; "" is free
	next     int
	doubtful time.Time // until then the memory of what was heard has holes, and nothing is expected
}

// mark is what is known about one name.
type mark struct {
	heard, expected fsnotify.Op
	until           time.Time // of expected
}

// posted notes what the engine says it did.
func (e *echoes) posted(name string, op fsnotify.Op, now time.Time) {
	m := e.marks[name]
	m.expected = 0
	if now.After(e.doubtful) {
		m.expected, m.until = op&^m.heard, now.Add(echoFor)
	}
	m.heard = 0
	e.put(name, m, now)
}

// reported returns what of the kernel's report is news.
func (e *echoes) reported(name string, op fsnotify.Op, now time.Time) fsnotify.Op {
	m := e.marks[name]
	if now.After(m.until) {
		m.expected = 0
	}
	fresh := op &^ m.expected
	m.expected &^= op
	// A name that went away cannot be made, written or removed as before, and one that is there again cannot be still to vanish.
	if op&gonePart != 0 {
		m.expected &^= herePart
		m.heard &^= herePart
	}
	if op&fsnotify.Create != 0 {
		m.expected &^= gonePart
		m.heard &^= gonePart
	}
	m.heard |= fresh
	e.put(name, m, now)
	return fresh
}

// missed notes that reports of the kernel were lost or not read.
func (e *echoes) missed(now time.Time) {
	clear(e.marks)
	clear(e.queue[:])
	e.doubtful = now.Add(echoDoubt)
}

func (e *echoes) put(name string, m mark, now time.Time) {
	if _, ok := e.marks[name]; ok {
		e.marks[name] = m // also when nothing is left of it: its place in the queue is taken
		return
	}
	if m.heard|m.expected == 0 {
		return
	}
	if e.marks == nil {
		e.marks = make(map[string]mark)
	}
	if old := e.queue[e.next]; old != "" {
		if e.marks[old].heard != 0 {
			e.doubtful = now.Add(echoDoubt)
		}
		delete(e.marks, old)
	}
	e.queue[e.next] = name
	e.next = (e.next + 1) % echoNames
	e.marks[name] = m
}
