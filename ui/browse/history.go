package browse

// history is where a view was, for Back and Forward.
type history struct {
	list []stop
	at   int // of the folder on view; -1 in the beginning
}

// stop is a folder that was on view, and how it was left.
type stop struct {
	dir    string
	cursor string
	offset float32
}

func newHistory() history { return history{at: -1} }

// visit opens a folder after the one on view; what was ahead is forgotten.
func (h *history) visit(dir string) {
	if h.at >= 0 && h.list[h.at].dir == dir {
		return
	}
	h.list = append(h.list[:h.at+1], stop{dir: dir})
	const most = 200
	if len(h.list) > most {
		h.list = h.list[len(h.list)-most:]
	}
	h.at = len(h.list) - 1
}

// leave remembers how the folder on view is left.
func (h *history) leave(cursor string, offset float32) {
	if h.at >= 0 {
		h.list[h.at].cursor, h.list[h.at].offset = cursor, offset
	}
}

func (h *history) canGo(by int) bool {
	i := h.at + by
	return i >= 0 && i < len(h.list)
}

// goBy moves and returns where to.
func (h *history) goBy(by int) (stop, bool) {
	if !h.canGo(by) {
		return stop{}, false
	}
	h.at += by
	return h.list[h.at], true
}
