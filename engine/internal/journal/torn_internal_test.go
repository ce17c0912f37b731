package journal

import (
	"errors"
	"io"
	"os"
	"slices"
	"testing"
)

// sample is a journal of several appends, with the length that it has after each, and how many records.
type sample struct {
	bytes   []byte
	lengths []int64
	counts  []int
	records []Record
}

func newSample(t testing.TB, s *Store) sample {
	t.Helper()
	w := create(t, s, "sample")
	x := sample{records: read(t, s, "sample")}
	note := func() {
		x.lengths, x.counts = append(x.lengths, w.Size()), append(x.counts, len(x.records))
	}
	note()
	all := samplesOf(oddNames[:3]) // every byte of it is tried
	for i := 0; i < len(all); i += 5 {
		some := all[i:min(i+5, len(all))]
		must(t, w.Append(some...))
		x.records = append(x.records, some...)
		note()
	}
	must(t, w.Append(&State{State: 3, Ended: true}))
	x.records = append(x.records, &State{State: 3, Ended: true})
	note()
	must(t, w.Close())
	x.bytes = file(t, s, "sample")
	if int64(len(x.bytes)) != w.Size() {
		t.Fatalf("%d bytes, Size says %d", len(x.bytes), w.Size())
	}
	return x
}

// whole says how many appends are whole in the first n bytes.
func (x *sample) whole(n int64) int {
	k := 0
	for k < len(x.lengths) && x.lengths[k] <= n {
		k++
	}
	return k
}

// ends reports whether the last State says that the job has ended.
func ends(records []Record) bool {
	for _, r := range slices.Backward(records) {
		if s, ok := r.(*State); ok {
			return s.Ended
		}
	}
	return false
}

// Wherever a file is cut, what comes before is read, and no part of an append; then it can be continued.
func TestCutAnywhere(t *testing.T) {
	s := store(t)
	x := newSample(t, s)
	one := &State{State: 9}
	for n := range len(x.bytes) + 1 {
		put(t, s, "cut", x.bytes[:n])
		got := read(t, s, "cut")
		k := x.whole(int64(n))
		count, size := 0, int64(0)
		if k > 0 {
			count, size = x.counts[k-1], x.lengths[k-1]
		}
		if len(got) != count {
			t.Fatalf("cut at %d: %d records, want %d", n, len(got), count)
		}
		equal(t, got, x.records[:count])
		i, err := s.Look("cut")
		if i.Torn != (size != int64(n) || n == 0) || (err != nil) != (k == 0) || i.Alive || i.Ended() != ends(x.records[:count]) {
			t.Fatalf("cut at %d: %+v", n, i)
		}
		w, err := s.Reopen("cut")
		if k == 0 {
			if !errors.Is(err, ErrDamaged) || !errors.Is(i.Err, ErrDamaged) {
				t.Fatalf("cut at %d: %v, %v", n, err, i.Err)
			}
			continue
		}
		must(t, err)
		if w.Size() != size {
			t.Fatalf("cut at %d: goes on at %d, want %d", n, w.Size(), size)
		}
		must(t, w.Append(one))
		must(t, w.Close())
		if n%7 == 0 { // for the time that it takes
			got = read(t, s, "cut")
			equal(t, got, append(x.records[:count:count], one))
		}
	}
}

