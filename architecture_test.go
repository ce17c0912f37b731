// Package main_test asserts the shape of the project: who may import whom, and who may call what. ARCHITECTURE.md says
// why. The linter has the import rules too and shows them while one writes; these tests need nothing but Go.
package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	module  = "drover"
	toolkit = "fyne.io"
	unix    = "golang.org/x/sys/unix"
	pump    = "ui/pump.go"

	maxLines = 600
)

// rules are the directions in which imports run: main → app → ui → engine, and app/cli → engine and ui/present.
// Every name stands for itself and all below it.
var rules = []struct {
	in   []string // folders that the rule is about
	not  []string // imports that they may not have
	but  []string // imports that they may have all the same
	test bool     // whether it binds tests too
}{
	{in: []string{"engine"}, not: []string{toolkit, module + "/ui", module + "/app", module + "/assets"}, test: true},
	{
		in:  []string{"app/cli", "app/headless"},
		not: []string{toolkit, module + "/ui"}, but: []string{module + "/ui/present"}, test: true,
	},
	{in: []string{"ui/present"}, not: []string{toolkit}, test: true},
	{in: []string{"ui/widget", "ui/theme"}, not: []string{module + "/engine"}, test: true},
	{in: []string{"ui"}, not: []string{module + "/app"}, test: true},
	{in: []string{"."}, not: []string{unix}},
}

// kernelDoor is the one package that may import unix.
const kernelDoor = "engine/internal/sys"

// vague are names that say nothing of what is in a package.
var vague = []string{"utils", "util", "helpers", "common", "types", "misc"}

func TestHeadlessPartsDoNotDependOnToolkit(t *testing.T) {
	for _, pkg := range []string{"./engine/...", "./app/headless"} {
		cmd := exec.Command("go", "list", "-buildvcs=false", "-deps", pkg)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list -deps %s: %v", pkg, err)
		}
		deps := strings.Fields(string(out))
		if !slices.ContainsFunc(deps, func(d string) bool { return under(d, module+"/engine") }) {
			t.Errorf("%s: the list does not even name the engine", pkg)
		}
		for _, d := range deps {
			if under(d, toolkit) || strings.Contains(d, "go-gl/") {
				t.Errorf("%s depends on %s", pkg, d)
			}
		}
	}
}

func TestArchitecture(t *testing.T) {
	for _, v := range violations(t, os.DirFS(".")) {
		t.Error(v)
	}
}

// TestArchitectureSeesViolations keeps the test above honest: each of these files breaks one rule, or none.
func TestArchitectureSeesViolations(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	tests := []struct{ name, file, text, want string }{
		{"engine with a screen", "engine/a.go", `package engine; import _ "fyne.io/fyne/v2"`, "imports fyne.io/fyne/v2"},
		{"engine test with a screen", "engine/a_test.go", `package engine; import _ "fyne.io/fyne/v2/test"`, "imports fyne.io/"},
		{"engine knows ui", "engine/place/a.go", `package place; import _ "drover/ui/present"`, "imports drover/ui/present"},
		{"command with a window", "app/cli/a.go", `package cli; import _ "drover/ui"`, "imports drover/ui"},
		{"command with texts", "app/cli/a.go", `package cli; import _ "drover/ui/present"`, ""},
		{"widget knows engine", "ui/widget/a.go", `package widget; import _ "drover/engine/change"`, "imports drover/engine/change"},
		{"view knows engine", "ui/browse/a.go", `package browse; import _ "drover/engine/change"`, ""},
		{"engine by another name", "ui/widget/a.go", `package widget; import _ "drover/engines"`, ""},
		{"second door", "engine/a.go", `package engine; import _ "golang.org/x/sys/unix"`, "imports golang.org/x/sys/unix"},
		{"the door", "engine/internal/sys/a.go", `package sys; import _ "golang.org/x/sys/unix"`, ""},
		{"a test at the kernel", "engine/a_test.go", `package engine; import _ "golang.org/x/sys/unix"`, ""},
		{"second pump", "ui/window.go", `package ui; import "fyne.io/fyne/v2"; func f() { fyne.Do(f) }`, "hands fyne.Do on"},
		{"as a value", "ui/window.go", `package ui; import f2 "fyne.io/fyne/v2"; var f = f2.DoAndWait`, "hands fyne.DoAndWait on"},
		{"without a prefix", "ui/window.go", `package ui; import . "fyne.io/fyne/v2"`, "imports fyne.io/fyne/v2 without a name"},
		{"the pump", pump, `package ui; import "fyne.io/fyne/v2"; func f() { fyne.Do(f) }`, ""},
		{"another Do", "ui/window.go", `package ui; import "sync"; var o sync.Once; func f() { o.Do(f) }`, ""},
		{"sleep", "engine/a.go", `package engine; import "time"; func f() { time.Sleep(1) }`, "sleeps"},
		{"sleep in a test", "engine/a_test.go", `package engine; import "time"; func f() { time.Sleep(1) }`, "sleeps"},
		{
			"sleep that turns a clock", "engine/a_test.go",
			`package engine; import ("testing/synctest"; "time"); func f() { synctest.Wait(); time.Sleep(1) }`, "",
		},
		{"vague folder", "engine/utils/a.go", `package utils`, "says nothing"},
		{"long file", "engine/a.go", "package engine\n" + strings.Repeat("//\n", maxLines), "601 lines"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := violations(t, fstest.MapFS{tt.file: file(tt.text)})
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("got %q, want nothing", got)
			case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)):
				t.Errorf("got %q, want one with %q", got, tt.want)
			}
		})
	}
}

