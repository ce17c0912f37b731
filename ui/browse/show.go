package browse

import (
	"fyne.io/fyne/v2"

	"drover/ui/present"
	"drover/ui/theme"
	"drover/ui/widget"
)

// take shows what the loader found. It costs the rows in view and not those of the folder.
func (v *View) take(s shown) {
	if s.want.dir != v.want.dir || s.want.visit != v.want.visit {
		return // of a folder that was left meanwhile
	}
	other := v.shown.dir != s.want.dir || v.listing == nil
	resorted := v.shown.order != s.want.order
	old := v.listing
	v.err, v.gone, v.space, v.spaceOK, v.waiting = s.err, s.gone, s.space, s.spaceOK, false
	if s.listing == nil {
		v.listing, v.shown = nil, s.want
		v.rows.Reload()
		v.arrange()
		return
	}
	top, within := v.topRow(old)
	cursor := v.entryAt(old, v.rows.Cursor())
	v.listing, v.shown = s.listing, s.want
	switch {
	case other:
		v.sel.Reset()
		v.rows.SetCursor(-1, false)
		v.rows.Reload()
		v.arrive()
	default:
		v.follow(top, within, cursor, resorted)
		if v.pick != nil {
			v.choose()
			v.selected()
		}
	}
	v.arrange()
}

// arrive puts keyboard and offset where they belong in a folder that has just been opened.
func (v *View) arrive() {
	at := v.restore
	v.restore = nil
	switch {
	case at != nil:
		v.rows.ScrollTo(at.offset)
	default:
		v.rows.ScrollTo(0)
	}
	v.choose()
	v.selected()
}

// choose selects what is to be picked, and brings the first of it into view.
func (v *View) choose() {
	pick := v.pick
	v.pick = nil
	if pick == nil {
		return
	}
	wanted := map[string]bool{}
	for _, name := range pick(v.listing) {
		wanted[name] = true
	}
	first, there := -1, []string(nil)
	for i := range v.listing.Len() {
		if name := v.listing.Name(i); wanted[name] {
			there = append(there, name)
			if first < 0 {
				first = i
			}
		}
	}
	if first >= 0 {
		v.sel.Set(there)
		v.rows.SetCursor(first, true)
	}
}

// topRow is the entry at the upper edge, and how much of it is above the edge. At the very top it is nil: who is at the top stays there.
func (v *View) topRow(old *present.Listing) (*present.Entry, float32) {
	off := v.rows.Offset()
	if off <= 0 || old == nil {
		return nil, 0
	}
	i := int(off / widget.FileRowHeight)
	return v.entryAt(old, i), off - float32(i)*widget.FileRowHeight
}

func (v *View) entryAt(l *present.Listing, i int) *present.Entry {
	if i < 0 || i >= l.Len() {
		return nil
	}
	return &l.Entries[i]
}

// follow keeps the eye where it was: the same row at the top, the keyboard on the same name.
func (v *View) follow(top *present.Entry, within float32, cursor *present.Entry, resorted bool) {
	row := -1
	if cursor != nil {
		if i, ok := v.listing.Index(cursor); ok {
			row = i
		} else if i := v.listing.Find(cursor.Name); i >= 0 {
			row = i
		} else if v.listing.Len() > 0 {
			row = min(i, v.listing.Len()-1) // the one that took its place
			row = max(row, 0)
			v.sel.SetCursor(v.listing.Name(row))
		}
	}
	v.rows.SetCursor(row, false)
	v.rows.Reload()
	switch {
	case resorted && row >= 0:
		v.rows.Reveal(row)
	case resorted:
		v.rows.ScrollTo(0)
	case top != nil:
		i, _ := v.listing.Index(top)
		v.rows.ScrollTo(float32(i)*widget.FileRowHeight + within)
	}
	v.restore = nil
	if v.sel.Len() > 0 {
		v.selected()
	}
}

// arrange shows rows or, where there are none, why.
func (v *View) arrange() {
	empty := v.listing.Len() == 0
	if empty {
		icon, title, text := v.emptiness()
		v.blank.Set(icon, title, text)
	}
	if empty != v.blank.Visible() {
		if empty {
			v.blank.Show()
		} else {
			v.blank.Hide()
		}
	}
	v.tell()
}

func (v *View) emptiness() (icon fyne.Resource, title, text string) {
	switch {
	case v.waiting:
		return nil, present.T("window.opening", "Folder", present.Base(v.want.dir)), present.T("window.opening_text")
	case v.gone:
		return theme.Warning, present.T("window.gone"), present.T("window.gone_text")
	case v.err != nil:
		a := present.Advise(v.err)
		return theme.Warning, a.Title, a.Do
	case v.want.filter != "":
		return theme.Search, present.T("window.no_match"), present.T("window.no_match_text", "Filter", present.Name(v.want.filter))
	case v.listing != nil && v.listing.Hidden > 0:
		return theme.Folder, present.T("window.empty"), present.T("window.empty_hidden", "Count", int64(v.listing.Hidden))
	}
	return theme.Folder, present.T("window.empty"), present.T("window.empty_text")
}

// tell writes the foot.
func (v *View) tell() {
	right := ""
	if v.spaceOK {
		right = present.T("window.free", "Size", present.Size(v.space.Free))
	}
	v.foot.Set(v.footText(), right)
}

func (v *View) footText() string {
	if v.typed.text != "" {
		s := present.T("window.find", "Text", present.Name(v.typed.text))
		if v.typed.none {
			s += "  ·  " + present.T("window.find_none")
		}
		return s
	}
	if v.hint != "" {
		return v.hint
	}
	if v.listing == nil {
		return ""
	}
	if n, bytes := v.selectedSum(); n > 0 {
		return present.T("window.selected", "Count", int64(n)) + sizeAfter(bytes)
	}
	n := v.listing.Len()
	s := present.T("window.entries", "Count", int64(n))
	if v.want.filter != "" {
		s = present.T("window.entries_of", "Shown", present.Number(int64(n)), "Count", int64(v.listing.Total))
	}
	return s + sizeAfter(v.listing.Bytes)
}

func sizeAfter(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return "  ·  " + present.Size(bytes)
}

// selectedSum counts what is selected and shown.
func (v *View) selectedSum() (n int, bytes int64) {
	if v.sel.Len() == 0 {
		return 0, 0
	}
	for i := range v.listing.Len() {
		e := &v.listing.Entries[i]
		if v.sel.Has(e.Name) {
			n++
			if !e.Folder {
				bytes += e.Size
			}
		}
	}
	return n, bytes
}
