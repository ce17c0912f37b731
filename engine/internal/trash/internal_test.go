package trash

import (
	"bytes"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"drover/engine/internal/sys"
)

// FuzzPath: what any path becomes in an info is plain text of one line, and another's decoder reads the same bytes from it.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"/a/b c", "/%41/100%", "/\xff\xfe\n\r\x01\x7f", "a+b&c=d;e#f?g", "/日本/ä", "", "~!*'()[]\\\"<>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		text := string(infoText(path, time.Date(2026, 3, 4, 5, 6, 7, 0, time.Local)))
		rest, ok1 := strings.CutPrefix(text, "[Trash Info]\nPath=")
		escaped, ok2 := strings.CutSuffix(rest, "\nDeletionDate=2026-03-04T05:06:07\n")
		if !ok1 || !ok2 {
			t.Fatalf("%q becomes %q", path, text)
		}
		for _, c := range []byte(escaped) {
			if c <= ' ' || c >= 0x7f || strings.IndexByte("\"#;<=>?[\\]^`{|}&+", c) >= 0 {
				t.Errorf("%q becomes %q, with %q in it", path, escaped, c)
			}
		}
		if got, err := url.PathUnescape(escaped); got != path || err != nil {
			t.Errorf("%q becomes %q and is read as %q (%v)", path, escaped, got, err)
		}
		if strings.Count(escaped, "/") != strings.Count(path, "/") {
			t.Errorf("%q becomes %q", path, escaped)
		}
	})
}

// FuzzTicket: no bytes make it fall, and what it takes is what it writes.
func FuzzTicket(f *testing.F) {
	for _, t := range []Ticket{
		{trash: "/t", name: "n", info: 1},
		{
			trash: "/media/\xff/.Trash-1000", name: strings.Repeat("x", nameMax), info: 1<<64 - 1, id: sys.ID{Dev: 2, Ino: 1 << 63}, kind: sys.Symlink, size: 5,
			mtime: sys.Time{Sec: -1, Nsec: 999999999},
		},
	} {
		b, _ := t.AppendBinary(nil)
		f.Add(b)
		f.Add(b[:len(b)-1])
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		ticket, err := ParseTicket(b)
		if err != nil {
			if !errors.Is(err, ErrTicket) || ticket != (Ticket{}) {
				t.Errorf("%v %v", ticket, err)
			}
			return
		}
		if again, _ := ticket.AppendBinary(nil); !bytes.Equal(again, b) {
			t.Errorf("%x is written as %x", b, again)
		}
		if file, _ := ticket.names(); strings.ContainsAny(file.String(), "/\x00") || file.String() == ".." || !strings.HasPrefix(ticket.Path(), "/") {
			t.Errorf("a ticket for %q", ticket.Path())
		}
	})
}

func TestTicketsRefused(t *testing.T) {
	good := Ticket{trash: "/t", name: "n", kind: sys.Regular}
	for what, change := range map[string]func(*Ticket){
		"no name":       func(t *Ticket) { t.name = "" },
		"dot":           func(t *Ticket) { t.name = "." },
		"up":            func(t *Ticket) { t.name = ".." },
		"path":          func(t *Ticket) { t.name = "a/b" },
		"NUL":           func(t *Ticket) { t.name = "a\x00" },
		"long":          func(t *Ticket) { t.name = strings.Repeat("x", nameMax+1) },
		"no trash":      func(t *Ticket) { t.trash = "" },
		"relative":      func(t *Ticket) { t.trash = "t" },
		"trash and NUL": func(t *Ticket) { t.trash = "/\x00" },
	} {
		bad := good
		change(&bad)
		b, _ := bad.AppendBinary(nil)
		if got, err := ParseTicket(b); !errors.Is(err, ErrTicket) {
			t.Errorf("%s: %v %v", what, got, err)
		}
	}
	b, _ := good.AppendBinary(nil)
	if got, err := ParseTicket(b); got != good || err != nil {
		t.Errorf("%v %v", got, err)
	}
	b[0]++
	if _, err := ParseTicket(b); !errors.Is(err, ErrTicket) {
		t.Error("took a version that does not exist yet")
	}
}

// Candidates leave room for the suffix, are not cut within a character, and do not repeat.
func TestCandidates(t *testing.T) {
	for _, base := range []string{"a", "", strings.Repeat("x", 255), strings.Repeat("日", 85), strings.Repeat("\xff", 255), strings.Repeat("é", 127)} {
		seen := map[string]bool{}
		for k := range namedTries + randomTries {
			c := candidate(base, k)
			if len(c) > nameMax || c == "" || seen[c] {
				t.Errorf("%q: candidate %d is %q, %d bytes", base, k, c, len(c))
			}
			if utf8.ValidString(base) && !utf8.ValidString(c) {
				t.Errorf("%q: cut within a character: %q", base, c)
			}
			seen[c] = true
		}
	}
	if got := []string{candidate("a.txt", 0), candidate("a.txt", 1), candidate("a.txt", 4)}; got[0] != "a.txt" || got[1] != "a.txt.2" || got[2] != "a.txt.5" {
		t.Errorf("%q", got)
	}
	if a, b := candidate("a", namedTries), candidate("a", namedTries); a == b || !strings.HasPrefix(a, "a.") {
		t.Errorf("%q and %q shall be random", a, b)
	}
}

func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		top, path, want string
		ok              bool
	}{
		{"/m", "/m/a/b", "a/b", true},
		{"/m", "/m//a/./b/", "a/b", true},
		{"/", "/a", "a", true},
		{"/", "//a", "a", true},
		{"/m", "/m", "", false},
		{"/m", "/m/.", "", false},
		{"/m", "/mm/a", "", false},
		{"/m", "/m/a/../b", "", false},
		{"/m", "/m/..a/b", "..a/b", true},
		{"/m", "/x/m/a", "", false},
		{"/m\xff", "/m\xff/\xfe", "\xfe", true},
	} {
		if got, ok := below(tt.top, tt.path); got != tt.want || ok != tt.ok {
			t.Errorf("%q below %q: %q %v, want %q %v", tt.path, tt.top, got, ok, tt.want, tt.ok)
		}
	}
}
