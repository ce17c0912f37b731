package sys

import (
	"context"
	"os"
	"time"
)

// WatchMountTable calls changed once at the start and then after every mount and unmount, until ctx ends. Several changes may be one call.
//
// The kernel marks /proc/self/mountinfo as ready (POLLERR, POLLPRI) when the table changes. Go's poller is woken by that too, so
// that no thread has to sit in poll(2). All waiting happens inside one Read: between two of them a wake-up could get lost.
func WatchMountTable(ctx context.Context, changed func()) error {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	defer f.Close()
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	err = c.Read(func(uintptr) bool {
		if ctx.Err() != nil {
			return true
		}
		changed() // at first too: Read has just forgotten what woke the poller before
		return false
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
