package cli

import (
	"context"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"drover/engine"
	"drover/ui/present"
)

// parse reads flags as copy does.
func parse(t *testing.T, args ...string) (copyFlags, error) {
	t.Helper()
	var f copyFlags
	cmd := &cobra.Command{Use: "copy"}
	f.register(cmd)
	err := cmd.ParseFlags(args)
	return f, err
}

func TestFlagsMakeTheRequest(t *testing.T) {
	base := engine.Request{Sources: []string{"a"}, Dest: "b"}
	with := func(change func(r *engine.Request)) engine.Request {
		r := base
		change(&r)
		return r
	}
	for _, c := range []struct {
		args string
		want engine.Request
	}{
		{"", base},
		{"--conflict ask", base},
		{"--conflict skip", with(func(r *engine.Request) { r.Rule = engine.RuleSkip })},
		{"--conflict replace", with(func(r *engine.Request) { r.Rule = engine.RuleReplace })},
		{"--conflict=newer", with(func(r *engine.Request) { r.Rule = engine.RuleNewer })},
		{"--conflict keep-both", with(func(r *engine.Request) { r.Rule = engine.RuleKeepBoth })},
		{"--conflict rename-old", with(func(r *engine.Request) { r.Rule = engine.RuleRenameOld })},
		{"--on-error stop", with(func(r *engine.Request) { r.OnError = engine.OnErrorStop })},
		{"--preserve all", with(func(r *engine.Request) { r.Preserve = engine.PreserveAll })},
		{"--preserve none", with(func(r *engine.Request) { r.Preserve = engine.PreserveNone })},
		{"--preserve mode,times", with(func(r *engine.Request) { r.Preserve = engine.PreserveMode | engine.PreserveTimes })},
		{"--preserve mode,owner,times,xattr,acl,hardlinks", with(func(r *engine.Request) { r.Preserve = engine.PreserveAll })},
		{"--preserve mode,ownership,timestamps,links,xattr,acl", with(func(r *engine.Request) { r.Preserve = engine.PreserveAll })}, // as cp says it
		{"--preserve acl,all", with(func(r *engine.Request) { r.Preserve = engine.PreserveAll })},
		{"--preserve mode --preserve times", with(func(r *engine.Request) { r.Preserve = engine.PreserveTimes })},
		{"--preserve all --no-preserve owner,links", with(func(r *engine.Request) {
			r.Preserve = engine.PreserveMode | engine.PreserveTimes | engine.PreserveXattr | engine.PreserveACL
		})},
		{"--no-preserve owner --preserve all", with(func(r *engine.Request) { r.Preserve = engine.PreserveAll })},
		{"--no-preserve all", with(func(r *engine.Request) { r.Preserve = engine.PreserveNone })},
		{"--preserve mode --no-preserve mode,xattr", with(func(r *engine.Request) { r.Preserve = engine.PreserveNone })},
		{"--preserve none --no-preserve mode", with(func(r *engine.Request) { r.Preserve = engine.PreserveNone })},
		{"--no-preserve times --no-preserve owner", with(func(r *engine.Request) {
			r.Preserve = engine.PreserveAll &^ (engine.PreserveTimes | engine.PreserveOwner)
		})},
		{"--sparse always", with(func(r *engine.Request) { r.Sparse = engine.SparseAlways })},
		{"--sparse never", with(func(r *engine.Request) { r.Sparse = engine.SparseNever })},
		{"--sparse never --sparse auto", base},
		{"--follow-links --no-follow-links", base},
		{"--no-follow-links --follow-links", with(func(r *engine.Request) { r.Links = engine.LinksFollow })},
		{"--follow-links --no-follow-links=false", with(func(r *engine.Request) { r.Links = engine.LinksFollow })},
		{"--one-file-system --no-one-file-system", base},
		{"--no-one-file-system --one-file-system", with(func(r *engine.Request) { r.OneFileSystem = true })},
		{"--exclude a --no-exclude --exclude b", with(func(r *engine.Request) { r.Exclude = []string{"b"} })},
		{"--reflink never --reflink always --sparse always --sparse auto", with(func(r *engine.Request) { r.Reflink = engine.ReflinkAlways })},
		{"--reflink always", with(func(r *engine.Request) { r.Reflink = engine.ReflinkAlways })},
		{"--reflink never", with(func(r *engine.Request) { r.Reflink = engine.ReflinkNever })},
		{"--follow-links", with(func(r *engine.Request) { r.Links = engine.LinksFollow })},
		{"--one-file-system", with(func(r *engine.Request) { r.OneFileSystem = true })},
		{"--exclude *.o --exclude a,b", with(func(r *engine.Request) { r.Exclude = []string{"*.o", "a,b"} })},
		{"--dry-run", with(func(r *engine.Request) { r.DryRun = true })},
	} {
		f, err := parse(t, strings.Fields(c.args)...)
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
			continue
		}
		if err := f.consistent(); err != nil {
			t.Errorf("%q: %v", c.args, err)
		}
		if got := f.request([]string{"a"}, "b"); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, want %+v", c.args, got, c.want)
		}
	}
}