// violations reads every Go file of the tree and returns what breaks a rule.
func violations(t *testing.T, tree fs.FS) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() && slices.Contains(vague, d.Name()):
			out = append(out, fmt.Sprintf("%s: a name that says nothing of what is in it", name))
		case !d.IsDir() && path.Ext(name) == ".go":
			text, err := fs.ReadFile(tree, name)
			if err != nil {
				return err
			}
			found, err := inspect(name, text)
			if err != nil {
				return err
			}
			out = append(out, found...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// inspect returns what breaks a rule in one file.
func inspect(name string, text []byte) (out []string, err error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if n := strings.Count(strings.TrimSuffix(string(text), "\n"), "\n") + 1; n > maxLines {
		out = append(out, fmt.Sprintf("%s: %d lines, more than %d", name, n, maxLines))
	}
	isTest := strings.HasSuffix(name, "_test.go")
	fyne := "" // under which name the file knows the toolkit
	fakeTime := false
	for _, im := range f.Imports {
		pkg, err := strconv.Unquote(im.Path.Value)
		if err != nil {
			return nil, err
		}
		if forbidden(name, pkg, isTest) {
			out = append(out, fmt.Sprintf("%s: imports %s", name, pkg))
		}
		fakeTime = fakeTime || pkg == "testing/synctest"
		if pkg != toolkit+"/fyne/v2" {
			continue
		}
		switch {
		case im.Name == nil:
			fyne = "fyne"
		case im.Name.Name == ".":
			out = append(out, fmt.Sprintf("%s: imports %s without a name", name, pkg))
		default:
			fyne = im.Name.Name
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		switch do := sel.Sel.Name; {
		case !ok:
		case x.Name == fyne && (do == "Do" || do == "DoAndWait") && name != pump:
			out = append(out, fmt.Sprintf("%s: hands fyne.%s on; only %s does", set.Position(sel.Pos()), do, pump))
		case x.Name == "time" && do == "Sleep" && !(isTest && fakeTime):
			out = append(out, fmt.Sprintf("%s: sleeps; wait for the condition, or use synctest", set.Position(sel.Pos())))
		}
		return true
	})
	return out, nil
}

func forbidden(file, pkg string, isTest bool) bool {
	for _, r := range rules {
		about := func(in string) bool { return in == "." || under(file, in) }
		is := func(not string) bool { return under(pkg, not) }
		switch {
		case isTest && !r.test, !slices.ContainsFunc(r.in, about), !slices.ContainsFunc(r.not, is), slices.ContainsFunc(r.but, is):
			continue
		case pkg == unix && under(file, kernelDoor):
			continue
		}
		return true
	}
	return false
}

// under says whether a slash-separated name is another or lies below it.
func under(name, top string) bool {
	return name == top || strings.HasPrefix(name, top+"/")
}
