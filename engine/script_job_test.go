package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"drover/engine"
	"drover/engine/enginetest"
)

var (
	rules = map[string]engine.Rule{
		"ask": engine.RuleAsk, "skip": engine.RuleSkip, "replace": engine.RuleReplace, "newer": engine.RuleNewer,
		"keep-both": engine.RuleKeepBoth, "rename-old": engine.RuleRenameOld,
	}
	actions = map[string]engine.Action{
		"skip": engine.ActionSkip, "replace": engine.ActionReplace, "newer": engine.ActionNewer, "keep-both": engine.ActionKeepBoth,
		"rename-old": engine.ActionRenameOld, "rename": engine.ActionRename, "retry": engine.ActionRetry,
	}
	preserves = map[string]engine.Preserve{
		"default": engine.PreserveDefault, "none": engine.PreserveNone, "all": engine.PreserveAll, "mode": engine.PreserveMode,
		"owner": engine.PreserveOwner, "times": engine.PreserveTimes, "xattr": engine.PreserveXattr, "acl": engine.PreserveACL,
		"hardlinks": engine.PreserveHardlinks,
	}
	warnKinds = map[engine.WarnKind]string{
		engine.WarnChanged: "changed", engine.WarnOwner: "owner", engine.WarnMode: "mode", engine.WarnTimes: "times",
		engine.WarnXattr: "xattr", engine.WarnACL: "acl", engine.WarnHardlinks: "hardlinks", engine.WarnLeftover: "leftover",
	}
	whys = map[engine.Why]string{
		engine.WhyExists: "exists", engine.WhyFolderInWay: "folder-in-way", engine.WhyFileInWay: "file-in-way",
		engine.WhyLinkInWay: "link-in-way", engine.WhyBadName: "bad-name",
	}
	causes = map[string]error{
		"inside-self": engine.ErrInsideSelf, "same-file": engine.ErrSameFile, "bad-name": engine.ErrBadName,
		"not-folder": engine.ErrNotFolder, "no-parent": engine.ErrNoParent, "socket": engine.ErrSocket, "changed": engine.ErrChanged,
		"copy-gone": engine.ErrCopyGone, "replaces-folder": engine.ErrReplacesFolder, "not-answerable": engine.ErrNotAnswerable, "no-question": engine.ErrNoQuestion,
		"clone-only": engine.ErrCloneOnly, "link-loop": engine.ErrLinkLoop, "closed": engine.ErrClosed, "cancelled": engine.ErrCancelled,
		"request": engine.ErrRequest,
	}
)

// causeOf names what an error is about.
func causeOf(err error) string {
	for _, name := range slices.Sorted(maps.Keys(causes)) {
		if errors.Is(err, causes[name]) {
			return name
		}
	}
	var e syscall.Errno
	if errors.As(err, &e) {
		return unix.ErrnoName(e)
	}
	return fmt.Sprint(err)
}

func wantCause(err error, want string) error {
	if got := causeOf(err); got != want {
		return fmt.Errorf("the cause is %s (%w), want %s", got, err, want)
	}
	return nil
}

func (s *script) start(args []string) error {
	if len(args) == 0 || args[0] != "copy" && args[0] != "move" {
		return errors.New("start what?")
	}
	into := slices.Index(args, "into")
	if into < 0 || into != len(args)-2 {
		return errors.New("want: start copy SOURCE… into DEST")
	}
	r := engine.Request{Dest: s.abs(args[into+1]), Move: args[0] == "move"}
	for _, a := range args[1:into] {
		if a == "" || a[0] != '-' {
			r.Sources = append(r.Sources, s.abs(a))
		} else if err := s.flag(&r, a); err != nil {
			return err
		}
	}
	if s.job != nil {
		select {
		case <-s.job.Done():
		default:
			return errors.New("the job before has not ended")
		}
	}
	j, err := s.engine.Start(context.Background(), r)
	if err != nil {
		return err
	}
	s.job = j
	return nil
}

