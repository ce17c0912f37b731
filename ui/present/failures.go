package present

import (
	"errors"
	"fmt"
	"strings"

	"drover/engine"
)

// FailureView is one row of what was not copied.
type FailureView struct {
	ID     engine.QuestionID
	Name   string
	Folder string
	Reason string // what happened
	Advice string // what can be done
	Path   string // the source, in bytes
	Final  bool   // trying again mends nothing
}

// NewFailure makes the view of f.
func NewFailure(f engine.Failure, home string) FailureView {
	a := AdviseItem(f.ItemError)
	return FailureView{
		ID:     f.ID,
		Name:   Base(f.Src),
		Folder: Place(dirOf(f.Src), home),
		Reason: a.Title,
		Advice: a.Do,
		Path:   f.Src,
		Final:  Final(f.Err),
	}
}

// Final reports whether err is of a kind that trying again never mends: it lies in what was asked for.
func Final(err error) bool {
	return errors.Is(err, engine.ErrSocket) || errors.Is(err, engine.ErrSameFile) || errors.Is(err, engine.ErrInsideSelf)
}

// Explain says in one or two sentences why something did not work and what helps.
func Explain(err error) string {
	if err == nil {
		return ""
	}
	a := Advise(err)
	return strings.TrimSpace(fmt.Sprintf("%s. %s", a.Title, a.Do))
}
