package trash

import (
	"errors"
	"syscall"
)

var (
	// ErrNoTrash says that there is no trash for this folder. The reasons are reached as well: ErrUnsafe, EROFS, EACCES, EXDEV, …
	ErrNoTrash = errors.New("no trash here")
	// ErrUnsafe says that what stands in the place of a trash folder belongs to somebody else, is open to others, or is a link or no folder.
	ErrUnsafe = errors.New("a trash folder that cannot be trusted")
	// ErrGone says that what the ticket stands for is not in the trash any more.
	ErrGone = errors.New("not in the trash any more")
	// ErrChanged says that what lies in the trash under the name is not, or not any more, what was put there.
	ErrChanged = errors.New("changed in the trash")
	// ErrTicket says that bytes are no ticket.
	ErrTicket = errors.New("not a ticket of the trash")

	errNoName = errors.New("no free name in the trash")
)

// passing are errors that say nothing about a trash, only that this is no moment to look for one.
func passing(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOSPC, syscall.EDQUOT} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
