package places

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/moby/sys/mountinfo"
)

const (
	// recheck is how often free space is measured; nothing tells when it changes.
	recheck = 10 * time.Second
	// patience is how long a device may take to say how full it is. One that takes longer is shown without, and asked
	// again only when it has answered.
	patience = 500 * time.Millisecond
	// settle is how long the places wait after a change: a desktop mounts in several steps.
	settle = 50 * time.Millisecond
)

// Follow finds the places and calls show from a goroutine each time that they differ, until ctx ends.
func Follow(ctx context.Context, show func(folders, devices []Place)) {
	home, _ := os.UserHomeDir()
	config, _ := os.UserConfigDir()
	m := meter{last: map[string]Place{}, asked: map[string]bool{}}
	var folders, devs []Place
	for first := true; ; first = false {
		f := userFolders(home, config)
		mounts, err := mountinfo.GetMounts(nil)
		if err != nil {
			mounts = nil
		}
		d := m.fill(devices(mounts))
		if first || !slices.Equal(f, folders) || !slices.EqualFunc(d, devs, alike) {
			folders, devs = f, d
			show(f, d)
		}
		if !waitForMounts(ctx) {
			return
		}
	}
}

// alike compares what is to be seen: a bar and a rounded number.
func alike(a, b Place) bool {
	const grain = 512
	return a.Dir == b.Dir && a.Kind == b.Kind && a.Total == b.Total &&
		(a.Total == 0 || a.Free/(a.Total/grain+1) == b.Free/(b.Total/grain+1))
}

// waitForMounts returns when something was mounted or unmounted, or after recheck; false when ctx has ended. The kernel
// tells of mounts as an exceptional condition of the mount table.
func waitForMounts(ctx context.Context) bool {
	polled := make(chan error, 1)
	quit, stop, err := os.Pipe()
	if err != nil {
		return wait(ctx, recheck)
	}
	go func() { polled <- pollMounts(quit) }()
	select {
	case err = <-polled:
		_ = stop.Close()
	case <-ctx.Done():
		_ = stop.Close()
		err = <-polled
	}
	_ = quit.Close()
	if err != nil { // no /proc: nothing tells of mounts
		return wait(ctx, recheck)
	}
	return wait(ctx, settle)
}

// wait is false when ctx has ended.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// pollMounts waits for a change of the mount table, for recheck, or for quit to be closed at its other end.
func pollMounts(quit *os.File) error {
	table, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	defer func() { _ = table.Close() }()
	ep, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(ep) }()
	for fd, events := range map[uintptr]uint32{table.Fd(): syscall.EPOLLPRI | syscall.EPOLLERR, quit.Fd(): syscall.EPOLLIN | syscall.EPOLLHUP} {
		ev := syscall.EpollEvent{Events: events, Fd: int32(fd)}
		if err := syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, int(fd), &ev); err != nil {
			return err
		}
	}
	var events [2]syscall.EpollEvent
	for {
		_, err := syscall.EpollWait(ep, events[:], int(recheck/time.Millisecond))
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// meter measures devices without waiting for those that do not answer.
type meter struct {
	mu    sync.Mutex
	last  map[string]Place
	asked map[string]bool // a goroutine waits for it
}

func (m *meter) fill(list []Place) []Place {
	answered := make(chan struct{}, len(list))
	waiting := 0
	for _, p := range list {
		m.mu.Lock()
		busy := m.asked[p.Dir]
		m.asked[p.Dir] = true
		m.mu.Unlock()
		if busy {
			continue
		}
		waiting++
		go func() {
			measure(&p)
			m.mu.Lock()
			m.last[p.Dir] = p
			delete(m.asked, p.Dir)
			m.mu.Unlock()
			answered <- struct{}{}
		}()
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
collect:
	for ; waiting > 0; waiting-- {
		select {
		case <-answered:
		case <-limit.C:
			break collect
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	out := slices.Clone(list)
	for i := range out {
		if got, ok := m.last[out[i].Dir]; ok && !m.asked[out[i].Dir] {
			out[i].Free, out[i].Total = got.Free, got.Total
		}
	}
	return out
}

// Within returns the place in list that dir lies in, the deepest one, or -1.
func Within(list []Place, dir string) int {
	best, at := -1, -1
	for i, p := range list {
		if dir == p.Dir || p.Dir == "/" || (len(dir) > len(p.Dir) && dir[:len(p.Dir)] == p.Dir && dir[len(p.Dir)] == filepath.Separator) {
			if len(p.Dir) > best {
				best, at = len(p.Dir), i
			}
		}
	}
	return at
}
