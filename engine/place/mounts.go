package place

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/moby/sys/mountinfo"

	"drover/engine/internal/sys"
)

// Mount is a mounted device that a person cares about: the root, a disk, a stick, a network folder.
type Mount struct {
	Path   string // where it is mounted
	Name   string // its label, or else the name of the folder where it is mounted; empty for the root without a label
	Source string // as the kernel names it: a device file, "nas:/export", …
	FSType string // as the kernel names it: "ext4", "nfs4", "fuse.sshfs", …

	Removable bool // it can be pulled out, or it is where a desktop mounts what can
	Network   bool // it is on another machine
	ReadOnly  bool

	// Total and Free are in bytes, Free for the user. Both are 0 where the file system has no size.
	Total, Free int64
	// NotResponding says that the device did not answer in time: Total and Free are not known, and looking into it may hang.
	NotResponding bool
}

// Mounts returns the mounted devices, the root first and the others by path. Each device is there once, however often it or a part
// of it is mounted. It waits for devices that do not answer no longer than half a second altogether.
func Mounts(ctx context.Context) ([]Mount, error) {
	table, err := mountinfo.GetMounts(nil)
	if err != nil {
		return nil, fmt.Errorf("the mounted devices: %w", err)
	}
	mounts := pick(table, machine)
	var all sync.WaitGroup
	for i := range mounts {
		all.Go(func() { mounts[i].measure() })
	}
	measured := make(chan struct{})
	go func() {
		all.Wait()
		close(measured)
	}()
	select {
	case <-measured:
		return mounts, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (m *Mount) measure() {
	s, err := spaceOf(m.Path, patience)
	m.Total, m.Free = s.total, s.free
	m.ReadOnly = m.ReadOnly || s.readOnly
	// A FUSE file system whose program died, or a server that refuses, is of no more use than one that is silent.
	m.NotResponding = err != nil
}

// WatchMounts signals (capacity 1, no data) at the start and whenever something was mounted or unmounted. The channel is closed when ctx ends.
func WatchMounts(ctx context.Context) <-chan struct{} {
	return watchMounts(ctx, sys.WatchMountTable)
}

func watchMounts(ctx context.Context, watch func(context.Context, func()) error) <-chan struct{} {
	c := make(chan struct{}, 1)
	signal := func() {
		select {
		case c <- struct{}{}:
		default:
		}
	}
	go func() {
		defer close(c)
		if err := watch(ctx, signal); err == nil || ctx.Err() != nil {
			return
		}
		// The kernel does not tell here: whoever listens has to look from time to time.
		tick := time.NewTicker(remeasure)
		defer tick.Stop()
		for {
			signal()
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return c
}
