package browse

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"drover/ui/present"
)

// Space is how much room the file system of a folder has.
type Space struct{ Free, Total int64 }

// readChunk is how many names are read at a time. Between two the reader sees whether anybody still wants the folder.
const readChunk = 2048

// read lists a folder. It may take as long as a dead mount likes: it is called on a goroutine that can be left behind. stop says that
// nobody waits for the result any more.
func read(dir string, stop <-chan struct{}) ([]present.Entry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	var out []present.Entry
	for {
		select {
		case <-stop:
			return nil, errStopped
		default:
		}
		part, err := f.ReadDir(readChunk)
		for _, d := range part {
			if e, ok := entry(dir, d); ok {
				out = append(out, e)
			}
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}

var errStopped = errors.New("not wanted any more")

// entry looks at one name. What has vanished meanwhile is no entry; what may not be looked at is one without size and date.
func entry(dir string, d fs.DirEntry) (present.Entry, bool) {
	fi, err := d.Info()
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return present.Entry{}, false
		}
		return present.NewEntry(d.Name(), d.Type(), 0, time.Time{}), true
	}
	return fromInfo(dir, d.Name(), fi), true
}

func fromInfo(dir, name string, fi fs.FileInfo) present.Entry {
	e := present.NewEntry(name, fi.Mode(), fi.Size(), fi.ModTime())
	if fi.Mode()&fs.ModeSymlink != 0 {
		path := filepath.Join(dir, name)
		e.Target, _ = os.Readlink(path)
		if t, err := os.Stat(path); err == nil && t.IsDir() {
			e.Folder = true
		}
	}
	return e
}

// lookAt looks at single names of a folder; nil stands for one that is not there.
func lookAt(dir string, names []string) map[string]*present.Entry {
	out := make(map[string]*present.Entry, len(names))
	for _, name := range names {
		fi, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			out[name] = nil
			continue
		}
		e := fromInfo(dir, name, fi)
		out[name] = &e
	}
	return out
}

// space asks how much room there is; ok is false where that is not to be known.
func space(dir string) (s Space, ok bool) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil || st.Blocks == 0 {
		return Space{}, false
	}
	size := int64(st.Bsize) //nolint:unconvert // int32 on some architectures
	return Space{Free: int64(st.Bavail) * size, Total: int64(st.Blocks) * size}, true
}
