package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"drover/ui/present"
)

// newRoot builds the tree of commands. What people read of it is put in as ids of texts and translated only if help is
// asked for: loading the texts takes longer than all the rest of the start. more are the rest of the command line: names.
func newRoot(stdio Streams, more []string) *cobra.Command {
	root := &cobra.Command{
		Use:           program(),
		Short:         "cli.root",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return errNoCommand },
	}
	root.SetIn(stdio.In)
	root.SetOut(stdio.Out)
	root.SetErr(stdio.Err)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { help(cmd) })
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return err })
	version := root.Flags().Bool("version", false, "cli.flag_version")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return printVersion(cmd)
		}
		return errNoCommand
	}
	root.AddCommand(newCopy(stdio, more), newMove(stdio, more), newVersion())
	root.SetHelpCommand(newHelp())
	helpFlag(root)
	return root
}

// helpFlag adds --help before cobra does, with a text that can be translated.
func helpFlag(cmd *cobra.Command) { cmd.Flags().BoolP("help", "h", false, "cli.flag_help") }

func newVersion() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "cli.version",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
	helpFlag(cmd)
	return cmd
}

func printVersion(cmd *cobra.Command) error {
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "drover %s\n", Version); err != nil {
		return exitStatus(ExitUnfinished)
	}
	return nil
}

// newHelp replaces cobra's help command for the sake of the exit status and of the languages.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "cli.help",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return knownCommand(cmd.Root(), args)
			}
			help(about)
			return nil
		},
	}
}

// translate replaces the ids in what is shown of cmd by their texts.
func translate(cmd *cobra.Command) {
	text := func(s string) string {
		if strings.HasPrefix(s, "cli.") {
			return present.T(s)
		}
		return s
	}
	cmd.Short, cmd.Long, cmd.Example = text(cmd.Short), text(cmd.Long), text(cmd.Example)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Usage, f.DefValue = text(f.Usage), "" // the texts name the default
	})
	for _, sub := range cmd.Commands() {
		if sub.Short = text(sub.Short); sub.Name() == "completion" { // cobra's own
			sub.Short = present.T("cli.completion")
		}
	}
}

// helpWidth is how wide help is, so that it reads well on any terminal.
const helpWidth = 100

// help prints what cmd does and how it is called.
func help(cmd *cobra.Command) {
	translate(cmd)
	var b strings.Builder
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	fmt.Fprintf(&b, "%s\n\n%s\n", about, present.T("cli.heading_usage"))
	if cmd.HasSubCommands() {
		fmt.Fprintf(&b, "  %s %s\n", cmd.CommandPath(), present.T("cli.usage_command"))
		if cmd.CommandPath() == windowed {
			fmt.Fprintf(&b, "  %s\n", present.T("cli.usage_window", "Program", windowed))
		}
		fmt.Fprintf(&b, "\n%s\n", present.T("cli.heading_commands"))
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "  %-12s %s\n", sub.Name(), sub.Short)
			}
		}
	} else {
		fmt.Fprintf(&b, "  %s\n", strings.Replace(cmd.UseLine(), "[flags]", present.T("cli.usage_flags"), 1))
		for _, alias := range cmd.Aliases {
			fmt.Fprintf(&b, "  %s %s …\n", cmd.Parent().CommandPath(), alias)
		}
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\n%s\n%s\n", present.T("cli.heading_examples"), cmd.Example)
	}
	fmt.Fprintf(&b, "\n%s\n%s", present.T("cli.heading_flags"), cmd.Flags().FlagUsagesWrapped(helpWidth))
	fmt.Fprint(cmd.OutOrStdout(), b.String())
}

// usageError is a mistake in the command line that is ours to describe.
type usageError struct {
	id    string
	pairs []any
}

func (e *usageError) Error() string { return present.T(e.id, e.pairs...) }

func usage(id string, pairs ...any) error { return &usageError{id: id, pairs: pairs} }

// errNoCommand is the mistake of typing nothing.
var errNoCommand = usage("cli.no_command")

// knownCommand refuses words that are no command, with the one that was probably meant.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := present.Name(args[0])
	unknown := "cli.unknown_command"
	if len(args) == 1 && program() == windowed {
		unknown = "cli.unknown_place" // it would have opened a folder of that name
	}
	if cmd.SuggestionsMinimumDistance <= 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		return usage(unknown+"_like", "Name", name, "Like", like[0])
	}
	return usage(unknown, "Name", name)
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("cli.too_many", "Name", present.Name(args[0]))
	}
	return nil
}

// usageText says in one line what is wrong with the command line.
func usageText(err error) string {
	var (
		ours    *usageError
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		allowed *choiceError
	)
	switch {
	case errors.As(err, &invalid):
		flag, value := "--"+invalid.GetFlag().Name, present.Name(invalid.GetValue())
		if errors.As(err, &allowed) {
			return present.T("cli.bad_choice", "Flag", flag, "Value", value, "Allowed", allowed.String())
		}
		if invalid.GetFlag().Value.Type() == "bool" {
			return present.T("cli.bad_choice", "Flag", flag, "Value", value, "Allowed", "true, false")
		}
		if errors.As(err, &ours) {
			return present.T("cli.bad_value", "Flag", flag, "Value", value, "Why", ours.Error())
		}
		return present.T("cli.bad_value", "Flag", flag, "Value", value, "Why", present.Name(invalid.Unwrap().Error()))
	case errors.As(err, &ours):
		return ours.Error()
	case errors.As(err, &unknown):
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return present.T("cli.unknown_flag", "Flag", "-"+present.Name(short))
		}
		return present.T("cli.unknown_flag", "Flag", "--"+present.Name(unknown.GetSpecifiedName()))
	case errors.As(err, &missing):
		return present.T("cli.value_missing", "Flag", "--"+missing.GetFlag().Name)
	default:
		return present.Name(err.Error())
	}
}
