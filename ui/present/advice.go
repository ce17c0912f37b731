package present

import (
	"errors"
	"syscall"

	"drover/engine"
	"drover/engine/place"
)

// Advice is what a person is told about an error: what happened, and what can be done about it.
type Advice struct {
	Title string // a few words, without a full stop
	Do    string // a sentence
}

// advice maps causes to texts. The first that errors.Is finds wins: what the engine names itself stands before the
// errnos that such an error may wrap.
var advice = []struct {
	cause     error
	title, do string
}{
	{engine.ErrInsideSelf, "advice.inside_self", "advice.inside_self_do"},
	{engine.ErrSameFile, "advice.same_file", "advice.same_file_do"},
	{engine.ErrNoParent, "advice.no_parent", "advice.no_parent_do"},
	{engine.ErrNotFolder, "advice.not_folder", "advice.not_folder_do"},
	{engine.ErrBadName, "advice.bad_name", "advice.bad_name_do"},
	{engine.ErrSocket, "advice.socket", "advice.socket_do"},
	{engine.ErrChanged, "advice.changed", "advice.changed_do"},
	{engine.ErrCopyGone, "advice.copy_gone", "advice.copy_gone_do"},
	{engine.ErrReplacesFolder, "advice.replaces_folder", "advice.replaces_folder_do"},
	{engine.ErrNotAnswerable, "advice.not_answerable", "advice.not_answerable_do"},
	{engine.ErrNoQuestion, "advice.no_question", "advice.no_question_do"},
	{engine.ErrCloneOnly, "advice.clone_only", "advice.clone_only_do"},
	{engine.ErrLinkLoop, "advice.link_loop", "advice.link_loop_do"},
	{engine.ErrClosed, "advice.closed", "advice.closed_do"},
	{engine.ErrCancelled, "advice.cancelled", "advice.cancelled_do"},

	{place.ErrNotResponding, "advice.silent", "advice.silent_do"},
	{place.ErrRemote, "advice.remote", "advice.remote_do"},
	{place.ErrScheme, "advice.scheme", "advice.scheme_do"},
	{place.ErrMalformed, "advice.malformed", "advice.malformed_do"},

	{syscall.ENOSPC, "advice.no_space", "advice.no_space_do"},
	{syscall.EDQUOT, "advice.quota", "advice.quota_do"},
	{syscall.EROFS, "advice.read_only", "advice.read_only_do"},
	{syscall.EACCES, "advice.access", "advice.access_do"},
	{syscall.EPERM, "advice.not_permitted", "advice.not_permitted_do"},
	{syscall.EIO, "advice.io", "advice.io_do"},
	{syscall.ENAMETOOLONG, "advice.name_too_long", "advice.name_too_long_do"},
	{syscall.ENOENT, "advice.vanished", "advice.vanished_do"},
	{syscall.ELOOP, "advice.loop", "advice.loop_do"},
	{syscall.EFBIG, "advice.too_big", "advice.too_big_do"},
	{syscall.ENOTDIR, "advice.path_not_folder", "advice.path_not_folder_do"},
	{syscall.ETXTBSY, "advice.busy_program", "advice.busy_program_do"},
	{syscall.EMLINK, "advice.many_links", "advice.many_links_do"},
	{syscall.ENOTEMPTY, "advice.not_empty", "advice.not_empty_do"},
	{syscall.EBUSY, "advice.busy", "advice.busy_do"},
	{syscall.ENODEV, "advice.gone", "advice.gone_do"},
	{syscall.ENXIO, "advice.gone", "advice.gone_do"},
	{syscall.ENOMEDIUM, "advice.gone", "advice.gone_do"},
	{syscall.ENOTCONN, "advice.gone", "advice.gone_do"}, // FUSE whose program has ended
	{syscall.ESTALE, "advice.stale", "advice.stale_do"},
	{syscall.ETIMEDOUT, "advice.timeout", "advice.timeout_do"},
	{syscall.EHOSTDOWN, "advice.timeout", "advice.timeout_do"},
	{syscall.EMFILE, "advice.open_files", "advice.open_files_do"},
	{syscall.ENFILE, "advice.open_files", "advice.open_files_do"},
	{syscall.ENOMEM, "advice.memory", "advice.memory_do"},
	{syscall.ENOTSUP, "advice.unsupported", "advice.unsupported_do"}, // also EOPNOTSUPP
	{syscall.ENOSYS, "advice.unsupported", "advice.unsupported_do"},
}