// Whatever bit is wrong, what comes before it is read, and nothing that was not written.
func TestFlippedBits(t *testing.T) {
	s := store(t)
	x := newSample(t, s)
	put(t, s, "flip", x.bytes)
	f, err := os.OpenFile(s.dir+"/flip"+suffix, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	for bit := range len(x.bytes) * 8 {
		at := bit / 8
		if at >= headerSize && bit%8 != at%7 { // one of each byte, all of the header's
			continue
		}
		_, err := f.WriteAt([]byte{x.bytes[at] ^ 1<<(bit%8)}, int64(at))
		must(t, err)
		var got []Record
		var last error
		for r, err := range s.Read("flip") {
			if last = err; err == nil {
				got = append(got, r)
			}
		}
		i, _ := s.Look("flip")
		_, err = f.WriteAt(x.bytes[at:at+1], int64(at))
		must(t, err)
		if at < headerSize {
			if !errors.Is(last, ErrFormat) || len(got) > 0 || !errors.Is(i.Err, ErrFormat) {
				t.Fatalf("bit %d: %d records, %v, %+v", bit, len(got), last, i)
			}
			continue
		}
		k := x.whole(int64(at))
		count := 0
		if k > 0 {
			count = x.counts[k-1]
		}
		if last != nil || len(got) != count {
			t.Fatalf("bit %d: %d records, want %d; %v", bit, len(got), count, last)
		}
		if at%8 == 0 { // for the time that it takes
			equal(t, got, x.records[:count])
		}
	}
}

// Zeros and other remains behind the end are no records. Frames of no length and checksum 0 would be.
func TestRemainsBehindTheEnd(t *testing.T) {
	s := store(t)
	x := newSample(t, s)
	frame := closeFrame(append(openFrame(nil), "\x4a\x00"...), 0) // Synced
	if n := 0; decodePayload(frame[frameFront:len(frame)-frameBack], func(Record) bool { n++; return true }) != nil || n != 1 {
		t.Fatal("no sample")
	}
	long := append([]byte(nil), frame...)
	order.PutUint32(long, maxFrame+1)
	for what, rest := range map[string][]byte{
		"zeros":                  make([]byte, 3000),
		"many zeros":             make([]byte, 3*readChunk),
		"ones":                   {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		"no length behind":       append(frame[:len(frame)-frameBack:len(frame)-frameBack], 0, 0, 0, 0),
		"longer than the file":   append([]byte{100, 0, 0, 0}, make([]byte, 100)...),
		"longer than any":        append(long, make([]byte, maxFrame+100)...),
		"whole behind something": append([]byte{1}, frame...),
	} {
		put(t, s, "rest", append(x.bytes[:len(x.bytes):len(x.bytes)], rest...))
		equal(t, read(t, s, "rest"), x.records)
		i, err := s.Look("rest")
		must(t, err)
		// behind something that is not whole the end of a file may look whole
		if what != "whole behind something" && !i.Torn || i.State == nil || !i.State.Ended {
			t.Errorf("%s: %+v", what, i)
		}
		w, err := s.Reopen("rest")
		must(t, err)
		must(t, w.Append(&Synced{}))
		must(t, w.Close())
		equal(t, read(t, s, "rest"), append(x.records[:len(x.records):len(x.records)], &Synced{}))
	}
}

func TestFileWithoutAHeader(t *testing.T) {
	s := store(t)
	later := appendHeader(nil, version+1)
	for _, tt := range []struct {
		name    string
		bytes   []byte
		read    error // nil: nothing to read, and no error
		others  error
		prune   bool
		version bool
	}{
		{"empty", nil, nil, ErrDamaged, true, false},
		{"zeros", make([]byte, 5000), nil, ErrDamaged, true, false},
		{"header", appendHeader(nil, version), nil, ErrDamaged, true, false},
		{"without begin", closeFrame(append(openFrame(appendHeader(nil, version)), "\x4a\x00"...), headerSize), nil, ErrDamaged, true, false},
		{"text", []byte("a text that somebody has put there\n"), ErrFormat, ErrFormat, false, false},
		{"later", append(later, "whatever comes"...), ErrNewer, ErrNewer, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			put(t, s, "it", tt.bytes)
			for r, err := range s.Read("it") {
				if _, synced := r.(*Synced); synced && tt.name == "without begin" {
					continue
				}
				if tt.read == nil || !errors.Is(err, tt.read) || r != nil {
					t.Errorf("reads %v, %v", r, err)
				}
			}
			i, err := s.Look("it")
			var v *VersionError
			if !errors.Is(err, tt.others) || !errors.Is(i.Err, tt.others) || i.Ended() || errors.As(err, &v) != tt.version {
				t.Errorf("%+v", i)
			}
			if tt.version && (v.Has != version+1 || v.Known != version || v.Error() == "") {
				t.Error(v)
			}
			if w, err := s.Reopen("it"); !errors.Is(err, tt.others) && tt.name != "without begin" {
				t.Errorf("opens: %v, %v", w, err)
			} else if err == nil {
				must(t, w.Close())
			}
			gone, err := s.Prune(0, 1, nil)
			if err != nil || len(gone) == 1 != (tt.prune && len(tt.bytes) > 1) {
				t.Errorf("%d pruned, %v", len(gone), err)
			}
		})
	}
}

// failing fails from a byte on.
type failing struct {
	io.ReaderAt
	from int64
}

var errDisk = errors.New("the disk")

func (f failing) ReadAt(b []byte, off int64) (int, error) {
	if off+int64(len(b)) <= f.from {
		return f.ReaderAt.ReadAt(b, off)
	}
	n, _ := f.ReaderAt.ReadAt(b[:max(0, f.from-off)], off)
	return n, errDisk
}

// A disk that cannot be read is not a journal that ends.
func TestReadingFails(t *testing.T) {
	s := store(t)
	x := newSample(t, s)
	f, err := os.Open(s.dir + "/sample" + suffix)
	must(t, err)
	defer f.Close()
	for from := range x.bytes {
		sc := scanner{file: failing{f, int64(from)}, size: int64(len(x.bytes))}
		if err = sc.header(); err == nil {
			err = sc.pass()
		}
		if !errors.Is(err, errDisk) || sc.off > int64(from) {
			t.Fatalf("from byte %d: %v, %d bytes whole", from, err, sc.off)
		}
	}
	sc := scanner{file: f, size: int64(len(x.bytes)) + 500} // cut since it was looked at
	must(t, sc.header())
	if err := sc.pass(); err != nil || sc.off != int64(len(x.bytes)) {
		t.Errorf("%v, %d bytes whole", err, sc.off)
	}
}
