package engine

import (
	"errors"
	"fmt"
	"strings"
)

// Reasons for which an item or a whole job is refused. They are reached through errors.Is from every
// error that the engine returns or lists; errnos (syscall.ENOSPC, …) are reached the same way.
var (
	// ErrInsideSelf: the destination is the source itself or lies below it, also through a link or a bind mount.
	ErrInsideSelf = errors.New("destination lies inside the source")
	// ErrSameFile: source and destination are the same file (device and inode), under one name or two.
	ErrSameFile = errors.New("source and destination are the same file")
	// ErrBadName: a name that no file can have: empty, ".", "..", with "/" or NUL, or longer than 255 bytes.
	ErrBadName = errors.New("not a valid file name")
	// ErrNotFolder: a folder is needed where something else is.
	ErrNotFolder = errors.New("not a folder")
	// ErrNoParent: the folder that the destination should be created in does not exist.
	ErrNoParent = errors.New("the folder to copy into does not exist")
	// ErrSocket: sockets belong to the program that made them and are listed, never copied.
	ErrSocket = errors.New("sockets are not copied")
	// ErrChanged: the file changed while it was read, so that what was read cannot be trusted.
	ErrChanged = errors.New("changed while it was copied")
	// ErrCopyGone: the copy of what was to be moved is not there any more, so that the source stays.
	ErrCopyGone = errors.New("the copy is not there any more")
	// ErrReplacesFolder: a file cannot replace a folder that has something in it.
	ErrReplacesFolder = errors.New("a folder that is not empty is in the way")
	// ErrNotAnswerable: the action does not fit the question, for example Replace where a folder is in the way.
	ErrNotAnswerable = errors.New("this answer does not fit the question")
	// ErrNoQuestion: no open question or failed item has this number (any more).
	ErrNoQuestion = errors.New("no such open question")
	// ErrCloneOnly: Reflink is ReflinkAlways and the file systems cannot clone.
	ErrCloneOnly = errors.New("the file systems cannot share blocks (clone)")
	// ErrLinkLoop: with Links set to LinksFollow, a link leads back to a folder that is being copied.
	ErrLinkLoop = errors.New("a link leads back into itself")
	// ErrClosed: the engine is closed and takes no more jobs.
	ErrClosed = errors.New("the engine is closed")
	// ErrCancelled is the cause with which a cancelled job ends.
	ErrCancelled = errors.New("cancelled")
)

// Stage names the part of a run in which something went wrong.
type Stage uint8

// The stages of a run, in order. See the package documentation.
const (
	StageScan Stage = iota
	StageCopy
	StageCommit
	StageResolve
	StageFolder // owner, mode and times of a folder, set when all in it is done
	StageRemove // a move: what was copied could not be taken away at the source, and is in both places
)

func (s Stage) String() string {
	return [...]string{"scan", "copy", "commit", "resolve", "folder", "remove"}[s]
}

// ItemError says what failed with one item. Err reaches the errno or one of the errors above.
type ItemError struct {
	Stage    Stage
	Src, Dst string // full paths, any bytes; Dst may be empty in the scan
	Err      error
}

func (e *ItemError) Error() string { return fmt.Sprintf("%s %q: %v", e.Stage, e.Src, e.Err) }

// Unwrap returns the cause.
func (e *ItemError) Unwrap() error { return e.Err }

// RefusedError ends a job before anything was written: nothing of the request could be carried out.
type RefusedError struct{ Items []*ItemError }

func (e *RefusedError) Error() string {
	var b strings.Builder
	b.WriteString("refused")
	for i, it := range e.Items {
		if i == 3 {
			fmt.Fprintf(&b, "; and %d more", len(e.Items)-i)
			break
		}
		fmt.Fprintf(&b, "; %v", it)
	}
	return b.String()
}

// Unwrap returns the refused items.
func (e *RefusedError) Unwrap() []error {
	out := make([]error, len(e.Items))
	for i, it := range e.Items {
		out[i] = it
	}
	return out
}