// Advise says what a person should know about err. Of an error that it does not know it shows the text.
func Advise(err error) Advice {
	if err == nil {
		return Advice{}
	}
	for _, a := range advice {
		if errors.Is(err, a.cause) {
			return Advice{Title: T(a.title), Do: T(a.do)}
		}
	}
	cause := err
	if item := (*engine.ItemError)(nil); errors.As(err, &item) && item.Err != nil {
		cause = item.Err // the paths are shown beside it
	}
	return Advice{Title: T("advice.other", "Error", Name(cause.Error())), Do: T("advice.other_do")}
}

// AdviseItem says what a person should know about an item that failed. What a move has copied and could not take away is in both places.
func AdviseItem(item *engine.ItemError) Advice {
	a := Advise(item.Err)
	if item.Stage != engine.StageRemove {
		return a
	}
	if errors.Is(item.Err, syscall.EROFS) {
		a = Advice{Title: T("advice.source_read_only"), Do: T("advice.source_read_only_do")}
	}
	a.Title = T("advice.kept", "Why", a.Title)
	return a
}

// WhyText says what a question is about, to stand after the name: "exists already".
func WhyText(w engine.Why) string {
	switch w {
	case engine.WhyFolderInWay:
		return T("advice.why_folder_in_way")
	case engine.WhyFileInWay:
		return T("advice.why_file_in_way")
	case engine.WhyLinkInWay:
		return T("advice.why_link_in_way")
	case engine.WhyBadName:
		return T("advice.why_bad_name")
	default:
		return T("advice.why_exists")
	}
}

// ActionText names an answer, as on a button.
func ActionText(a engine.Action) string {
	switch a {
	case engine.ActionReplace:
		return T("advice.action_replace")
	case engine.ActionNewer:
		return T("advice.action_newer")
	case engine.ActionKeepBoth:
		return T("advice.action_keep_both")
	case engine.ActionRenameOld:
		return T("advice.action_rename_old")
	case engine.ActionRename:
		return T("advice.action_rename")
	case engine.ActionRetry:
		return T("advice.action_retry")
	default:
		return T("advice.action_skip")
	}
}

// StateText says where a job stands.
func StateText(s engine.State) string {
	switch s {
	case engine.StateQueued:
		return T("advice.state_queued")
	case engine.StatePaused:
		return T("advice.state_paused")
	case engine.StateStalled:
		return T("advice.state_stalled")
	case engine.StateWaiting:
		return T("advice.state_waiting")
	case engine.StateDone:
		return T("advice.state_done")
	case engine.StateFailed:
		return T("advice.state_failed")
	case engine.StateCancelled:
		return T("advice.state_cancelled")
	default:
		return T("advice.state_running")
	}
}

// WarnText says what was not as it should be with n items that were copied all the same.
func WarnText(k engine.WarnKind, n int64) string {
	switch k {
	case engine.WarnOwner:
		return T("advice.warn_owner", "Count", n)
	case engine.WarnMode:
		return T("advice.warn_mode", "Count", n)
	case engine.WarnTimes:
		return T("advice.warn_times", "Count", n)
	case engine.WarnXattr:
		return T("advice.warn_xattr", "Count", n)
	case engine.WarnACL:
		return T("advice.warn_acl", "Count", n)
	case engine.WarnHardlinks:
		return T("advice.warn_hardlinks", "Count", n)
	case engine.WarnLeftover:
		return T("advice.warn_leftover", "Count", n)
	default:
		return T("advice.warn_changed", "Count", n)
	}
}
