package journal

import "time"

// Begin says whose journal this is and who writes it. It is the first record, and again the first of everyone who continues
// the journal: of a resume after a crash, of an undo.
type Begin struct {
	ID      string    // of the job; Create fills it in
	Time    time.Time // Create fills it in
	Boot    string    // of the kernel (BootID). Another one at reading means that there may have been a power cut; Create fills it in
	PID     int       // of the writer, for a log: whether it still runs is for the lock to say; Create fills it in
	Version string    // of the program
	Request []byte    // what the job is to do, in a form that the engine knows
}

func (*Begin) kind() number { return kindBegin }

func (r *Begin) encode(e *encoder) {
	e.text(1, r.ID)
	e.stamp(2, r.Time)
	e.text(3, r.Boot)
	e.sint(4, int64(r.PID))
	e.text(5, r.Version)
	e.bytes(6, r.Request)
}

func (r *Begin) decode(d *decoder) {
	for d.next() {
		switch d.num {
		case 1:
			r.ID = d.text()
		case 2:
			r.Time = d.stamp()
		case 3:
			r.Boot = d.text()
		case 4:
			r.PID = int(d.sint())
		case 5:
			r.Version = d.text()
		case 6:
			r.Request = d.bytes()
		}
	}
}

// State says how the job stands. A job ends with one in a frame of its own, so that List finds it at once. Who continues the
// journal of a job that has ended begins with one that is not Ended: otherwise an undo that is cut off would look finished.
type State struct {
	State   uint8     // a number of the engine
	Ended   bool      // nothing is left to do: Prune may remove the journal some day
	Time    time.Time // when it came to be so
	Message []byte    // a cause, for a log
}

func (*State) kind() number { return kindState }

func (r *State) encode(e *encoder) {
	e.uint(1, uint64(r.State))
	e.bool(2, r.Ended)
	e.stamp(3, r.Time)
	e.bytes(4, r.Message)
}

func (r *State) decode(d *decoder) {
	for d.next() {
		switch d.num {
		case 1:
			r.State = d.small()
		case 2:
			r.Ended = d.bool()
		case 3:
			r.Time = d.stamp()
		case 4:
			r.Message = d.bytes()
		}
	}
}

// Synced says that everything which the records before it call done has reached the disk, content and names, and would
// survive a power cut.
type Synced struct{}

func (*Synced) kind() number { return kindSynced }

func (*Synced) encode(*encoder) {}

func (*Synced) decode(d *decoder) {
	for d.next() {
		continue // a later version may say more
	}
}
