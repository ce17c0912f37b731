package browse

import (
	"context"
	"slices"

	"drover/engine/place"
	"drover/ui/present"
)

// Space is how much room the file system of a folder has, in bytes.
type Space struct{ Free, Total int64 }

// read lists a folder, or as much of it as could be read. It waits for a dead mount until ctx ends.
func read(ctx context.Context, dir string) ([]present.Entry, error) {
	var out []present.Entry
	err := place.ListFunc(ctx, dir, func(part []place.Entry) error {
		out = slices.Grow(out, len(part))
		for _, e := range part {
			out = append(out, present.NewEntry(e))
		}
		return nil
	})
	return out, err
}

// lookAt looks at single names of a folder; nil stands for one that is not there.
func lookAt(ctx context.Context, dir string, names []string) (map[string]*present.Entry, error) {
	there, err := place.Look(ctx, dir, names...)
	if err != nil {
		return nil, err
	}
	out := make(map[string]*present.Entry, len(names))
	for _, name := range names {
		out[name] = nil
	}
	for _, p := range there {
		e := present.NewEntry(p)
		out[p.Name] = &e
	}
	return out, nil
}

// space asks how much room there is; ok is false where that is not to be known.
func space(dir string) (s Space, ok bool) {
	total, free, err := place.Free(dir)
	return Space{Free: free, Total: total}, err == nil && total > 0
}
