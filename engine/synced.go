package engine

import (
	"errors"
	"syscall"
	"time"

	"drover/engine/internal/sys"
)

// synced is what one round has written to the medium.
type synced struct {
	m       *removal
	devices map[uint64]bool  // by the number of the device
	folders map[*folder]bool // where names have to be written out one folder at a time
}

// sync writes out what a list is about.
func (m *removal) sync(list []errand) *synced {
	s := &synced{m: m, devices: map[uint64]bool{}, folders: map[*folder]bool{}}
	begin := time.Now()
	for _, x := range list {
		switch {
		case x.b != nil:
			s.write(x.b.dir)
		case !sameDevice(x.f):
			s.write(x.f)
		}
	}
	m.pause = max(removeEvery, time.Since(begin))
	return s
}

// sameDevice reports whether a folder did not leave its file system: that itself keeps the order in which folders come and go.
func sameDevice(f *folder) bool { return f.meta.Dev == f.dstID.Dev }

// of returns why a folder, or what came into it, cannot be relied upon to be on the medium.
func (s *synced) of(f *folder) error {
	if f.each {
		return s.m.unnamed[f]
	}
	return s.m.lost[f.dstID.Dev]
}

func (s *synced) write(f *folder) {
	if f.each {
		if !s.folders[f] {
			s.folders[f] = true
			if err := s.m.syncFolder(f); err != nil {
				s.m.unnamed[f] = err
			}
		}
		return
	}
	if dev := f.dstID.Dev; !s.devices[dev] && s.m.lost[dev] == nil {
		s.devices[dev] = true
		if err := s.m.syncDevice(f); err != nil {
			s.m.lost[dev] = err // it may also be about what is only on its way to the next round
		}
	}
}

// settles finds out how what comes to a destination folder will be written to the medium.
func (r *run) settles(dst int, f *folder) {
	if f.each = !sys.Native(dst); !f.each {
		_, _ = r.removal.device(f.dstID.Dev, dst) // an error shows again when it is needed
	}
}

func (m *removal) syncFolder(f *folder) error {
	_, dst, err := m.tree.acquire(f)
	if err != nil {
		return err
	}
	defer m.tree.release(f)
	return cannotSync(sys.Fsync(dst))
}

func (m *removal) syncDevice(f *folder) error {
	_, dst, err := m.tree.acquire(f)
	if err != nil {
		return err
	}
	defer m.tree.release(f)
	fd, err := m.device(f.dstID.Dev, dst)
	if err != nil {
		return err
	}
	return sys.SyncFS(fd)
}

// device returns something open on a device of which dir is a folder. It is opened before anything is written there: what is lost on the
// way to the medium is reported to who had something open then.
func (m *removal) device(dev uint64, dir int) (int, error) {
	m.mu.Lock()
	fd, ok := m.devices[dev]
	m.mu.Unlock()
	if ok {
		return fd, nil
	}
	fd, err := sys.OpenDir(dir, ".\x00", false)
	if errors.Is(err, syscall.EACCES) { // it may not be listed, but written to
		var handled bool
		if fd, handled, err = sys.CreateUnnamed(dir, 0o600); !handled {
			err = syscall.EACCES
		}
	}
	if err != nil {
		return -1, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if first, ok := m.devices[dev]; ok {
		_ = sys.Close(fd)
		return first, nil
	}
	m.devices[dev] = fd
	return fd, nil
}
