package journal

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"drover/engine/internal/sys"
)

func TestRecordsComeBackAsTheyWere(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	want := samples()
	for _, r := range want {
		must(t, w.Append(r))
	}
	must(t, w.Append(want...))
	got := read(t, s, "one")
	if _, ok := got[0].(*Begin); !ok {
		t.Fatalf("begins with %#v", got[0])
	}
	equal(t, got[1:], append(want, want...))
}

func equal(t testing.TB, got, want []Record) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i := range want {
		if !same(got[i], want[i]) {
			t.Fatalf("record %d:\n%#v, want\n%#v", i, got[i], want[i])
		}
	}
}

// same compares times as points in time.
func same(a, b Record) bool {
	switch x := a.(type) {
	case *Begin:
		if y, ok := b.(*Begin); ok && x.Time.Equal(y.Time) && x.Time.IsZero() == y.Time.IsZero() {
			c := *x
			c.Time = y.Time
			a = &c
		}
	case *State:
		if y, ok := b.(*State); ok && x.Time.Equal(y.Time) && x.Time.IsZero() == y.Time.IsZero() {
			c := *x
			c.Time = y.Time
			a = &c
		}
	}
	return reflect.DeepEqual(a, b)
}

// What could not be read again is not written, and is no reason not to write on.
func TestWhatIsNoRecordIsRefused(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	bad := []sys.Name{"", "\x00", name("."), name(".."), name("a/b"), name("/"), "a", "a\x00b\x00", "a\x00\x00"}
	var all []Record
	for _, n := range bad {
		all = append(
			all,
			&Intent{Num: 1, Entries: []Planned{{Name: n}}},
			&Outcome{Items: []Item{{Name: n}}},
			&Rename{Old: n, New: name("a")}, &Rename{Old: name("a"), New: n},
			&Removed{Names: []sys.Name{n}}, &Undone{Names: []sys.Name{name("a"), n}},
			&Partial{Name: n, As: name("a")}, &Partial{Name: name("a"), As: n},
		)
		if n != "" {
			all = append(
				all,
				&Outcome{Items: []Item{{Name: name("a"), From: n}}},
				&Folder{Num: 2, Parent: 1, Src: n}, &Folder{Num: 2, Parent: 1, Dst: n},
			)
		}
	}
	all = append(
		all,
		&Folder{Num: 1, Src: "/a"}, &Folder{Num: 1, Dst: "/a\x00b\x00"}, &Folder{Num: 1, Dst: "\x00"}, &Folder{}, &Intent{}, &Made{},
		&Outcome{Items: []Item{{Name: name("a"), Mtime: sys.Time{Nsec: 1e9}}}}, &Outcome{Items: []Item{{Name: name("a"), Mtime: sys.Time{Nsec: -1}}}},
		&Begin{Request: make([]byte, maxFrame)},
	)
	for _, r := range all {
		if err := w.Append(&Synced{}, r); !errors.Is(err, ErrRecord) {
			t.Fatalf("%#v: %v", r, err)
		}
	}
	must(t, w.Append(&Synced{}))
	if got := read(t, s, "one"); len(got) != 2 {
		t.Errorf("%d records", len(got))
	}
	if cap(w.enc.b) > keptBuffer {
		t.Errorf("keeps %d bytes", cap(w.enc.b))
	}
}

