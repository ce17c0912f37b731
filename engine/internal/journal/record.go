package journal

// Record is one thing that a journal tells: *Begin, *Folder, *Intent, *Made, *Outcome, *Rename, *Removed, *Partial, *Synced, *State
// or *Undone. A Writer takes pointers so that a caller can fill the same record again and again; what it points to may be changed
// after Append has returned. Reading gives a new record each time. Byte fields that are empty come back as nil.
//
// The numbers of folders and intents are chosen by the writer, from 1, and are unique in a journal.
type Record interface {
	kind() number
	encode(e *encoder)
	decode(d *decoder)
}

// The kinds, which are the numbers of the fields of a payload. They stay as they are for good.
const (
	kindBegin   number = 1
	kindFolder  number = 2
	kindIntent  number = 3
	kindMade    number = 4
	kindOutcome number = 5
	kindRename  number = 6
	kindRemoved number = 7
	kindPartial number = 8
	kindSynced  number = 9
	kindState   number = 10
	kindUndone  number = 11
)

// newRecord returns an empty record, or nil for a kind that this version does not know.
func newRecord(kind number) Record {
	switch kind {
	case kindBegin:
		return new(Begin)
	case kindFolder:
		return new(Folder)
	case kindIntent:
		return new(Intent)
	case kindMade:
		return new(Made)
	case kindOutcome:
		return new(Outcome)
	case kindRename:
		return new(Rename)
	case kindRemoved:
		return new(Removed)
	case kindPartial:
		return new(Partial)
	case kindSynced:
		return new(Synced)
	case kindState:
		return new(State)
	case kindUndone:
		return new(Undone)
	}
	return nil
}

// records appends the fields of a payload.
func (e *encoder) records(records []Record) {
	for _, r := range records {
		at := e.begin(r.kind())
		r.encode(e)
		e.end(at)
	}
}

// decodePayload hands on the records of a payload, one after the other, until yield returns false. The error is ErrDamaged.
func decodePayload(payload []byte, yield func(Record) bool) error {
	return decodeSome(payload, func(number) bool { return true }, yield)
}

// decodeSome passes over the kinds that are not wanted.
func decodeSome(payload []byte, want func(number) bool, yield func(Record) bool) error {
	d := decoder{b: payload}
	for d.next() {
		var r Record
		if want(d.num) {
			r = newRecord(d.num)
		}
		if r == nil {
			continue
		}
		m := d.message()
		if r.decode(&m); m.bad {
			return ErrDamaged
		}
		if !yield(r) {
			return nil
		}
	}
	if d.bad {
		return ErrDamaged
	}
	return nil
}