func TestBadFlagValues(t *testing.T) {
	inLanguage(t, "en")
	for args, want := range map[string]string{
		"--conflict overwrite":   "“overwrite” is no value of --conflict; possible are ask, skip, replace, newer, keep-both, rename-old",
		"--conflict ":            "“” is no value of --conflict; possible are ask, skip, replace, newer, keep-both, rename-old",
		"--on-error ask":         "“ask” is no value of --on-error; possible are skip, stop",
		"--reflink yes":          "“yes” is no value of --reflink; possible are auto, always, never",
		"--progress on":          "“on” is no value of --progress; possible are auto, always, never",
		"--preserve mode,colour": "“mode,colour” is no value of --preserve; possible are all, none, mode, owner, times, xattr, acl, hardlinks",
		"--preserve mode,none":   "“mode,none” is no value of --preserve; possible are all, none, mode, owner, times, xattr, acl, hardlinks",
		"--preserve mode,,times": "“mode,,times” is no value of --preserve; possible are all, none, mode, owner, times, xattr, acl, hardlinks",
		"--preserve ":            "“” is no value of --preserve; possible are all, none, mode, owner, times, xattr, acl, hardlinks",
		"--no-preserve colour":   "“colour” is no value of --no-preserve; possible are all, mode, owner, times, xattr, acl, hardlinks",
		"--no-preserve none":     "“none” is no value of --no-preserve; possible are all, mode, owner, times, xattr, acl, hardlinks",
		"--preserve":             "--preserve needs a value",
		"--sparse yes":           "“yes” is no value of --sparse; possible are auto, always, never",
		"--no-follow-links=2":    "“2” is no value of --no-follow-links; possible are true, false",
		"--exclude [":            "“[” is no value of --exclude: this is no pattern; an open “[” or a “\\” at its end is left",
		"--exclude ":             "“” is no value of --exclude: the pattern is empty",
		"--json=2":               "“2” is no value of --json; possible are true, false",
		"--verify":               "there is no flag --verify",
		"-x":                     "there is no flag -x",
		"--conflict":             "--conflict needs a value",
	} {
		words := strings.Split(args, " ")
		_, err := parse(t, words...)
		if err == nil {
			t.Errorf("%q was accepted", args)
			continue
		}
		if got := usageText(err); got != want {
			t.Errorf("%q:\n%s, want\n%s", args, got, want)
		}
	}
}

// Cloning and making holes by oneself cannot be had together; the later of two flags of one name decides.
func TestContradictingFlags(t *testing.T) {
	inLanguage(t, "en")
	for _, args := range []string{"--reflink always --sparse always", "--sparse never --reflink always"} {
		f, err := parse(t, strings.Fields(args)...)
		if err == nil {
			err = f.consistent()
		}
		if err == nil || !strings.Contains(usageText(err), "--reflink always and --sparse") {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestHelpIsTranslated also finds a text that is longer in one language than help can show, and ids left over.
// In the program with a window a single word may have been meant for a folder.
func TestUnknownWords(t *testing.T) {
	inLanguage(t, "en")
	name := os.Args[0]
	defer func() { os.Args[0] = name }()
	for _, c := range []struct {
		program string
		args    []string
		want    string
	}{
		{"drover", []string{"copx"}, "drover: there is no folder and no command “copx”; do you mean “copy”?\n"},
		{"drover", []string{"frobnicate"}, "drover: there is no folder and no command “frobnicate”\n"},
		{"drover", []string{"copx", "a", "b"}, "drover: there is no command “copx”; do you mean “copy”?\n"},
		{"drover", []string{"-x"}, "drover: there is no flag -x\n"},
		{"/bin/drover-cli", []string{"copx"}, "drover-cli: there is no command “copx”; do you mean “copy”?\n"},
	} {
		os.Args[0] = c.program
		var out, err strings.Builder
		status := Run(t.Context(), c.args, Streams{In: strings.NewReader(""), Out: &out, Err: &err})
		if status != ExitUsage || out.Len() > 0 || !strings.HasPrefix(err.String(), c.want) {
			t.Errorf("%s %q: status %d, %q", c.program, c.args, status, err.String())
		}
	}
}

func TestHelpIsTranslated(t *testing.T) {
	for _, lang := range present.Languages {
		inLanguage(t, lang)
		seen := map[string]bool{}
		for _, args := range [][]string{{"--help"}, {"help"}, {"copy", "--help"}, {"help", "copy"}, {"cp", "-h"}, {"version", "--help"}} {
			var out, diagnosis strings.Builder
			status := Run(context.Background(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &diagnosis})
			if status != ExitDone || diagnosis.Len() > 0 || out.Len() == 0 {
				t.Errorf("%s: %v: %d %s", lang, args, status, diagnosis.String())
			}
			if strings.Contains(out.String(), "cli.") {
				t.Errorf("%s: %v shows an id:\n%s", lang, args, out.String())
			}
			seen[out.String()] = true
		}
		if len(seen) != 3 { // of the program, of copy, of version, whichever way it is asked for
			t.Errorf("%s: %d different helps", lang, len(seen))
		}
	}
}