// The same, as a file could have it: whole by its checksum, and senseless.
func TestWhatIsNoRecordIsNotRead(t *testing.T) {
	field := func(n protowire.Number, s string) []byte {
		return protowire.AppendString(protowire.AppendTag(nil, n, protowire.BytesType), s)
	}
	num := func(n protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
	}
	record := func(k number, fields ...[]byte) []byte {
		var m []byte
		for _, f := range fields {
			m = append(m, f...)
		}
		return field(protowire.Number(k), string(m))
	}
	item := func(fields ...[]byte) []byte { return record(kindOutcome, record(3, fields...)) }
	tests := map[string][]byte{
		"intent without a number":   record(kindIntent, field(3, "a")),
		"intent without a name":     record(kindIntent, num(1, 1), field(3, "")),
		"intent with a path":        record(kindIntent, num(1, 1), field(3, "../a")),
		"intent with a NUL":         record(kindIntent, num(1, 1), field(3, "a\x00b")),
		"temporary without a name":  record(kindIntent, num(1, 1), field(3, "a"), field(4, "\x02")),
		"index cut off":             record(kindIntent, num(1, 1), field(3, "a"), field(4, "\x80")),
		"made without an intent":    record(kindMade, field(3, "\x02")),
		"folder without a number":   record(kindFolder, field(3, "/a")),
		"folder with a path":        record(kindFolder, num(1, 2), num(2, 1), field(4, "a/../..")),
		"folder upwards":            record(kindFolder, num(1, 2), num(2, 1), field(3, "..")),
		"item without a name":       item(num(3, 1)),
		"item from above":           item(field(1, "a"), field(2, "..")),
		"a fate of two bytes":       item(field(1, "a"), num(3, 256)),
		"a name that is a number":   item(num(1, 1)),
		"a size that is a text":     item(field(1, "a"), field(5, "12")),
		"a second of more than one": item(field(1, "a"), protowire.AppendFixed32(protowire.AppendTag(nil, 7, protowire.Fixed32Type), 1e9)),
		"nanoseconds as a varint":   item(field(1, "a"), num(7, 5)),
		"rename without old":        record(kindRename, field(3, "a")),
		"rename without new":        record(kindRename, field(2, "a")),
		"partial without a name":    record(kindPartial, field(3, "a")),
		"partial without a file":    record(kindPartial, field(2, "a")),
		"a time as a varint":        record(kindState, num(3, 1)),
		"an item that is a number":  record(kindOutcome, num(3, 1)),
		"a record that is a number": num(protowire.Number(kindState), 1),
		"a record cut off":          field(protowire.Number(kindState), "abc")[:3],
		"a length of nonsense":      {byte(kindState)<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
		"a group":                   protowire.AppendTag(nil, 1, protowire.StartGroupType),
		"field zero":                {0, 0},
		"half a number":             {1<<3 | 1, 0, 0},
		"a quarter of a number":     {1<<3 | 5, 0, 0},
	}
	for what, payload := range tests {
		t.Run(what, func(t *testing.T) {
			n := 0
			if err := decodePayload(payload, func(Record) bool { n++; return true }); !errors.Is(err, ErrDamaged) || n > 0 {
				t.Fatalf("%d records, %v", n, err)
			}
			s := store(t)
			w := create(t, s, "one")
			must(t, w.Append(&Synced{}))
			must(t, w.Close())
			b := openFrame(nil)
			b = closeFrame(append(b, payload...), 0)
			put(t, s, "one", append(file(t, s, "one"), b...))
			var last error
			for r, err := range s.Read("one") {
				if last = err; err == nil {
					n++
				} else if r != nil {
					t.Error("an error with a record")
				}
			}
			if !errors.Is(last, ErrDamaged) || n != 2 {
				t.Errorf("%d records, then %v", n, last)
			}
			w, err := s.Reopen("one") // for somebody who knows better
			must(t, err)
			must(t, w.Close())
		})
	}
}

// What a later version adds is passed over: kinds of records, and fields in any of them.
func TestUnknownIsPassedOver(t *testing.T) {
	var more []byte
	more = protowire.AppendVarint(protowire.AppendTag(more, 90, protowire.VarintType), 1<<60)
	more = protowire.AppendFixed32(protowire.AppendTag(more, 91, protowire.Fixed32Type), 5)
	more = protowire.AppendFixed64(protowire.AppendTag(more, 92, protowire.Fixed64Type), 5)
	more = protowire.AppendString(protowire.AppendTag(more, 5000, protowire.BytesType), "later")
	var want, got []Record
	for _, r := range samples() {
		var e encoder
		at := e.begin(r.kind())
		r.encode(&e)
		e.b = append(e.b, more...)
		if o, ok := r.(*Outcome); ok && len(o.Items) > 0 { // also deeper
			deep := e.begin(3)
			o.Items[0].encode(&e)
			e.b = append(e.b, more...)
			e.end(deep)
			r = &Outcome{o.Folder, o.Settles, append(o.Items[:len(o.Items):len(o.Items)], o.Items[0])}
		}
		e.end(at)
		e.b = append(e.b, more...)
		want = append(want, r)
		must(t, decodePayload(e.b, func(r Record) bool { got = append(got, r); return true }))
	}
	equal(t, got, want)
}

// The library understands all of it, and the fields have the types that they seem to have.
func TestLibraryReadsWhatIsWritten(t *testing.T) {
	for _, r := range samples() {
		e := encoder{}
		e.records([]Record{r})
		k, typ, n := protowire.ConsumeField(e.b)
		if n != len(e.b) || number(k) != r.kind() || typ != protowire.BytesType {
			t.Fatalf("%#v: field %d of type %d, %d of %d bytes", r, k, typ, n, len(e.b))
		}
		_, _, tag := protowire.ConsumeTag(e.b)
		m, _ := protowire.ConsumeBytes(e.b[tag:])
		for len(m) > 0 {
			_, _, n := protowire.ConsumeField(m)
			if n < 0 {
				t.Fatalf("%#v: %v", r, protowire.ParseError(n))
			}
			m = m[n:]
		}
	}
}

func TestWireIsThatOfTheLibrary(t *testing.T) {
	values := []uint64{0, 1, 127, 128, 16383, 16384, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	for _, v := range values {
		for _, n := range []protowire.Number{1, 15, 16, 2047, protowire.MaxValidNumber} {
			var e encoder
			e.uint(number(n), v)
			var want []byte
			if v != 0 {
				want = protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
			}
			if string(e.b) != string(want) {
				t.Errorf("field %d, %d: %x, want %x", n, v, e.b, want)
			}
		}
		if z := zigzag(int64(v)); z != protowire.EncodeZigZag(int64(v)) || unzigzag(z) != int64(v) {
			t.Errorf("zigzag of %d is %d", int64(v), z)
		}
	}
	for _, size := range []int{0, 1, 127, 128, 129, 16383, 16384, 1 << 21} {
		text := fmt.Sprintf("%*s", size, "")
		var e encoder
		e.b = append(e.b, "before"...)
		at := e.begin(4)
		e.b = append(e.b, text...)
		e.end(at)
		want := protowire.AppendString(protowire.AppendTag([]byte("before"), 4, protowire.BytesType), text)
		if string(e.b) != string(want) {
			t.Errorf("a message of %d bytes differs", size)
		}
	}
	var e encoder
	e.stamp(2, time.Unix(0, -2))
	e.nanos(3, 999999999)
	want := protowire.AppendFixed64(protowire.AppendTag(nil, 2, protowire.Fixed64Type), 1<<64-2)
	want = protowire.AppendFixed32(protowire.AppendTag(want, 3, protowire.Fixed32Type), 999999999)
	if string(e.b) != string(want) {
		t.Errorf("%x, want %x", e.b, want)
	}
}

// A reader that stops is not asked again.
func TestReadingCanStop(t *testing.T) {
	s := store(t)
	w := create(t, s, "one")
	must(t, w.Append(samples()...))
	for stop := range 4 {
		n := 0
		for _, err := range s.Read("one") {
			must(t, err)
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Errorf("%d records", n)
		}
	}
}
