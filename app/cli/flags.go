package cli

import (
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"drover/engine"
	"drover/ui/present"
)

// copyFlags are what copy and move can be told beside their sources and their destination.
type copyFlags struct {
	move        bool // the command is move
	conflict    engine.Rule
	onError     engine.OnError
	preserve    engine.Preserve
	reflink     engine.Reflink
	sparse      engine.Sparse
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

// word chooses what is said of a copy or of a move.
func (f *copyFlags) word(copied, moved string) string {
	if f.move {
		return moved
	}
	return copied
}

// register adds the flags to cmd. What a link points to is never moved.
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
	set.Var(&preserveValue{p: &f.preserve, not: true}, "no-preserve", "cli.flag_no_preserve")
	set.Var(newChoice(&f.reflink, "WHEN", []named[engine.Reflink]{
		{"auto", engine.ReflinkAuto},
		{"always", engine.ReflinkAlways},
		{"never", engine.ReflinkNever},
	}), "reflink", "cli.flag_reflink")
	set.Var(newChoice(&f.sparse, "WHEN", []named[engine.Sparse]{
		{"auto", engine.SparseAuto},
		{"always", engine.SparseAlways},
		{"never", engine.SparseNever},
	}), "sparse", "cli.flag_sparse")
	if !f.move {
		set.BoolVar(&f.followLinks, "follow-links", false, "cli.flag_follow_links")
	}
	set.BoolVar(&f.oneFS, "one-file-system", false, f.word("cli.flag_one_file_system", "cli.flag_one_file_system_move"))
	set.Var(&globsValue{globs: &f.exclude}, "exclude", "cli.flag_exclude")
	f.registerNegations(set)
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

// registerNegations adds what takes a flag back that came earlier, in an alias for example. The help tells of them in a sentence.
func (f *copyFlags) registerNegations(set *pflag.FlagSet) {
	for _, n := range []struct {
		name string
		undo func()
	}{
		{"no-follow-links", func() { f.followLinks = false }},
		{"no-one-file-system", func() { f.oneFS = false }},
		{"no-exclude", func() { f.exclude = nil }},
	} {
		if f.move && n.name == "no-follow-links" {
			continue
		}
		flag := set.VarPF(negation(n.undo), n.name, "", "")
		flag.NoOptDefVal, flag.Hidden = "true", true
	}
}

// negation is a flag without a value that takes back what was said before it.
type negation func()

func (negation) String() string { return "" }

// Type makes the flag one that has no value of its own.
func (negation) Type() string { return "bool" }

// Set takes back, unless the flag is taken back itself (--no-exclude=false).
func (n negation) Set(s string) error {
	on, err := strconv.ParseBool(s)
	if on {
		n()
	}
	return err
}

// consistent refuses flags that contradict each other.
func (f *copyFlags) consistent() error {
	if f.sparse != engine.SparseAuto && f.reflink == engine.ReflinkAlways {
		return usage("cli.reflink_sparse")
	}
	return nil
}

// request makes of the flags what the engine understands.
func (f *copyFlags) request(sources []string, dest string) engine.Request {
	r := engine.Request{
		Move:          f.move,
		Sources:       sources,
		Dest:          dest,
		Rule:          f.conflict,
		OnError:       f.onError,
		Preserve:      f.preserve,
		Reflink:       f.reflink,
		Sparse:        f.sparse,
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
func (f *copyFlags) needPlaces(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usage(f.word("cli.no_places", "cli.no_places_move"))
	case 1:
		return usage(f.word("cli.no_dest", "cli.no_dest_move"), "Name", present.Name(args[0]))
	}
	return nil
}
