package cli

import (
	"path"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"drover/engine"
	"drover/ui/present"
)

// copyFlags are what copy can be told beside its sources and its destination.
type copyFlags struct {
	conflict    engine.Rule
	onError     engine.OnError
	preserve    engine.Preserve
	reflink     engine.Reflink
	followLinks bool
	oneFS       bool
	exclude     []string
	dryRun      bool
	quiet       bool
	json        bool
	progress    progressMode
}

// progressMode says when progress is shown.
type progressMode uint8

const (
	progressAuto   progressMode = iota // on a terminal
	progressAlways                     // also where nobody can see it: a line now and then
	progressNever
)

// register adds the flags to cmd.
func (f *copyFlags) register(cmd *cobra.Command) {
	set := cmd.Flags()
	set.SortFlags = false
	set.Var(newChoice(&f.conflict, "RULE", []named[engine.Rule]{
		{"ask", engine.RuleAsk},
		{"skip", engine.RuleSkip},
		{"replace", engine.RuleReplace},
		{"newer", engine.RuleNewer},
		{"keep-both", engine.RuleKeepBoth},
		{"rename-old", engine.RuleRenameOld},
	}), "conflict", "cli.flag_conflict")
	set.Var(newChoice(&f.onError, "skip|stop", []named[engine.OnError]{
		{"skip", engine.OnErrorSkip},
		{"stop", engine.OnErrorStop},
	}), "on-error", "cli.flag_on_error")
	set.Var(&preserveValue{p: &f.preserve}, "preserve", "cli.flag_preserve")
	set.Var(newChoice(&f.reflink, "WHEN", []named[engine.Reflink]{
		{"auto", engine.ReflinkAuto},
		{"always", engine.ReflinkAlways},
		{"never", engine.ReflinkNever},
	}), "reflink", "cli.flag_reflink")
	set.BoolVar(&f.followLinks, "follow-links", false, "cli.flag_follow_links")
	set.BoolVar(&f.oneFS, "one-file-system", false, "cli.flag_one_file_system")
	set.Var(&globsValue{globs: &f.exclude}, "exclude", "cli.flag_exclude")
	set.BoolVar(&f.dryRun, "dry-run", false, "cli.flag_dry_run")
	set.BoolVar(&f.quiet, "quiet", false, "cli.flag_quiet")
	set.Var(newChoice(&f.progress, "WHEN", []named[progressMode]{
		{"auto", progressAuto},
		{"always", progressAlways},
		{"never", progressNever},
	}), "progress", "cli.flag_progress")
	set.BoolVar(&f.json, "json", false, "cli.flag_json")
	helpFlag(cmd)
	set.VisitAll(func(flag *pflag.Flag) {
		if c, ok := flag.Value.(interface{ names() []string }); ok {
			// The error is that of a flag that does not exist or is completed already.
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, cobra.FixedCompletions(c.names(), cobra.ShellCompDirectiveNoFileComp))
		}
	})
}

// request makes of the flags what the engine understands.
func (f *copyFlags) request(sources []string, dest string) engine.Request {
	r := engine.Request{
		Sources:       sources,
		Dest:          dest,
		Rule:          f.conflict,
		OnError:       f.onError,
		Preserve:      f.preserve,
		Reflink:       f.reflink,
		OneFileSystem: f.oneFS,
		Exclude:       f.exclude,
		DryRun:        f.dryRun,
	}
	if f.followLinks {
		r.Links = engine.LinksFollow
	}
	return r
}

// named is one value of a choice.
type named[V comparable] struct {
	name  string
	value V
}

// choice is a flag with a few named values, of which the first is the default.
type choice[V comparable] struct {
	target *V
	word   string // stands for the value in the help
	values []named[V]
}

func newChoice[V comparable](target *V, word string, values []named[V]) *choice[V] {
	*target = values[0].value
	return &choice[V]{target: target, word: word, values: values}
}

func (c *choice[V]) String() string {
	for _, n := range c.values {
		if c.target != nil && n.value == *c.target {
			return n.name
		}
	}
	return ""
}

// Type stands behind the name of the flag in its help.
func (c *choice[V]) Type() string { return c.word }

func (c *choice[V]) Set(s string) error {
	for _, n := range c.values {
		if n.name == s {
			*c.target = n.value
			return nil
		}
	}
	return &choiceError{allowed: c.names()}
}

func (c *choice[V]) names() []string {
	out := make([]string, len(c.values))
	for i, n := range c.values {
		out[i] = n.name
	}
	return out
}

// choiceError says which values there are.
type choiceError struct{ allowed []string }

func (e *choiceError) Error() string  { return "want one of " + e.String() }
func (e *choiceError) String() string { return strings.Join(e.allowed, ", ") }

// preserveParts are the names that --preserve takes in its list.
var preserveParts = []named[engine.Preserve]{
	{"mode", engine.PreserveMode},
	{"owner", engine.PreserveOwner},
	{"times", engine.PreserveTimes},
	{"xattr", engine.PreserveXattr},
	{"acl", engine.PreserveACL},
	{"hardlinks", engine.PreserveHardlinks},
}

// preserveValue is the flag --preserve: all, none, or parts with commas between them.
type preserveValue struct {
	p    *engine.Preserve
	text string
}

func (v *preserveValue) String() string { return v.text }
func (v *preserveValue) Type() string   { return "LIST" }

func (v *preserveValue) Set(s string) error {
	switch s {
	case "all":
		*v.p, v.text = engine.PreserveAll, s
		return nil
	case "none":
		*v.p, v.text = engine.PreserveNone, s
		return nil
	}
	var p engine.Preserve
	for part := range strings.SplitSeq(s, ",") {
		bit := engine.Preserve(0)
		for _, n := range preserveParts {
			if n.name == part {
				bit = n.value
			}
		}
		if bit == 0 {
			allowed := []string{"all", "none"}
			for _, n := range preserveParts {
				allowed = append(allowed, n.name)
			}
			return &choiceError{allowed: allowed}
		}
		p |= bit
	}
	*v.p, v.text = p, s
	return nil
}

// globsValue is the flag --exclude, which may be given many times. A comma is part of a name here.
type globsValue struct{ globs *[]string }

func (v *globsValue) String() string { return "" }
func (v *globsValue) Type() string   { return "GLOB" }

func (v *globsValue) Set(s string) error {
	if s == "" {
		return usage("cli.empty_pattern")
	}
	if _, err := path.Match(s, ""); err != nil {
		return usage("cli.bad_pattern")
	}
	*v.globs = append(*v.globs, s)
	return nil
}

// needPlaces refuses a command line without a source or a destination.
func needPlaces(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usage("cli.no_places")
	case 1:
		return usage("cli.no_dest", "Name", present.Name(args[0]))
	}
	return nil
}
