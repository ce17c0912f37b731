package present

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"drover/engine"
	"drover/engine/place"
)

// inLanguage makes T answer in lang for one test.
func inLanguage(t *testing.T, lang string) {
	t.Helper()
	before := current.Load()
	SetLanguage(lang)
	t.Cleanup(func() { current.Store(before) })
}

func TestAdvise(t *testing.T) {
	inLanguage(t, "en")
	item := func(err error) error {
		return &engine.ItemError{Stage: engine.StageCopy, Src: "/s/\xff", Dst: "/d/x", Err: err}
	}
	for _, c := range []struct {
		err   error
		title string
	}{
		{syscall.ENOSPC, "The disk is full"},
		{syscall.EDQUOT, "Your share of the disk is used up"},
		{syscall.EROFS, "The destination is read-only"},
		{syscall.EACCES, "Permission denied"},
		{syscall.EPERM, "The system does not allow this"},
		{syscall.EIO, "The device reports an error"},
		{syscall.ENAMETOOLONG, "The name is too long for the destination"},
		{syscall.ENOENT, "It is not there (any more)"},
		{syscall.ELOOP, "Too many links lead to one another"},
		{syscall.EFBIG, "The file is too big for the destination"},
		{syscall.ENOTDIR, "Part of the path is not a folder"},
		{syscall.ETXTBSY, "The program is running"},
		{syscall.EMLINK, "The file has too many names (links)"},
		{syscall.ENODEV, "The device is gone"},
		{syscall.EOPNOTSUPP, "The file system cannot do this"},
		{syscall.ESTALE, "The server does not know this file any more"},
		{engine.ErrInsideSelf, "A folder cannot go into itself"},
		{engine.ErrSameFile, "Source and destination are the same"},
		{engine.ErrBadName, "No file can have this name"},
		{engine.ErrNotFolder, "This is not a folder"},
		{engine.ErrNoParent, "The folder to copy into does not exist"},
		{engine.ErrSocket, "Sockets are not copied"},
		{engine.ErrChanged, "The file changed while it was copied"},
		{engine.ErrCopyGone, "The copy is not there any more"},
		{syscall.ENOTEMPTY, "Something has come into the folder"},
		{syscall.EBUSY, "It is in use"},
		{engine.ErrReplacesFolder, "A folder with something in it is in the way"},
		{engine.ErrNotAnswerable, "This answer does not fit the question"},
		{engine.ErrNoQuestion, "This question is already answered"},
		{engine.ErrCloneOnly, "These file systems cannot share data"},
		{engine.ErrLinkLoop, "A link leads back into itself"},
		{engine.ErrClosed, "Drover is closing"},
		{engine.ErrCancelled, "Cancelled"},
		{place.ErrNotResponding, "The device does not answer"},
		{place.ErrRemote, "Other machines are not supported yet"},
		{place.ErrScheme, "Addresses of this kind are not supported"},
		{place.ErrMalformed, "This is no path and no address"},
		{errors.New("odd\x1b[31m"), `It did not work: odd\x1B[31m`},
		// What the engine names itself is said before the errno behind it.
		{fmt.Errorf("%w: %w", engine.ErrNoParent, syscall.ENOENT), "The folder to copy into does not exist"},
		{&engine.RefusedError{Items: []*engine.ItemError{{Err: engine.ErrInsideSelf}}}, "A folder cannot go into itself"},
	} {
		for _, err := range []error{c.err, item(c.err), item(&fs.PathError{Op: "open", Path: "/x", Err: c.err})} {
			got := Advise(err)
			if want := c.title; got.Title != want && !strings.HasPrefix(got.Title, "It did not work: open /x: ") {
				t.Errorf("%v: %q, want %q", err, got.Title, want)
			}
			if got.Do == "" || !strings.HasSuffix(got.Do, ".") || strings.HasPrefix(got.Do, "advice.") {
				t.Errorf("%v: %q is not a sentence", err, got.Do)
			}
		}
	}
	if got := Advise(nil); got != (Advice{}) {
		t.Errorf("nil: %v", got)
	}
}

// What a move has copied and could not take away is in both places, and what is wrong is about the source.
func TestAdviseItem(t *testing.T) {
	inLanguage(t, "en")
	for _, c := range []struct {
		stage engine.Stage
		err   error
		title string
	}{
		{engine.StageCopy, syscall.EROFS, "The destination is read-only"},
		{engine.StageRemove, syscall.EROFS, "Copied, and still at the source: The source is read-only"},
		{engine.StageRemove, syscall.EACCES, "Copied, and still at the source: Permission denied"},
		{engine.StageRemove, engine.ErrChanged, "Copied, and still at the source: The file changed while it was copied"},
	} {
		item := &engine.ItemError{Stage: c.stage, Src: "/s", Dst: "/d", Err: c.err}
		if got := AdviseItem(item); got.Title != c.title || got.Do == "" {
			t.Errorf("%v: %+v, want %q", item, got, c.title)
		}
		if got := NewFailure(engine.Failure{ItemError: item}, "/home"); got.Reason != c.title {
			t.Errorf("%v: %q, want %q", item, got.Reason, c.title)
		}
	}
}

// TestEveryValueHasItsOwnText catches a value that was added to the engine and forgotten here.
func TestEveryValueHasItsOwnText(t *testing.T) {
	for _, lang := range Languages {
		inLanguage(t, lang)
		distinct(t, lang, engine.WhyBadName, WhyText)
		distinct(t, lang, engine.ActionRetry, ActionText)
		distinct(t, lang, engine.StateCancelled, StateText)
		distinct(t, lang, engine.WarnLeftover, func(k engine.WarnKind) string { return WarnText(k, 3) })
	}
}

// distinct fails unless the values 0 … last have different texts.
func distinct[V ~uint8](t *testing.T, lang string, last V, text func(V) string) {
	t.Helper()
	seen := map[string]V{}
	for v := V(0); v <= last; v++ {
		s := text(v)
		if s == "" || strings.HasPrefix(s, "advice.") {
			t.Errorf("%s: %T %d has no text", lang, v, v)
		}
		if other, ok := seen[s]; ok {
			t.Errorf("%s: %T %d and %d are both %q", lang, v, v, other, s)
		}
		seen[s] = v
	}
}

func TestWarnTextCounts(t *testing.T) {
	inLanguage(t, "de")
	if got, want := WarnText(engine.WarnXattr, 1), "Erweiterte Attribute konnten bei 1 Eintrag nicht übernommen werden"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := WarnText(engine.WarnXattr, 2000), "Erweiterte Attribute konnten bei 2\u00a0000 Einträgen nicht übernommen werden"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
