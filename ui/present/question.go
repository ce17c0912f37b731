package present

import (
	"io/fs"
	"slices"
	"time"

	"drover/engine"
)

// SideView is one side of a question as it is shown.
type SideView struct {
	Heading string // "Already there", "New"
	Name    string
	Folder  string // where it lies
	Kind    string
	Icon    Kind
	Size    string
	Date    string
	Hints   []string // "newer", "larger"
}

// QuestionView is a question as it is shown: both sides beside each other, and what can be answered.
type QuestionView struct {
	ID      engine.QuestionID
	Why     engine.Why
	Title   string
	Text    string
	Old     SideView // what is there
	New     SideView // what would come
	Actions []engine.Action
	Default engine.Action // never one that destroys something
	Name    string        // to begin Rename with; the bytes of the new one
}

// NewQuestion makes the view of q. home shortens paths, now the dates.
func NewQuestion(q engine.Question, home string, now time.Time) QuestionView {
	v := QuestionView{
		ID: q.ID, Why: q.Why, Actions: slices.Clone(q.Actions),
		Old: side(q.Dst, T("window.side_there"), home, now),
		New: side(q.Src, T("window.side_new"), home, now),
	}
	v.Name = baseOf(q.Dst.Path)
	v.Title, v.Text = whyTexts(q)
	if q.Why == engine.WhyExists && q.Src.Exists && q.Dst.Exists {
		hints(&v, q)
	}
	v.Default = engine.ActionSkip
	if !slices.Contains(v.Actions, engine.ActionSkip) {
		for _, a := range []engine.Action{engine.ActionKeepBoth, engine.ActionRename} {
			if slices.Contains(v.Actions, a) {
				v.Default = a
				break
			}
		}
	}
	return v
}

func whyTexts(q engine.Question) (title, text string) {
	name := Base(q.Dst.Path)
	switch q.Why {
	case engine.WhyFolderInWay:
		return T("window.why_folder", "Name", name), T("window.why_folder_text")
	case engine.WhyFileInWay:
		return T("window.why_file", "Name", name), T("window.why_file_text")
	case engine.WhyLinkInWay:
		return T("window.why_link", "Name", name), T("window.why_link_text")
	case engine.WhyBadName:
		return T("window.why_name", "Name", name), T("window.why_name_text")
	}
	return T("window.why_exists", "Name", name), T("window.why_exists_text")
}

func side(s engine.Side, heading, home string, now time.Time) SideView {
	v := SideView{Heading: heading, Name: Base(s.Path), Folder: Place(dirOf(s.Path), home)}
	if !s.Exists {
		v.Kind = T("window.side_gone")
		return v
	}
	v.Icon = KindOf(baseOf(s.Path), s.Mode, s.Mode.IsDir())
	v.Kind = kindText(s)
	if s.Mode.IsRegular() {
		v.Size = ExactSize(s.Size)
	}
	if !s.Modified.IsZero() {
		v.Date = When(s.Modified, now)
	}
	return v
}

func kindText(s engine.Side) string {
	switch {
	case s.Mode.IsDir():
		return T("window.kind_folder")
	case s.Mode&fs.ModeSymlink != 0:
		return T("window.kind_link", "Target", Name(s.Target))
	case s.Mode&fs.ModeNamedPipe != 0:
		return T("window.kind_fifo")
	case s.Mode&fs.ModeSocket != 0:
		return T("window.kind_socket")
	case s.Mode&fs.ModeDevice != 0:
		return T("window.kind_device")
	}
	switch KindOf(baseOf(s.Path), s.Mode, false) {
	case KindImage:
		return T("window.kind_image")
	case KindAudio:
		return T("window.kind_audio")
	case KindVideo:
		return T("window.kind_video")
	case KindText:
		return T("window.kind_text")
	case KindArchive:
		return T("window.kind_archive")
	}
	return T("window.kind_file")
}

// hints says which side is newer and which is larger, on that side. Dates that differ by less than a file system may
// round (two seconds, on FAT) count as equal.
func hints(v *QuestionView, q engine.Question) {
	if d := q.Src.Modified.Sub(q.Dst.Modified); d.Abs() >= 2*time.Second {
		if d > 0 {
			v.New.Hints = append(v.New.Hints, T("window.newer"))
		} else {
			v.Old.Hints = append(v.Old.Hints, T("window.newer"))
		}
	}
	if q.Src.Mode.IsRegular() && q.Dst.Mode.IsRegular() && q.Src.Size != q.Dst.Size {
		if q.Src.Size > q.Dst.Size {
			v.New.Hints = append(v.New.Hints, T("window.larger"))
		} else {
			v.Old.Hints = append(v.Old.Hints, T("window.larger"))
		}
	}
	if q.Src.Size == q.Dst.Size && q.Src.Modified.Sub(q.Dst.Modified).Abs() < 2*time.Second {
		v.Text = T("window.why_same_text")
	}
}

// Like counts the questions of one kind among those that were looked at, and adds those that were not: all is how many
// there are in all.
func Like(looked []engine.Question, why engine.Why, all int) int {
	n := max(all-len(looked), 0)
	for i := range looked {
		if looked[i].Why == why {
			n++
		}
	}
	return n
}

func baseOf(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

func dirOf(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			if i == 0 {
				return "/"
			}
			return path[:i]
		}
	}
	return "."
}
