package engine

import "time"

// State is where a job stands.
type State uint8

// The states: queued → running ⇄ paused → waiting → done | failed | cancelled, and stalled, which is a pause by the
// engine with a reason that a person can mend (Snapshot.Stall).
const (
	StateQueued State = iota
	StateRunning
	StatePaused
	StateStalled
	StateWaiting // nothing is left to do but what waits for answers; Decide goes on, Leave ends
	StateDone
	StateFailed
	StateCancelled
)

func (s State) String() string {
	return [...]string{"queued", "running", "paused", "stalled", "waiting", "done", "failed", "cancelled"}[s]
}

// Ended reports whether no job in this state goes on. A waiting one may (Snapshot.Ended).
func (s State) Ended() bool { return s >= StateDone }

// Snapshot is how a job stands at one moment: plain values, totals and never deltas, so that one that is missed loses
// nothing. Files ≤ TotalFiles, Bytes ≤ TotalBytes and Fraction ≤ 1 always; Files, Bytes and Fraction never go back.
type Snapshot struct {
	State State
	Ended bool  // also of a job that ended by Leave, in StateWaiting
	Stall error // an *ItemError that says why, while State is StateStalled

	Files, TotalFiles int64 // everything that is not a folder; in a move when it has left the source
	Bytes, TotalBytes int64 // moved and to be moved; what is skipped or fails leaves the total
	TotalKnown        bool  // the scan has ended
	Dirs              int64 // folders made or merged, or moved as a whole

	Skipped   int64 // items left out by a rule or an answer
	Questions int   // open
	Failures  int   // failed items; Job.Failures lists them
	Warnings  int

	Fraction float64       // 0 … 1, of files and bytes together; 0 until TotalKnown
	Rate     float64       // bytes a second over the last seconds, 0 when not known
	FileRate float64       // files a second over the last seconds
	Left     time.Duration // time left, < 0 when not known
	Elapsed  time.Duration // without pauses
	Current  []string      // names that workers have in hand, at most one per worker
}

// Result is how a job ended.
type Result struct {
	State State
	Err   error // *RefusedError, ErrCancelled, or why the job failed; nil for StateDone and StateWaiting

	// Regular and special files, folders, symbolic and hard links that are there now because of the job. A folder that has moved as
	// a whole is one folder, whatever is in it. What a move has copied and could not take away is not counted.
	Files, Dirs, Links int64
	Bytes              int64 // content of complete files; of renamed ones none
	Skipped            int64
	Elapsed            time.Duration
}

// Warning is something a person should know about an item that was copied.
type Warning struct {
	Src  string // one example, full path
	Kind WarnKind
	N    int64 // how many items it is true of
	Err  error // the first cause; may be nil
}

// WarnKind names a kind of warning; the texts are the user interface's.
type WarnKind uint8

// The kinds of warnings.
const (
	WarnChanged   WarnKind = iota // the source changed while it was copied: the copy is what was read
	WarnOwner                     // owner or group could not be kept
	WarnMode                      // permissions could not be kept
	WarnTimes                     // times could not be kept
	WarnXattr                     // extended attributes could not be kept
	WarnACL                       // access control lists could not be kept
	WarnHardlinks                 // the destination has no hard links: stored as separate files
	WarnLeftover                  // a file that was replaced could not be removed: Src is where it is now, beside the new one
)
