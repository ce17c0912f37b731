package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// Sizes in bytes. doc.go has the layout.
const (
	headerSize = 16 // magic 8, version 4, CRC-32C of both 4
	frameFront = 8
	frameBack  = 4
	frameExtra = frameFront + frameBack
)

const (
	magic   = "DROVERJ\n"
	version = 1
)

var order = binary.LittleEndian

// castagnoli is asked for its table each time, which costs nothing, so that a program that writes no journal does not build it.
func castagnoli(crc uint32, b []byte) uint32 {
	return crc32.Update(crc, crc32.MakeTable(crc32.Castagnoli), b)
}

func appendHeader(b []byte, version uint32) []byte {
	start := len(b)
	b = append(b, magic...)
	b = order.AppendUint32(b, version)
	return order.AppendUint32(b, castagnoli(0, b[start:]))
}

// errTorn says that a file ends before its header does, or that its start never reached the disk.
var errTorn = errors.New("no header")

func checkHeader(b []byte) error {
	if len(b) < headerSize {
		return errTorn
	}
	b = b[:headerSize]
	switch {
	case bytes.Equal(b, make([]byte, headerSize)): // after a power cut a file may have its size, and nothing in it
		return errTorn
	case string(b[:len(magic)]) != magic, order.Uint32(b[12:]) != castagnoli(0, b[:12]):
		return ErrFormat
	}
	if has := order.Uint32(b[8:]); has > version {
		return &VersionError{Has: has, Known: version}
	}
	return nil
}

// openFrame makes room for what stands before the payload; closeFrame must follow when that is there.
func openFrame(b []byte) []byte { return append(b, make([]byte, frameFront)...) }

// closeFrame completes the frame that begins at start.
func closeFrame(b []byte, start int) []byte {
	f := b[start:]
	size := uint32(len(f) - frameFront)
	order.PutUint32(f, size)
	order.PutUint32(f[4:], checksum(f))
	return order.AppendUint32(b, size)
}

// checksum is that of a frame without what follows the payload.
func checksum(f []byte) uint32 { return castagnoli(castagnoli(0, f[:4]), f[frameFront:]) }

// payloadSize reads what stands before a payload, or behind it. A frame is never empty: zeros, which a power cut may leave,
// would be endless valid frames.
func payloadSize(b []byte, room int64) (n int, ok bool) {
	size := int64(order.Uint32(b))
	return int(size), size > 0 && size <= maxFrame && size <= room-frameExtra
}

// payloadOf returns the payload of a whole frame.
func payloadOf(f []byte) (payload []byte, ok bool) {
	end := len(f) - frameBack
	ok = order.Uint32(f[4:]) == checksum(f[:end]) && order.Uint32(f) == order.Uint32(f[end:])
	return f[frameFront:end], ok
}

// scanner walks the frames of a file from its start.
type scanner struct {
	file io.ReaderAt
	size int64 // of the file, when it was opened: what comes later is left out
	off  int64 // all before this is whole
	err  error // of reading the file, not of what is in it

	buf []byte // what was read
	at  int64  // where in the file buf begins
}

// header checks the start of the file, before anything else. It may be errTorn.
func (s *scanner) header() error {
	b, ok := s.window(min(headerSize, s.size))
	if !ok {
		return s.err
	}
	err := checkHeader(b)
	if err == nil {
		s.off = headerSize
	}
	return err
}

// next returns the payload of the next frame, which holds until the following call. It returns false where nothing whole
// follows, and after an error.
func (s *scanner) next() ([]byte, bool) {
	if s.off+frameExtra > s.size {
		return nil, false
	}
	front, ok := s.window(frameFront)
	if !ok {
		return nil, false
	}
	n, ok := payloadSize(front, s.size-s.off)
	if !ok {
		return nil, false
	}
	f, ok := s.window(int64(n) + frameExtra)
	if !ok {
		return nil, false
	}
	payload, ok := payloadOf(f)
	if ok {
		s.off += int64(len(f))
	}
	return payload, ok
}

// window returns the next n bytes, which are in the file. It reads more than them, as much as buf holds.
func (s *scanner) window(n int64) ([]byte, bool) {
	from := s.off - s.at
	if s.buf != nil && from+n <= int64(len(s.buf)) {
		return s.buf[from : from+n], true
	}
	if int64(cap(s.buf)) < n {
		s.buf = make([]byte, 0, max(n, readChunk))
	}
	want := min(int64(cap(s.buf)), s.size-s.off)
	got, err := s.file.ReadAt(s.buf[:want], s.off)
	s.buf, s.at = s.buf[:got], s.off
	if int64(got) < n {
		if err != nil && !errors.Is(err, io.EOF) { // at its end: it was cut meanwhile
			s.err = err
		}
		return nil, false
	}
	return s.buf[:n], true
}
