package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"drover/engine"
	"drover/engine/enginetest"
)

// Five hundred names of one file: from one ext4 to another they stay that; where the target has no hard links they become files of
// their own, and there is one warning for all of them and no question (C10).
func TestNamesOfOneFileOnAnotherDevice(t *testing.T) {
	enginetest.NeedsRoot(t)
	dir := enginetest.WorkDir(t)
	enginetest.Loop(t, dir+"/one", "ext4", 50<<20)
	src := []enginetest.Entry{enginetest.Random("0/f", 10_000)}
	for i := range 499 {
		src = append(src, enginetest.Hardlink(fmt.Sprintf("%d/n%d", i%7, i), "0/f"))
	}
	enginetest.Build(t, dir+"/one/src", src...)

	t.Run("ext4", func(t *testing.T) {
		enginetest.Loop(t, dir+"/two", "ext4", 50<<20)
		j := start(t, newEngine(t, 4), engine.Request{Sources: []string{dir + "/one/src"}, Dest: dir + "/two"})
		if r := wait(t, j); r.State != engine.StateDone || r.Files != 1 || r.Links != 499 || len(j.Warnings()) > 0 {
			t.Errorf("%+v, %v", r, j.Warnings())
		}
		enginetest.Same(t, dir+"/one/src", dir+"/two/src", enginetest.All)
		for _, l := range enginetest.Fingerprint(t, dir+"/two/src") {
			if l.Sum != "" && l.Nlink != 500 {
				t.Fatalf("%s has %d names", l.Path, l.Nlink)
			}
		}
	})
	without := map[string]func(t *testing.T, at string){
		"without links": func(t *testing.T, at string) { enginetest.Fuse(t, dir+"/back", at, enginetest.NoLinks()) },
		"exfat":         func(t *testing.T, at string) { enginetest.Loop(t, at, "exfat", 50<<20) },
	}
	for name, mount := range without {
		t.Run(name, func(t *testing.T) {
			at := dir + "/" + name
			mount(t, at)
			j := start(t, newEngine(t, 4), engine.Request{
				Sources: []string{dir + "/one/src"}, Dest: at, Preserve: engine.PreserveTimes | engine.PreserveHardlinks,
			})
			r := wait(t, j)
			if s := j.Snapshot(); r.State != engine.StateDone || r.Files != 500 || r.Links != 0 || s.Questions+s.Failures > 0 {
				t.Errorf("%+v, %d questions, %v", r, s.Questions, j.Failures(0, 3))
			}
			enginetest.Same(t, dir+"/one/src", at+"/src", 0)
			if w := j.Warnings(); len(w) != 1 || w[0].Kind != engine.WarnHardlinks || w[0].N != 499 {
				t.Errorf("warnings: %+v", w)
			}
		})
	}
}

// A file and its other names: "foo" and a hard link to it, two links that point to it, a hard link to one of those. Any of them onto
// any other, with every rule and with links followed or not: it is refused, or the other name becomes what was copied, but what is
// in foo is never lost (C12). GNU cp's own table of such cases knows the same five names.
func TestEveryNameOntoEveryOther(t *testing.T) {
	names := []string{"foo", "hardlink", "symlink", "sl2", "hlsl"}
	symlink := func(n string) bool { return n == "symlink" || n == "sl2" || n == "hlsl" }
	same := func(a, b string) bool { // one inode
		pair := []string{a, b}
		slices.Sort(pair)
		return a == b || slices.Equal(pair, []string{"foo", "hardlink"}) || slices.Equal(pair, []string{"hlsl", "sl2"})
	}
	for _, from := range names {
		for _, onto := range names {
			for rule, word := range map[engine.Rule]string{
				engine.RuleReplace: "replace", engine.RuleNewer: "newer", engine.RuleRenameOld: "rename-old", engine.RuleKeepBoth: "keep-both", engine.RuleSkip: "skip",
			} {
				for _, follow := range []engine.Links{engine.LinksKeep, engine.LinksFollow} {
					t.Run(fmt.Sprintf("%s onto %s %s follow=%d", from, onto, word, follow), func(t *testing.T) {
						dir := enginetest.WorkDir(t)
						enginetest.Build(t, dir, enginetest.File("foo", "content"), enginetest.Hardlink("hardlink", "foo"),
							enginetest.Symlink("symlink", "foo"), enginetest.Symlink("sl2", "foo"), enginetest.Hardlink("hlsl", "sl2"))
						before := enginetest.Fingerprint(t, dir)[1:]
						j := start(t, newEngine(t, 1), engine.Request{Sources: []string{dir + "/" + from}, Dest: dir + "/" + onto, Rule: rule, Links: follow})
						r := wait(t, j)
						after := enginetest.Fingerprint(t, dir)[1:]

						refused := same(from, onto) || symlink(from) && !symlink(onto) // a link to what it would replace
						if follow == engine.LinksFollow {
							refused = !symlink(onto)
						}
						if refused {
							if !errors.Is(r.Err, engine.ErrSameFile) {
								t.Errorf("%+v", r)
							}
							if d := enginetest.Diff(before, after, enginetest.All); len(d) > 0 {
								t.Errorf("refused, and %q", d)
							}
							return
						}
						if r.State != engine.StateDone {
							t.Fatalf("%+v, %v", r, j.Failures(0, 1))
						}
						for _, l := range after {
							if n := l.Path; n == onto && word == "replace" {
								if link := symlink(from) && follow == engine.LinksKeep; link && l.Link != "foo" || !link && l.Text != "content" {
									t.Errorf("%s is %+v", n, l)
								}
							} else if !symlink(n) && l.Link == "" && l.Text != "content" {
								t.Errorf("%s is lost: %+v", n, l)
							}
						}
					})
				}
			}
		}
	}
}
