package cli

import (
	"context"
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
		"--preserve all,mode":    "“all,mode” is no value of --preserve; possible are all, none, mode, owner, times, xattr, acl, hardlinks",
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

// TestHelpIsTranslated also finds a text that is longer in one language than help can show, and ids left over.
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
