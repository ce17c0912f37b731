package present

// Rows is what a Selection moves over.
type Rows interface {
	Len() int
	Name(i int) string
}

// Selection is which entries of a folder view are selected, and where the keyboard stands. It goes by name, so that it
// survives a refresh that moves the rows. The zero value has nothing selected.
type Selection struct {
	names  map[string]struct{}
	cursor string
	anchor string // where a range began
	has    bool   // there is a cursor
}

// Has reports whether name is selected.
func (s *Selection) Has(name string) bool {
	_, ok := s.names[name]
	return ok
}

// Len is how many are selected.
func (s *Selection) Len() int { return len(s.names) }

// Cursor is the name that the keyboard stands on.
func (s *Selection) Cursor() (string, bool) { return s.cursor, s.has }

// Clear selects nothing and leaves the cursor.
func (s *Selection) Clear() { s.names = nil }

// Reset forgets the cursor too.
func (s *Selection) Reset() { *s = Selection{} }

// SetCursor moves the cursor without selecting.
func (s *Selection) SetCursor(name string) { s.cursor, s.anchor, s.has = name, name, true }

// Only selects one.
func (s *Selection) Only(name string) {
	s.names = map[string]struct{}{name: {}}
	s.SetCursor(name)
}

// Set selects names, and puts the cursor on the first.
func (s *Selection) Set(names []string) {
	s.names = make(map[string]struct{}, len(names))
	for _, n := range names {
		s.names[n] = struct{}{}
	}
	if len(names) > 0 {
		s.SetCursor(names[0])
	}
}

// Toggle selects name or takes it out.
func (s *Selection) Toggle(name string) {
	if s.Has(name) {
		delete(s.names, name)
	} else {
		if s.names == nil {
			s.names = map[string]struct{}{}
		}
		s.names[name] = struct{}{}
	}
	s.SetCursor(name)
}

// Extend selects from the anchor to row to, and only that; with keep, on top of what is selected. from is the row of
// the anchor, or where it was.
func (s *Selection) Extend(rows Rows, from, to int, keep bool) {
	if rows.Len() == 0 {
		return
	}
	from, to = clampRow(from, rows.Len()), clampRow(to, rows.Len())
	lo, hi := min(from, to), max(from, to)
	if !keep || s.names == nil {
		s.names = make(map[string]struct{}, hi-lo+1)
	}
	for i := lo; i <= hi; i++ {
		s.names[rows.Name(i)] = struct{}{}
	}
	anchor := rows.Name(from)
	if s.has && s.anchor != "" {
		anchor = s.anchor
	}
	s.cursor, s.anchor, s.has = rows.Name(to), anchor, true
}

// Anchor is where a range would begin.
func (s *Selection) Anchor() (string, bool) { return s.anchor, s.has }

// All selects every row.
func (s *Selection) All(rows Rows) {
	s.names = make(map[string]struct{}, rows.Len())
	for i := range rows.Len() {
		s.names[rows.Name(i)] = struct{}{}
	}
}

// Retain drops what is no longer among the rows, given as a test, and reports how many are left.
func (s *Selection) Retain(there func(name string) bool) int {
	for name := range s.names {
		if !there(name) {
			delete(s.names, name)
		}
	}
	return len(s.names)
}

// Names returns the selected names in the order of rows.
func (s *Selection) Names(rows Rows) []string {
	out := make([]string, 0, len(s.names))
	for i := range rows.Len() {
		if n := rows.Name(i); s.Has(n) {
			out = append(out, n)
		}
	}
	return out
}

func clampRow(i, n int) int { return max(0, min(i, n-1)) }
