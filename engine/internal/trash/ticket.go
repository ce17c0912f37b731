package trash

import (
	"encoding/binary"
	"fmt"
	"strings"

	"drover/engine/internal/sys"
)

// Ticket stands for one thing in a trash. The zero value stands for none. Tickets can be compared with ==.
type Ticket struct {
	trash string // path of the trash folder when the ticket was given
	name  string // in it
	info  uint64 // sum of the info

	// what lies there; all zero between Reserve and Move
	id    sys.ID
	kind  sys.Kind
	size  int64
	mtime sys.Time
}

// Path returns where the thing was put, any bytes: the trash folder may be mounted elsewhere since.
func (t Ticket) Path() string { return t.trash + "/files/" + t.name }

// Trash returns the path that the trash folder had: the same for all tickets of one Bin.
func (t Ticket) Trash() string { return t.trash }

// ID returns device and inode. Both numbers mean something only for as long as the file system is mounted, the inode longer where inodes are
// kept on the disk.
func (t Ticket) ID() sys.ID { return t.id }

// Moved reports whether something was moved: false for a ticket of Reserve.
func (t Ticket) Moved() bool { return t.kind != 0 }

// A ticket in bytes: version 1, info 8, device 8, inode 8, kind 4, size 8, seconds 8, nanoseconds 8, length of the name 1, name, path of the trash.
// All numbers are little-endian.
const (
	ticketVersion = 1
	ticketFixed   = 1 + 6*8 + 4 + 1
)

// AppendBinary appends the ticket to b. There is never an error.
func (t Ticket) AppendBinary(b []byte) ([]byte, error) {
	le := binary.LittleEndian
	b = append(b, ticketVersion)
	b = le.AppendUint64(b, t.info)
	b = le.AppendUint64(b, t.id.Dev)
	b = le.AppendUint64(b, t.id.Ino)
	b = le.AppendUint32(b, uint32(t.kind))
	b = le.AppendUint64(b, uint64(t.size))
	b = le.AppendUint64(b, uint64(t.mtime.Sec))
	b = le.AppendUint64(b, uint64(t.mtime.Nsec))
	b = append(b, byte(len(t.name)))
	b = append(b, t.name...)
	return append(b, t.trash...), nil
}

// ParseTicket reads what AppendBinary wrote; all of b must be it, else the error is ErrTicket.
func ParseTicket(b []byte) (Ticket, error) {
	if len(b) < ticketFixed {
		return Ticket{}, fmt.Errorf("%w: %d bytes", ErrTicket, len(b))
	}
	if b[0] != ticketVersion {
		return Ticket{}, fmt.Errorf("%w: version %d", ErrTicket, b[0])
	}
	rest := b[1:]
	number := func(size int) (n uint64) {
		for i := range size {
			n |= uint64(rest[i]) << (8 * i)
		}
		rest = rest[size:]
		return n
	}
	var t Ticket
	t.info = number(8)
	t.id = sys.ID{Dev: number(8), Ino: number(8)}
	t.kind = sys.Kind(number(4))
	t.size = int64(number(8))
	t.mtime = sys.Time{Sec: int64(number(8)), Nsec: int64(number(8))}
	length := int(number(1))
	if length > len(rest) {
		return Ticket{}, fmt.Errorf("%w: it ends within a name", ErrTicket)
	}
	t.name, t.trash = string(rest[:length]), string(rest[length:])
	bad := t.name == "" || t.name == "." || t.name == ".." || len(t.name) > nameMax || strings.ContainsAny(t.name, "/\x00")
	if bad || t.trash == "" || t.trash[0] != '/' || strings.IndexByte(t.trash, 0) >= 0 {
		return Ticket{}, fmt.Errorf("%w: no such name or folder", ErrTicket)
	}
	return t, nil
}

// names returns the names in the trash of the thing and of its info.
func (t Ticket) names() (file, info sys.Name) {
	return sys.Name(t.name + "\x00"), sys.Name(t.name + infoSuffix + "\x00")
}

// identify notes what the thing is.
func (t *Ticket) identify(st *sys.Stat) {
	t.id, t.kind, t.size, t.mtime = st.ID, st.Kind(), st.Size, st.Mtime
}
