package present

import (
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
}

// NewFailure makes the view of f.
func NewFailure(f engine.Failure, home string) FailureView {
	a := Advise(f.Err)
	return FailureView{
		ID:     f.ID,
		Name:   Base(f.Src),
		Folder: Place(dirOf(f.Src), home),
		Reason: a.Title,
		Advice: a.Do,
		Path:   f.Src,
	}
}

// Explain says in one or two sentences why something did not work and what helps.
func Explain(err error) string {
	if err == nil {
		return ""
	}
	a := Advise(err)
	return strings.TrimSpace(fmt.Sprintf("%s. %s", a.Title, a.Do))
}
