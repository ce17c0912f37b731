package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"drover/engine/internal/sys"
)

const (
	suffix    = ".journal"
	newPrefix = ".new-" // of a journal that does not have its name yet
)

// Store is a folder of journals. Several processes may use it at once.
type Store struct{ dir string }

// Open returns the store in a folder, which need not exist. Nothing is done on the disk.
func Open(dir string) *Store { return &Store{dir: dir} }

// Dir returns the folder where a user's journals are by the rules of XDG: $XDG_STATE_HOME/drover/jobs, with ~/.local/state for
// a variable that is not set or not absolute. The error is ErrNoHome.
func Dir() (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home := os.Getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", ErrNoHome
		}
		state = filepath.Join(home, ".local/state")
	}
	return filepath.Join(state, "drover/jobs"), nil
}

// BootID returns the kernel's name for the time since it was started, or "" if it has none.
func BootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// path returns where a journal is. The error is ErrID.
func (s *Store) path(id string) (string, error) {
	if id == "" || len(id) > maxID {
		return "", fmt.Errorf("%w: %q", ErrID, id)
	}
	for _, c := range []byte(id) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return "", fmt.Errorf("%w: %q", ErrID, id)
		}
	}
	return s.dir + "/" + id + suffix, nil
}

// Create begins a journal and makes the folder of the store if need be. Nobody sees it before it is locked and begun. What
// is zero in b but its Request and Version is filled in. The error is fs.ErrExist if the ID has a journal, ErrID, ErrRecord, or of the disk.
func (s *Store) Create(id string, b Begin) (*Writer, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	b.ID = id
	if b.Time.IsZero() {
		b.Time = time.Now()
	}
	if b.PID == 0 {
		b.PID = os.Getpid()
	}
	if b.Boot == "" {
		b.Boot = BootID()
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	at := s.dir + "/" + newPrefix + strconv.FormatUint(sys.Random(), 36)
	file, err := os.OpenFile(at, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	w := &Writer{id: id, path: path, file: file}
	if err = lock(file); err == nil {
		w.enc.b = appendHeader(w.enc.b, version)
		err = w.write([]Record{&b})
	}
	if err == nil {
		err = renameNew(at, path)
	}
	if err != nil {
		_ = file.Close()
		_ = os.Remove(at)
		return nil, err
	}
	return w, nil
}

// Reopen opens a journal to write on: a resume, an undo. A torn end is cut off. The error is fs.ErrNotExist, ErrBusy if
// somebody else writes it, ErrNewer, ErrFormat, ErrDamaged if its beginning is lost, ErrID, or of the disk.
func (s *Store) Reopen(id string) (*Writer, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	file, size, err := openLocked(path, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	w := &Writer{id: id, path: path, file: file}
	sc := scanner{file: file, size: size}
	if err = sc.header(); err == nil {
		err = sc.pass()
	}
	if errors.Is(err, errTorn) || err == nil && sc.off == headerSize {
		err = ErrDamaged // without Begin it says nothing of whose it is
	}
	if w.size = sc.off; err == nil && w.size < size {
		w.torn = true
		err = w.mend()
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return w, nil
}

// pass goes on to the end of what is whole.
func (s *scanner) pass() error {
	for ok := true; ok; {
		_, ok = s.next()
	}
	return s.err
}

// Remove removes a journal. The error is fs.ErrNotExist, ErrBusy if it is being written, ErrID, or of the disk.
func (s *Store) Remove(id string) error {
	path, err := s.path(id)
	if err != nil {
		return err
	}
	return remove(path, func(int64) bool { return true })
}

// remove removes a file that nobody writes, if it is still as expected when it is locked.
func remove(path string, as func(size int64) bool) error {
	file, size, err := openLocked(path, os.O_RDWR)
	if err != nil {
		return err
	}
	// Only when it is closed somebody else may have the lock, who then finds that the name is gone.
	defer file.Close()
	if !as(size) {
		return ErrBusy
	}
	return os.Remove(path)
}
