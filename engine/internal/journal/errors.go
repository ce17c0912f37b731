package journal

import (
	"errors"
	"fmt"
)

// Errors of this package. Besides them there are those of the os package: fs.ErrNotExist where there is no such journal,
// fs.ErrExist where Create finds one.
var (
	// ErrBusy: the journal is being written, by another process or another Writer of this one.
	ErrBusy = errors.New("the journal is in use")
	// ErrNewer: a later version of the program wrote it, in a form that this one does not know. See VersionError.
	ErrNewer = errors.New("the journal is of a later version")
	// ErrFormat: it is no journal.
	ErrFormat = errors.New("not a journal")
	// ErrDamaged: the journal lacks its beginning, or has a record that is whole by its checksum but makes no sense.
	ErrDamaged = errors.New("the journal is damaged")
	// ErrRecord: a record was to be written that could not be read again: a name that is no name, or too much in one frame.
	ErrRecord = errors.New("not a valid record")
	// ErrID: an ID that is empty, too long, or has other characters than letters, digits, "-" and "_".
	ErrID = errors.New("not a valid id of a job")
	// ErrClosed: the Writer was closed.
	ErrClosed = errors.New("the journal was closed")
	// ErrNoHome: neither XDG_STATE_HOME nor HOME says where to keep journals.
	ErrNoHome = errors.New("no folder for state is known")
)

// VersionError says of which version a journal is that is too new to be read. It is ErrNewer.
type VersionError struct{ Has, Known uint32 }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the journal has version %d, at most %d is known", e.Has, e.Known)
}

// Is makes it ErrNewer.
func (e *VersionError) Is(target error) bool { return target == ErrNewer }