func (s *script) flag(r *engine.Request, flag string) error {
	key, value, _ := strings.Cut(flag, "=")
	ok := true
	switch key {
	case "-rule":
		r.Rule, ok = rules[value]
	case "-onerror":
		r.OnError, ok = engine.OnErrorStop, value == "stop"
	case "-preserve":
		for p := range strings.SplitSeq(value, ",") {
			bit, known := preserves[p]
			r.Preserve, ok = r.Preserve|bit, ok && known
		}
	case "-reflink":
		r.Reflink, ok = map[string]engine.Reflink{"always": engine.ReflinkAlways, "never": engine.ReflinkNever}[value]
	case "-sparse":
		r.Sparse, ok = map[string]engine.Sparse{"always": engine.SparseAlways, "never": engine.SparseNever}[value]
	case "-follow":
		r.Links = engine.LinksFollow
	case "-onefs":
		r.OneFileSystem = true
	case "-exclude":
		r.Exclude = append(r.Exclude, value)
	case "-duplicate":
		r.Duplicate = true
	case "-dry":
		r.DryRun = true
	case "-workers":
		n, err := strconv.Atoi(value)
		if err != nil {
			return err
		}
		s.useEngine(n)
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("%q is no flag of start", flag)
	}
	return nil
}

// await waits until all its conditions hold at once.
func (s *script) await(args []string) error {
	var conditions []func(engine.Snapshot) bool
	for _, a := range args {
		key, value, least := strings.Cut(a, ">=")
		if !least {
			key, value, _ = strings.Cut(a, "=")
		}
		if key == "held" {
			s.valve(value).Await(s)
			continue
		}
		if key == "state" {
			conditions = append(conditions, func(n engine.Snapshot) bool { return n.State.String() == value })
			continue
		}
		want, err := strconv.ParseInt(value, 10, 64)
		get := counters[key]
		if err != nil || get == nil {
			return fmt.Errorf("%q is nothing to wait for", a)
		}
		conditions = append(conditions, func(n engine.Snapshot) bool { return get(n) == want || least && get(n) > want })
	}
	enginetest.Await(s, fmt.Sprintf("%q", args), func() bool {
		n := s.job.Snapshot()
		for _, c := range conditions {
			if !c(n) {
				return false
			}
		}
		return true
	})
	return nil
}

var counters = map[string]func(engine.Snapshot) int64{
	"parked":  func(n engine.Snapshot) int64 { return int64(n.Questions) },
	"failed":  func(n engine.Snapshot) int64 { return int64(n.Failures) },
	"warned":  func(n engine.Snapshot) int64 { return int64(n.Warnings) },
	"copied":  func(n engine.Snapshot) int64 { return n.Files },
	"total":   func(n engine.Snapshot) int64 { return n.TotalFiles },
	"skipped": func(n engine.Snapshot) int64 { return n.Skipped },
	"dirs":    func(n engine.Snapshot) int64 { return n.Dirs },
	"bytes":   func(n engine.Snapshot) int64 { return n.Bytes },
}

func (s *script) decide(args []string) error {
	if len(args) < 2 {
		return errors.New("want: decide WHAT ACTION [NAME]")
	}
	action, ok := actions[args[1]]
	if !ok {
		return fmt.Errorf("%q is no action", args[1])
	}
	d := engine.Decision{Action: action}
	if len(args) > 2 {
		d.Name = args[2]
	}
	switch args[0] {
	case "all":
		d.All = true
	case "rest":
		d.Rest = true
	case "failed":
		for _, f := range s.job.Failures(0, 1<<20) {
			d.IDs = append(d.IDs, f.ID)
		}
	default:
		id, err := s.item(args[0])
		if err != nil {
			return err
		}
		d.IDs = []engine.QuestionID{id}
	}
	return s.job.Decide(d)
}

