package journal

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"drover/engine/internal/sys"
)

// This file is the protobuf wire format, as much as a journal needs of it. It is our own because the library takes a checksum of
// the program's own file whenever the program starts (0.3 ms for every command), and because what a journal needs of it is a few lines
// around encoding/binary. The tests have the library as a judge.

// number is the number of a field. Numbers are never used again for something else.
type number uint64

// wireType says how a field is laid out.
type wireType uint8

const (
	wireVarint  wireType = 0
	wireFixed64 wireType = 1
	wireBytes   wireType = 2
	wireFixed32 wireType = 5
)

// encoder appends fields to b. What is zero is left out. The first thing that could not be read again makes it bad.
type encoder struct {
	b   []byte
	bad bool
}

func (e *encoder) tag(n number, t wireType) {
	if n < 16 { // one byte
		e.b = append(e.b, byte(n)<<3|byte(t))
		return
	}
	e.b = binary.AppendUvarint(e.b, uint64(n)<<3|uint64(t))
}

func (e *encoder) uint(n number, v uint64) {
	if v == 0 {
		return
	}
	e.tag(n, wireVarint)
	e.b = binary.AppendUvarint(e.b, v)
}

// sint is for what may be negative.
func (e *encoder) sint(n number, v int64) { e.uint(n, zigzag(v)) }

func (e *encoder) bool(n number, v bool) {
	if v {
		e.b = append(e.b, byte(n)<<3|byte(wireVarint), 1)
	}
}

// nanos is for parts of a second, which are long as a varint.
func (e *encoder) nanos(n number, v int64) {
	if v == 0 {
		return
	}
	e.bad = e.bad || v < 0 || v >= 1e9
	e.tag(n, wireFixed32)
	e.b = binary.LittleEndian.AppendUint32(e.b, uint32(v))
}

// stamp is a point in time, from 1678 to 2262.
func (e *encoder) stamp(n number, t time.Time) {
	if t.IsZero() {
		return
	}
	e.tag(n, wireFixed64)
	e.b = binary.LittleEndian.AppendUint64(e.b, uint64(t.UnixNano()))
}

func (e *encoder) bytes(n number, v []byte) {
	if len(v) == 0 {
		return
	}
	e.tag(n, wireBytes)
	e.b = binary.AppendUvarint(e.b, uint64(len(v)))
	e.b = append(e.b, v...)
}

func (e *encoder) text(n number, v string) {
	if v == "" {
		return
	}
	e.tag(n, wireBytes)
	e.b = binary.AppendUvarint(e.b, uint64(len(v)))
	e.b = append(e.b, v...)
}

// name is a single name that must be there.
func (e *encoder) name(n number, v sys.Name) {
	s, ok := bare(v)
	e.bad = e.bad || !ok || !isName(s)
	e.text(n, s)
}

// path is a name or path, or "" if there is none.
func (e *encoder) path(n number, v sys.Name) {
	s, ok := bare(v)
	e.bad = e.bad || v != "" && (!ok || s == "")
	e.text(n, s)
}

// bare takes the NUL off a name. ok is false if it does not have exactly one, at its end.
func bare(v sys.Name) (s string, ok bool) {
	i := strings.IndexByte(string(v), 0)
	if i != len(v)-1 || v == "" {
		return "", false
	}
	return string(v[:i]), true
}

// isName reports whether s can be the name of something in a folder.
func isName(s string) bool {
	return s != "" && s != "." && s != ".." && strings.IndexByte(s, '/') < 0
}

// begin opens a message inside the message; end must follow, with what begin has returned.
func (e *encoder) begin(n number) (at int) {
	e.tag(n, wireBytes)
	e.b = append(e.b, 0)
	return len(e.b)
}

