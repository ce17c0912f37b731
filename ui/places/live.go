package places

import (
	"context"
	"slices"
	"time"

	"drover/engine/place"
)

const (
	// recheck is how often free space is measured; nothing tells when it changes.
	recheck = 10 * time.Second
	// settle is how long the places wait after a change: a desktop mounts in several steps.
	settle = 50 * time.Millisecond
)

// Follow finds the places and calls show from a goroutine each time that they differ, until ctx ends.
func Follow(ctx context.Context, show func(folders []place.UserDir, devices []place.Mount)) {
	changed := place.WatchMounts(ctx)
	again := time.NewTicker(recheck)
	defer again.Stop()
	var folders []place.UserDir
	var devs []place.Mount
	for first := true; ctx.Err() == nil; first = false {
		f, d := folderPlaces(), devices(ctx)
		if first || !slices.Equal(f, folders) || !slices.EqualFunc(d, devs, alike) {
			folders, devs = f, d
			show(f, d)
		}
		select {
		case <-changed: // at the start too
			wait(ctx, settle)
		case <-again.C:
		}
	}
}

// wait waits for d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// folderPlaces are the user folders that people go to; templates and what is shared are no such places.
func folderPlaces() []place.UserDir {
	all, err := place.UserDirs()
	if err != nil {
		return nil // the devices are left
	}
	return slices.DeleteFunc(all, func(d place.UserDir) bool { return d.Kind == place.Templates || d.Kind == place.Public })
}

// devices are the mounted devices; the root is always there.
func devices(ctx context.Context) []place.Mount {
	all, err := place.Mounts(ctx)
	if err != nil || len(all) == 0 {
		return []place.Mount{{Path: "/"}}
	}
	sortDevices(all)
	return all
}

// sortDevices puts what was plugged in behind the root, before what is there to stay.
func sortDevices(all []place.Mount) {
	rank := func(m place.Mount) int {
		switch {
		case m.Path == "/":
			return 0
		case m.Removable:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b place.Mount) int { return rank(a) - rank(b) })
}

// alike compares what is to be seen: a bar and a rounded number.
func alike(a, b place.Mount) bool {
	const grain = 512
	size := a.Total/grain + 1
	sameRoom := a.Total == b.Total && a.Free/size == b.Free/size
	a.Free, b.Free, a.Total, b.Total = 0, 0, 0, 0
	return a == b && sameRoom
}
