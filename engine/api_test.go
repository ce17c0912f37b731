package engine_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/api.golden anew")

// What the engine exports is written down, so that a change of it is seen in review. Comments are not part of it.
//
//	go test ./engine -run TestAPI -update
func TestAPI(t *testing.T) {
	const golden = "testdata/api.golden"
	got := exported(t)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	lines := func(b []byte) map[string]bool {
		out := map[string]bool{}
		for l := range strings.Lines(string(b)) {
			out[l] = true
		}
		return out
	}
	was, is := lines(want), lines(got)
	for l := range strings.Lines(string(want)) {
		if !is[l] {
			t.Errorf("- %s", l)
		}
	}
	for l := range strings.Lines(string(got)) {
		if !was[l] {
			t.Errorf("+ %s", l)
		}
	}
	t.Error("the API differs from " + golden + ": if that is meant, run with -update")
}

// exported prints the exported declarations of the package, without comments and bodies.
func exported(t *testing.T) []byte {
	t.Helper()
	set := token.NewFileSet()
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(set, files, "drover/engine")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	style := printer.Config{Mode: printer.UseSpaces, Tabwidth: 4}
	show := func(n ast.Node) {
		if err := style.Fprint(&out, set, n); err != nil {
			t.Fatal(err)
		}
		out.WriteString("\n\n")
	}
	values := func(all []*doc.Value) {
		for _, v := range all {
			show(v.Decl)
		}
	}
	funcs := func(all []*doc.Func) {
		for _, f := range all {
			show(f.Decl)
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, x := range p.Types {
		show(x.Decl)
		values(x.Consts)
		values(x.Vars)
		funcs(x.Funcs)
		funcs(x.Methods)
	}
	return out.Bytes()
}
