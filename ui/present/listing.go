package present

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"drover/engine/place"
)

// Entry is one row of a folder view.
type Entry struct {
	place.Entry

	key string // for sorting by name, see Key
}

// NewEntry fills in what sorting needs.
func NewEntry(e place.Entry) Entry { return Entry{Entry: e, key: Key(e.Name)} }

// Silent reports whether the device did not say in time what the entry is, or what it leads to.
func (e *Entry) Silent() bool { return errors.Is(e.Err, place.ErrNotResponding) }

// SizeText is the size column. Folders have none: theirs would have to be counted.
func (e *Entry) SizeText() string {
	if e.Folder || e.Err != nil || !e.Mode.IsRegular() {
		return ""
	}
	return Size(e.Size)
}

// Kind is what an entry is shown as.
type Kind uint8

// The kinds, as far as a name and a mode tell. Nothing is opened to find out.
const (
	KindFile Kind = iota
	KindFolder
	KindImage
	KindAudio
	KindVideo
	KindText
	KindArchive
	KindSpecial
)

var kindOfSuffix = map[string]Kind{}

func init() {
	for kind, list := range map[Kind]string{
		KindImage:   "png jpg jpeg gif webp bmp tif tiff svg heic avif raw cr2 nef arw dng ico xcf psd",
		KindAudio:   "mp3 flac ogg opus wav m4a aac wma aiff mid",
		KindVideo:   "mp4 mkv avi mov webm mpg mpeg m4v wmv ts",
		KindText:    "txt md pdf odt doc docx html htm tex rtf csv json xml yaml yml toml log epub go c h py js sh",
		KindArchive: "zip tar gz tgz bz2 xz zst 7z rar iso img deb rpm jar",
	} {
		for _, s := range strings.Fields(list) {
			kindOfSuffix[s] = kind
		}
	}
}

// Kind tells what to show e as.
func (e *Entry) Kind() Kind { return KindOf(e.Name, e.Mode, e.Folder) }