// end puts the length in its place, for which a message of 128 bytes and more has to move.
func (e *encoder) end(at int) {
	size := uint64(len(e.b) - at)
	if size < 1<<7 {
		e.b[at-1] = byte(size)
		return
	}
	var length [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(length[:], size)
	e.b = append(e.b, length[1:n]...) // makes room
	copy(e.b[at-1+n:], e.b[at:])
	copy(e.b[at-1:], length[:n])
}

// numbers are written as differences from one to the next, which are small for what was created one after the other.
func (e *encoder) numbers(n number, v []uint64) {
	if len(v) == 0 {
		return
	}
	at := e.begin(n)
	last := uint64(0)
	for _, x := range v {
		e.difference(x, last)
		last = x
	}
	e.end(at)
}

func (e *encoder) difference(x, last uint64) { e.b = binary.AppendUvarint(e.b, zigzag(int64(x-last))) }

func zigzag(v int64) uint64   { return uint64(v)<<1 ^ uint64(v>>63) }
func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// decoder takes fields off b. The first thing that makes no sense ends it as bad.
type decoder struct {
	b   []byte
	bad bool

	// the field in hand
	num  number
	typ  wireType
	v    uint64 // of a number
	data []byte // of everything else; a part of b
}

// next takes the next field in hand. It returns false at the end, and when the rest makes no sense.
func (d *decoder) next() bool {
	if d.bad || len(d.b) == 0 {
		return false
	}
	tag := d.varint()
	d.num, d.typ, d.v, d.data = number(tag>>3), wireType(tag&7), 0, nil
	d.bad = d.bad || d.num == 0
	switch d.typ {
	case wireVarint:
		d.v = d.varint()
	case wireFixed64:
		if x := d.take(8); x != nil {
			d.v = binary.LittleEndian.Uint64(x)
		}
	case wireFixed32:
		if x := d.take(4); x != nil {
			d.v = uint64(binary.LittleEndian.Uint32(x))
		}
	case wireBytes:
		d.data = d.take(d.varint())
	default: // groups, which nobody writes any more
		d.bad = true
	}
	return !d.bad
}

func (d *decoder) varint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) take(n uint64) []byte {
	if d.bad || n > uint64(len(d.b)) {
		d.bad = true
		return nil
	}
	x := d.b[:n:n]
	d.b = d.b[n:]
	return x
}

// is notes that the field in hand must be of a type.
func (d *decoder) is(t wireType) { d.bad = d.bad || d.typ != t }

func (d *decoder) uint() uint64 {
	d.is(wireVarint)
	return d.v
}

func (d *decoder) sint() int64 { return unzigzag(d.uint()) }

// small is for enumerations.
func (d *decoder) small() uint8 {
	v := d.uint()
	d.bad = d.bad || v > 255
	return uint8(v)
}

func (d *decoder) bool() bool { return d.uint() != 0 }

func (d *decoder) nanos() int64 {
	d.is(wireFixed32)
	d.bad = d.bad || d.v >= 1e9
	return int64(d.v)
}

func (d *decoder) stamp() time.Time {
	d.is(wireFixed64)
	return time.Unix(0, int64(d.v))
}

func (d *decoder) bytes() []byte {
	d.is(wireBytes)
	if len(d.data) == 0 {
		return nil
	}
	return slices.Clone(d.data)
}

func (d *decoder) text() string {
	d.is(wireBytes)
	return string(d.data)
}

func (d *decoder) name() sys.Name {
	n := d.path()
	d.bad = d.bad || n == "" || !isName(string(n[:len(n)-1]))
	return n
}

// path takes no NUL: what the kernel would then see is another path.
func (d *decoder) path() sys.Name {
	d.is(wireBytes)
	if d.bad || len(d.data) == 0 {
		return ""
	}
	var room [256]byte // of most names, so that only the name itself is allocated
	n := sys.Name(append(append(room[:0], d.data...), 0))
	_, ok := bare(n)
	d.bad = d.bad || !ok
	return n
}

// message is a decoder of the message in hand.
func (d *decoder) message() decoder {
	d.is(wireBytes)
	return decoder{b: d.data, bad: d.bad}
}

// numbers appends what encoder.numbers wrote.
func (d *decoder) numbers(to []uint64) []uint64 {
	m := d.message()
	last := uint64(0)
	for len(m.b) > 0 && !m.bad {
		if x := m.varint(); !m.bad {
			last += uint64(unzigzag(x))
			to = append(to, last)
		}
	}
	d.bad = d.bad || m.bad
	return to
}
