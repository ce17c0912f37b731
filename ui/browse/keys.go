package browse

import (
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"

	"drover/ui/present"
)

// typeAhead collects the letters that are typed to jump to a name.
type typeAhead struct {
	text string
	last time.Time
	none bool // nothing begins with it
}

// typePause is how long a person may think between two letters.
const typePause = 1500 * time.Millisecond

// add takes a letter and returns what was typed so far. The same letter again and again goes from one name to the next.
func (t *typeAhead) add(c rune, now time.Time) (text string, next bool) {
	if now.Sub(t.last) >= typePause {
		t.text = ""
	}
	t.last = now
	if t.text == string(c) {
		return t.text, true
	}
	t.text += string(c)
	return t.text, false
}

func (t *typeAhead) going(now time.Time) bool { return t.text != "" && now.Sub(t.last) < typePause }

func (v *View) down(i int, mod fyne.KeyModifier) {
	v.typed = typeAhead{}
	if v.listing == nil {
		return
	}
	if i < 0 {
		if mod == 0 {
			v.sel.Clear()
			v.selected()
		}
		return
	}
	name := v.listing.Name(i)
	switch {
	case mod&fyne.KeyModifierShift != 0:
		v.sel.Extend(v.listing, v.anchor(), i, mod&fyne.KeyModifierControl != 0)
	case mod&fyne.KeyModifierControl != 0:
		v.sel.Toggle(name)
	case v.sel.Has(name):
		v.sel.SetCursor(name) // up decides: this may be the start of something with all that is selected
	default:
		v.sel.Only(name)
	}
	v.rows.SetCursor(i, false)
	v.selected()
}

func (v *View) up(i int, mod fyne.KeyModifier) {
	if i < 0 || mod != 0 || v.listing == nil || i >= v.listing.Len() || v.sel.Len() < 2 {
		return
	}
	v.sel.Only(v.listing.Name(i))
	v.selected()
}

// anchor is the row where a range begins.
func (v *View) anchor() int {
	if name, ok := v.sel.Anchor(); ok {
		if i := v.listing.Find(name); i >= 0 {
			return i
		}
	}
	return max(0, v.rows.Cursor())
}

func (v *View) open(i int) {
	if v.listing == nil || i < 0 || i >= v.listing.Len() {
		return
	}
	e := &v.listing.Entries[i]
	path := filepath.Join(v.listing.Dir, e.Name)
	if e.Folder || e.Silent() { // a view can wait for it, another program may not
		v.Open(path)
	} else if v.deps.OnFile != nil {
		v.deps.OnFile(path)
	}
}

func (v *View) menu(i int, at fyne.Position) {
	path := ""
	if i >= 0 && v.listing != nil {
		name := v.listing.Name(i)
		if !v.sel.Has(name) {
			v.sel.Only(name)
			v.rows.SetCursor(i, false)
			v.selected()
		}
		path = filepath.Join(v.listing.Dir, name)
	}
	if v.deps.OnMenu != nil {
		v.deps.OnMenu(path, at)
	}
}

// key moves and opens.
func (v *View) key(ev *fyne.KeyEvent) {
	if v.typed.text != "" && moves(ev.Name) {
		v.typed = typeAhead{}
		defer v.tell()
	}
	n, at := v.listing.Len(), v.rows.Cursor()
	page := v.rows.PageLen()
	var to int
	switch ev.Name {
	case fyne.KeyUp:
		to = max(0, at-1)
		if at < 0 {
			to = n - 1
		}
	case fyne.KeyDown:
		to = min(n-1, at+1)
	case fyne.KeyPageUp:
		to = max(0, at-page)
	case fyne.KeyPageDown:
		to = min(n-1, max(at, 0)+page)
	case fyne.KeyHome:
		to = 0
	case fyne.KeyEnd:
		to = n - 1
	case fyne.KeyReturn, fyne.KeyEnter:
		v.open(at)
		return
	case fyne.KeyBackspace:
		if v.typed.going(v.deps.Now()) {
			v.unType()
		} else {
			v.Up()
		}
		return
	case fyne.KeyF5:
		v.Reload()
		return
	case fyne.KeyEscape:
		if v.sel.Len() > 0 {
			v.sel.Clear()
			v.selected()
			return
		}
		v.pass(ev)
		return
	default:
		v.pass(ev)
		return
	}
	if n == 0 || to < 0 {
		return
	}
	v.moveTo(to, v.deps.Modifiers()&fyne.KeyModifierShift != 0)
}

// moves tells the keys that end a search from those that are held or pressed while letters are typed.
func moves(k fyne.KeyName) bool {
	switch k {
	case fyne.KeyUp, fyne.KeyDown, fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyHome, fyne.KeyEnd, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyEscape:
		return true
	}
	return false
}

func (v *View) pass(ev *fyne.KeyEvent) {
	if v.deps.OnKey != nil {
		v.deps.OnKey(ev)
	}
}

func (v *View) moveTo(i int, extend bool) {
	if extend {
		v.sel.Extend(v.listing, v.anchor(), i, false)
	} else {
		v.sel.Only(v.listing.Name(i))
	}
	v.rows.SetCursor(i, true)
	v.selected()
}

// rune jumps to the name that begins with what is typed; Space selects.
func (v *View) rune(c rune) {
	if v.listing.Len() == 0 {
		return
	}
	now := v.deps.Now()
	if c == ' ' && !v.typed.going(now) {
		if i := v.rows.Cursor(); i >= 0 {
			v.sel.Toggle(v.listing.Name(i))
			v.selected()
		}
		return
	}
	text, next := v.typed.add(c, now)
	start := v.rows.Cursor()
	if next || len([]rune(text)) == 1 {
		start++ // a first letter goes on from here, more letters may mean this one
	}
	v.jump(text, max(0, start))
}

// unType takes the last letter of what is typed back.
func (v *View) unType() {
	text := []rune(v.typed.text)
	v.typed.text, v.typed.last = string(text[:len(text)-1]), v.deps.Now()
	if v.typed.text == "" {
		v.tell()
		return
	}
	v.jump(v.typed.text, max(0, v.rows.Cursor()))
}

// jump goes to the next name from start on that begins with text, and says so for a while.
func (v *View) jump(text string, start int) {
	i := v.listing.TypeAhead(text, start%max(1, v.listing.Len()))
	v.typed.none = i < 0
	if i >= 0 {
		v.moveTo(i, false)
	} else {
		v.tell()
	}
	time.AfterFunc(typePause, func() { v.deps.Put(typeKey{v}, v.forget) })
}

// typeKey is what a view puts the end of a search under.
type typeKey struct{ v *View }

// forget ends what is typed when nothing was added for long enough.
func (v *View) forget() {
	if v.typed.text != "" && !v.typed.going(v.deps.Now()) {
		v.typed = typeAhead{}
		v.tell()
	}
}

func (v *View) shortcut(s fyne.Shortcut) {
	if _, ok := s.(*fyne.ShortcutSelectAll); ok {
		v.SelectAll()
		return
	}
	if v.deps.OnShortcut != nil {
		v.deps.OnShortcut(s)
	}
}

// SelectAll selects all rows.
func (v *View) SelectAll() {
	if v.listing.Len() > 0 {
		v.sel.All(v.listing)
		v.selected()
	}
}

// SetOrderOf is for settings: column and direction.
func (v *View) SetOrderOf(column int, reverse bool) {
	if column >= int(present.ByName) && column <= int(present.ByModified) {
		v.SetOrder(present.Order{By: present.Column(column), Reverse: reverse})
	}
}
