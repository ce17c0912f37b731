package engine

import (
	"context"
	"errors"
	"syscall"

	"drover/engine/internal/lane"
)

// verdict is what an error means for the job.
type verdict uint8

const (
	verdictSkip  verdict = iota // this item fails and is listed; the job goes on
	verdictStall                // a person can mend it: the job waits and tries this item again
	verdictStop                 // the job is over
)

// sourceError marks an error that one source gave, so that it is not taken for the destination's: a socket that was put in
// the place of a file says ENXIO, as a disk that is gone does.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *sourceError) Unwrap() error { return e.err }

// fromSource marks an error as the source's; nil stays nil.
func fromSource(err error) error {
	if err == nil {
		return nil
	}
	return &sourceError{err}
}

// judge classifies an error, once for the whole engine. Errors of the destination that will hit every further file too
// stall the job; what is wrong with one source, or one name, concerns that item alone.
func judge(err error) verdict {
	var s *sourceError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return verdictStop
	case errors.As(err, &s) && !isShort(err):
		return verdictSkip
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), // full
		errors.Is(err, syscall.EROFS),                                 // went read-only, as ext4 does after an error
		errors.Is(err, syscall.ENODEV), errors.Is(err, syscall.ENXIO), // device gone
		errors.Is(err, syscall.ENOTCONN), // FUSE daemon gone
		isShort(err):
		return verdictStall
	}
	var w *lane.WriteError
	if errors.As(err, &w) && errors.Is(err, syscall.EIO) {
		return verdictStall // the device that is written to is in trouble
	}
	return verdictSkip
}
