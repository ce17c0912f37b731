package app

import (
	"os"
	"strconv"
	"syscall"
)

// politeness is how far the threads that copy, list and sort stand back behind the one that draws (and behind other programs), in
// steps of nice. Where nothing else wants the processor it costs nothing.
const politeness = 5

// screenFirst has all threads of the program but the calling one, which must be the main thread, stand back. Without it, on a
// machine with few processors, the workers of a big job leave the window waiting for its turn.
//
// Nice is a matter of threads on Linux, and threads inherit it. Go starts new ones from its other threads and never from
// one that a goroutine is locked to, as fyne's is; those that the graphics library starts for drawing come from the main one.
func screenFirst() {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, t := range tasks {
		if tid, err := strconv.Atoi(t.Name()); err == nil && tid != syscall.Gettid() {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, tid, politeness) // a thread that has ended meanwhile
		}
	}
}
