package engine

import (
	"io/fs"
	"time"
)

// QuestionID numbers the open questions and failed items of one job.
type QuestionID uint64

// Why says what a question is about.
type Why uint8

// The reasons for which an item is parked.
const (
	WhyExists      Why = iota // a file or link of this name is there; Replace is possible
	WhyFolderInWay            // a folder is where a file or link should go
	WhyFileInWay              // a file is where a folder should go
	WhyLinkInWay              // a link is where a folder should go; a link below the chosen folder is not followed
	WhyBadName                // the destination refuses the name
)

// Side is one side of a question. Kind, Size and Modified are read when the question is looked at, not when it arose.
type Side struct {
	Path     string // full, any bytes
	Exists   bool
	Mode     fs.FileMode
	Size     int64
	Modified time.Time
	Target   string // of a symbolic link
}

// Question is something that only a person can decide. Nothing of it waits but its own item.
type Question struct {
	ID       QuestionID
	Why      Why
	Src, Dst Side
	Actions  []Action // that fit
}

// Conflict is a question without a look at the disk: what is in the way, and where.
type Conflict struct {
	ID       QuestionID
	Why      Why
	Src, Dst string // full paths, any bytes
}

// Failure is an item that failed; Decide with ActionRetry tries again, ActionSkip takes it off the list.
type Failure struct {
	ID QuestionID
	*ItemError
}

// Action is an answer.
type Action uint8

// The answers.
const (
	ActionSkip Action = iota
	ActionReplace
	ActionNewer     // replace if the source was modified later, else skip
	ActionKeepBoth  // the copy gets a free name
	ActionRenameOld // the existing one gets a free name
	ActionRename    // the copy gets Decision.Name
	ActionRetry     // try again, for failures, and for questions whose cause may be gone
)

// Decision answers one question, a selection, or all.
type Decision struct {
	IDs    []QuestionID // which; ignored with All or Rest
	All    bool         // all that are open now and that Action fits
	Rest   bool         // as All, and by the same rule whatever comes up until the job ends
	Action Action
	Name   string // for ActionRename: one name, validated by the engine
}