// KindOf tells what something of this name and mode is shown as.
func KindOf(name string, mode fs.FileMode, folder bool) Kind {
	switch {
	case folder:
		return KindFolder
	case mode&(fs.ModeDevice|fs.ModeNamedPipe|fs.ModeSocket) != 0:
		return KindSpecial
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 6 {
		return kindOfSuffix[strings.ToLower(name[i+1:])]
	}
	return KindFile
}

// Column is what a folder view is sorted by.
type Column uint8

// The columns.
const (
	ByName Column = iota
	BySize
	ByModified
)

// Order is how a folder view is sorted. Folders come first in every order but by time, where a person looks for what
// came last.
type Order struct {
	By      Column
	Reverse bool
}

// Compare orders two entries; it is 0 only for entries of one name.
func (o Order) Compare(a, b *Entry) int {
	if o.By != ByModified && a.Folder != b.Folder {
		if a.Folder {
			return -1
		}
		return 1
	}
	c := 0
	switch o.By {
	case BySize:
		if !a.Folder {
			c = cmp.Compare(b.Size, a.Size) // the biggest first: that is what one looks for
		}
	case ByModified:
		c = b.Modified.Compare(a.Modified)
	}
	if c == 0 {
		c = strings.Compare(a.key, b.key)
		if c == 0 {
			c = strings.Compare(a.Name, b.Name)
		}
		if o.By != ByName {
			return c // within one size or time always from A to Z
		}
	}
	if o.Reverse {
		return -c
	}
	return c
}

// Listing is a folder as a view shows it: filtered and sorted. It is not changed after it was made, so that any
// goroutine may read it.
type Listing struct {
	Dir     string
	Entries []Entry
	Order   Order
	Total   int   // entries in the folder, shown or not
	Hidden  int   // left out because their names begin with a dot
	Bytes   int64 // of the files that are shown
	Folders int   // of those that are shown
}

// NewListing filters and sorts entries; it takes long for many and belongs on a goroutine of its own. all is not changed.
func NewListing(dir string, all []Entry, o Order, filter string, hidden bool) *Listing {
	l := &Listing{Dir: dir, Order: o, Total: len(all)}
	match := Matcher(filter)
	idx := make([]int32, 0, len(all)) // sorting numbers moves 4 bytes a swap and not a whole entry
	for i := range all {
		e := &all[i]
		if !hidden && e.Hidden() {
			l.Hidden++
			continue
		}
		if match != nil && !match(e.Name) {
			continue
		}
		idx = append(idx, int32(i))
		if e.Folder {
			l.Folders++
		} else {
			l.Bytes += e.Size
		}
	}
	slices.SortFunc(idx, func(a, b int32) int { return o.Compare(&all[a], &all[b]) })
	l.Entries = make([]Entry, len(idx))
	for i, j := range idx {
		l.Entries[i] = all[j]
	}
	return l
}

// Len is the number of entries that are shown.
func (l *Listing) Len() int {
	if l == nil {
		return 0
	}
	return len(l.Entries)
}

// Name returns the name in row i.
func (l *Listing) Name(i int) string { return l.Entries[i].Name }

// Index finds the row of an entry that may come from an older listing of the same order. If it is gone it returns the
// row where it would be, and false.
func (l *Listing) Index(e *Entry) (int, bool) {
	i, ok := slices.BinarySearchFunc(l.Entries, e, func(x Entry, e *Entry) int { return l.Order.Compare(&x, e) })
	if ok {
		return i, true
	}
	// its size or date, which it is sorted by, may have changed
	if l.Order.By != ByName {
		for j := range l.Entries {
			if l.Entries[j].Name == e.Name {
				return j, true
			}
		}
	}
	return i, false
}

// Find returns the row of name, or -1.
func (l *Listing) Find(name string) int {
	for i := range l.Entries {
		if l.Entries[i].Name == name {
			return i
		}
	}
	return -1
}

// TypeAhead finds the next row from start on, going round, whose name begins with what was typed, in any case; -1 if
// there is none.
func (l *Listing) TypeAhead(typed string, start int) int {
	n := l.Len()
	if n == 0 || typed == "" {
		return -1
	}
	want := fold(typed)
	for k := range n {
		i := (start + k) % n
		if hasFoldedPrefix(l.Entries[i].Name, want) {
			return i
		}
	}
	return -1
}

func hasFoldedPrefix(name, want string) bool {
	if len(name) > 4*len(want)+4 {
		name = name[:4*len(want)+4] // enough for the prefix whatever folding does
	}
	return strings.HasPrefix(fold(name), want)
}

// Matcher returns whether a name passes the filter that a person typed: every word must occur, in any case and with or
// without accents; a word with * or ? is a pattern for the whole name. nil means that everything passes.
func Matcher(filter string) func(name string) bool {
	words := strings.Fields(fold(filter))
	if len(words) == 0 {
		return nil
	}
	return func(name string) bool {
		n := fold(name)
		for _, w := range words {
			if strings.ContainsAny(w, "*?") {
				if !glob(w, n) {
					return false
				}
			} else if !strings.Contains(n, w) {
				return false
			}
		}
		return true
	}
}

// glob matches * and ? and nothing else, so that no name a person types is a malformed pattern.
func glob(pattern, name string) bool {
	star, mark := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*':
			if pattern[p] == '?' {
				_, w := utf8.DecodeRuneInString(name[n:])
				n += w - 1
			}
			p++
			n++
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// Key makes the sort key of a name: letters without case and accents, and each number preceded by its length, so that
// comparing bytes puts "photo 9" before "Photo 10".
func Key(name string) string {
	f := fold(name)
	digits := false
	for i := 0; i < len(f); i++ {
		if isDigit(f[i]) {
			digits = true
			break
		}
	}
	if !digits {
		return f
	}
	b := make([]byte, 0, len(f)+8)
	for i := 0; i < len(f); {
		if !isDigit(f[i]) {
			b = append(b, f[i])
			i++
			continue
		}
		j := i
		for j < len(f) && isDigit(f[j]) {
			j++
		}
		for i < j-1 && f[i] == '0' {
			i++
		}
		// '0' keeps numbers where digits sort; the length byte stays below the letters for numbers of any sane length
		b = append(b, '0', byte(min(j-i, 255)))
		b = append(b, f[i:j]...)
		i = j
	}
	return string(b)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// fold takes case and accents away. Bytes that are not UTF-8 stay as they are.
func fold(s string) string {
	ascii, lower := true, true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			ascii = false
			break
		}
		if c >= 'A' && c <= 'Z' {
			lower = false
		}
	}
	switch {
	case ascii && lower:
		return s
	case ascii:
		return strings.ToLower(s)
	case !utf8.ValidString(s):
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