// item finds the one question or failure whose path ends in what.
func (s *script) item(what string) (engine.QuestionID, error) {
	var found []engine.QuestionID
	is := func(paths ...string) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return strings.HasSuffix(p, "/"+what) })
	}
	for _, q := range s.job.Questions(0, 1<<20) {
		if is(q.Dst.Path, q.Src.Path) {
			found = append(found, q.ID)
		}
	}
	for _, f := range s.job.Failures(0, 1<<20) {
		if is(f.Dst, f.Src) {
			found = append(found, f.ID)
		}
	}
	if len(found) != 1 {
		return 0, fmt.Errorf("%d open items end in %q", len(found), what)
	}
	return found[0], nil
}

func (s *script) pause([]string) error  { s.job.Pause(); return nil }
func (s *script) resume([]string) error { s.job.Resume(); return nil }
func (s *script) cancel([]string) error { s.job.Cancel(); return nil }
func (s *script) leave([]string) error  { s.job.Leave(); return nil }

func (s *script) retry([]string) error {
	j, err := s.job.Retry(context.Background())
	if err == nil {
		s.job = j
	}
	return err
}

// ended waits for the end of the job.
func (s *script) ended() (engine.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), enginetest.Patience)
	defer cancel()
	return s.job.Wait(ctx)
}

func (s *script) wait(args []string) error {
	r, err := s.ended()
	if err != nil {
		return err
	}
	if got := r.State.String(); len(args) != 1 || got != args[0] {
		return fmt.Errorf("the job ended as %s (%w)", got, r.Err)
	}
	if r.State == engine.StateDone && s.job.Snapshot().Fraction != 1 {
		return fmt.Errorf("done, and the fraction is %v", s.job.Snapshot().Fraction)
	}
	return nil
}

func (s *script) result(args []string) error {
	r, err := s.ended()
	if err != nil {
		return err
	}
	got := map[string]int64{"files": r.Files, "dirs": r.Dirs, "links": r.Links, "bytes": r.Bytes, "skipped": r.Skipped}
	var wrong []string
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		n, known := got[key]
		if !known {
			return fmt.Errorf("a result has no %q", key)
		}
		if strconv.FormatInt(n, 10) != value {
			wrong = append(wrong, fmt.Sprintf("%s is %d, want %s", key, n, value))
		}
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

func (s *script) refused(args []string) error {
	r, err := s.ended()
	if err != nil {
		return err
	}
	var refusal *engine.RefusedError
	if r.State != engine.StateFailed || !errors.As(r.Err, &refusal) {
		return fmt.Errorf("the job ended as %v with %w", r.State, r.Err)
	}
	return wantCause(r.Err, args[0])
}

func (s *script) stalled(args []string) error {
	if err := s.await([]string{"state=stalled"}); err != nil {
		return err
	}
	return wantCause(s.job.Snapshot().Stall, args[0])
}

func (s *script) error(args []string) error { return wantCause(s.failure, args[0]) }

func (s *script) questions(args []string) error {
	var got []string
	for _, q := range s.job.Questions(0, 1<<20) {
		got = append(got, fmt.Sprintf("%s  %s  %s %s", quoted(s.rel(q.Dst.Path)), whys[q.Why], sideKind(q.Src), sideKind(q.Dst)))
	}
	return s.compare(args, got)
}

func sideKind(side engine.Side) string {
	switch {
	case !side.Exists:
		return "nothing"
	case side.Mode.IsDir():
		return "folder"
	case side.Mode.IsRegular():
		return "file"
	case side.Mode&fs.ModeSymlink != 0:
		return "link"
	}
	return "special"
}

func (s *script) failures(args []string) error {
	var got []string
	for _, f := range s.job.Failures(0, 1<<20) {
		got = append(got, fmt.Sprintf("%s  %v  %s", quoted(s.rel(f.Src)), f.Stage, causeOf(f.Err)))
	}
	return s.compare(args, got)
}

func (s *script) warnings(args []string) error {
	var got []string
	for _, w := range s.job.Warnings() {
		got = append(got, fmt.Sprintf("%s=%d", warnKinds[w.Kind], w.N))
	}
	slices.Sort(got)
	slices.Sort(args)
	if !slices.Equal(got, args) {
		return fmt.Errorf("the warnings are %q", got)
	}
	return nil
}
