package present

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"drover/assets"
)

// forms are the plural forms of one text; a text without plural has only "other".
type forms map[string]string

// readFile returns the texts of one message file.
func readFile(t *testing.T, name string) map[string]forms {
	t.Helper()
	buf, err := fs.ReadFile(assets.Translations, name)
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]any
	if err := json.Unmarshal(buf, &raw); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out := map[string]forms{}
	for id, v := range raw {
		switch v := v.(type) {
		case string:
			out[id] = forms{"other": v}
		case map[string]any:
			f := forms{}
			for k, s := range v {
				str, ok := s.(string)
				if !ok {
					t.Errorf("%s: %s: %s is not a string", name, id, k)
				}
				if k != "description" {
					f[k] = str
				}
			}
			out[id] = f
		default:
			t.Errorf("%s: %s is neither a string nor an object of plural forms", name, id)
		}
	}
	return out
}

// groups returns the names of the groups of texts, from the English files.
func groups(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(assets.Translations, "translations/*.en.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no English texts: %v", err)
	}
	for i, n := range names {
		names[i] = strings.TrimSuffix(filepath.Base(n), ".en.json")
	}
	return names
}

var placeholder = regexp.MustCompile(`\{\{\.([A-Za-z]+)\}\}`)

// placeholders returns the sorted names of the placeholders in s.
func placeholders(s string) []string {
	set := map[string]bool{}
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		set[m[1]] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func TestEveryTextIsTranslated(t *testing.T) {
	// The forms that each language distinguishes (CLDR); without them the fallback would be English.
	need := map[string][]string{"en": {"one", "other"}, "de": {"one", "other"}, "zh": {"other"}, "ja": {"other"}}
	for _, group := range groups(t) {
		en := readFile(t, "translations/"+group+".en.json")
		for _, lang := range Languages {
			name := "translations/" + group + "." + lang + ".json"
			got := readFile(t, name)
			for id := range got {
				if _, ok := en[id]; !ok {
					t.Errorf("%s: %s does not exist in English", name, id)
				}
			}
			for id, want := range en {
				if !strings.HasPrefix(id, group+".") {
					t.Errorf("%s: id %s does not begin with %q", name, id, group+".")
				}
				text, ok := got[id]
				if !ok {
					t.Errorf("%s: %s is missing", name, id)
					continue
				}
				wanted := []string{"other"}
				if _, plural := want["one"]; plural {
					wanted = need[lang]
				}
				if have := slices.Sorted(maps.Keys(text)); !slices.Equal(have, wanted) {
					t.Errorf("%s: %s has the forms %v, needs %v", name, id, have, wanted)
				}
				for form, s := range text {
					if strings.TrimSpace(s) == "" {
						t.Errorf("%s: %s (%s) is empty", name, id, form)
					}
					if strings.Count(s, "{{") != len(placeholder.FindAllString(s, -1)) {
						t.Errorf("%s: %s (%s) has something other than {{.Name}}: %q", name, id, form, s)
					}
					want, have := placeholders(want["other"]), placeholders(s)
					if form == "one" { // "a file" needs no number
						want = slices.DeleteFunc(want, func(n string) bool { return n == "Count" })
						have = slices.DeleteFunc(have, func(n string) bool { return n == "Count" })
					}
					if !slices.Equal(want, have) {
						t.Errorf("%s: %s (%s) has the placeholders %v, needs %v", name, id, form, have, want)
					}
				}
			}
		}
	}
}

func TestEveryFileIsOfAKnownLanguage(t *testing.T) {
	names, err := fs.Glob(assets.Translations, "translations/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		parts := strings.Split(filepath.Base(n), ".")
		if len(parts) != 3 || parts[2] != "json" || !slices.Contains(Languages, parts[1]) {
			t.Errorf("%s: want <group>.<language>.json with a language of %v", n, Languages)
		}
	}
}

// TestEveryIDHasAText reads the source of the whole project.
func TestEveryIDHasAText(t *testing.T) {
	en := map[string]forms{}
	var prefixes []string
	for _, group := range groups(t) {
		prefixes = append(prefixes, group)
		maps.Copy(en, readFile(t, "translations/"+group+".en.json"))
	}
	id := regexp.MustCompile(`^(` + strings.Join(prefixes, "|") + `)\.[a-z0-9_.]+$`)
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, src, 0)
		if err != nil {
			return nil //nolint:nilerr // the compiler reports it better
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				s, err := strconv.Unquote(n.Value)
				if n.Kind == token.STRING && err == nil && id.MatchString(s) {
					if _, ok := en[s]; !ok {
						t.Errorf("%s: there is no text %q", set.Position(n.Pos()), s)
					}
				}
			case *ast.CallExpr:
				checkCall(t, set, n, en)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkCall checks a call present.T("id", "Name", value, …): the id must be a text, the names those of its placeholders.
func checkCall(t *testing.T, set *token.FileSet, call *ast.CallExpr, en map[string]forms) {
	t.Helper()
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "T" || len(call.Args) == 0 || call.Ellipsis.IsValid() {
		return
	}
	if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "present" {
		return
	}
	literal := func(e ast.Expr) (string, bool) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(lit.Value)
		return s, err == nil
	}
	pos := set.Position(call.Pos())
	if len(call.Args)%2 != 1 {
		t.Errorf("%s: a placeholder without a value", pos)
		return
	}
	id, ok := literal(call.Args[0])
	if !ok {
		return // from a table, whose literals are checked by themselves
	}
	text, ok := en[id]
	if !ok {
		t.Errorf("%s: there is no text %q", pos, id)
		return
	}
	var names []string
	for i := 1; i < len(call.Args); i += 2 {
		name, ok := literal(call.Args[i])
		if !ok {
			return
		}
		names = append(names, name)
	}
	for _, want := range placeholders(text["other"]) {
		if !slices.Contains(names, want) {
			t.Errorf("%s: %q needs a value for %s", pos, id, want)
		}
	}
	if _, plural := text["one"]; plural && !slices.Contains(names, "Count") {
		t.Errorf("%s: %q has plural forms and needs Count", pos, id)
	}
}

func TestLanguageFromEnvironment(t *testing.T) {
	for _, c := range []struct {
		all, messages, lang, want string
	}{
		{"", "", "", "en"},
		{"", "", "C", "en"},
		{"", "", "C.UTF-8", "en"},
		{"", "", "POSIX", "en"},
		{"", "", "de_DE.UTF-8", "de"},
		{"", "", "de", "de"},
		{"", "", "de_AT@euro", "de"},
		{"", "", "zh_CN.UTF-8", "zh"},
		{"", "", "ja_JP.eucJP", "ja"},
		{"", "", "fr_FR.UTF-8", "en"},
		{"", "ja_JP.UTF-8", "de_DE.UTF-8", "ja"},
		{"C", "ja_JP.UTF-8", "de_DE.UTF-8", "en"},
		{"zh_TW", "", "de_DE.UTF-8", "zh"},
	} {
		env := map[string]string{"LC_ALL": c.all, "LC_MESSAGES": c.messages, "LANG": c.lang}
		if got := fromEnvironment(func(n string) string { return env[n] }); got != c.want {
			t.Errorf("LC_ALL=%s LC_MESSAGES=%s LANG=%s: %s, want %s", c.all, c.messages, c.lang, got, c.want)
		}
	}
}

// withTexts makes T answer from files for one test.
func withTexts(t *testing.T, lang string, files map[string]string) {
	t.Helper()
	m := fstest.MapFS{}
	for name, s := range files {
		m["translations/"+name] = &fstest.MapFile{Data: []byte(s)}
	}
	before := current.Load()
	current.Store(newTexts(m, lang))
	t.Cleanup(func() { current.Store(before) })
}

func TestT(t *testing.T) {
	withTexts(t, "de", map[string]string{
		"a.en.json": `{"a.files": {"one": "{{.Count}} file", "other": "{{.Count}} files"}, "a.only": "only in English, {{.Name}}"}`,
		"a.de.json": `{"a.files": {"one": "eine Datei", "other": "{{.Count}} Dateien"}}`,
		"b.de.json": `{"b.second": "zweite"}`,
	})
	for _, c := range []struct {
		got, want string
	}{
		{T("a.files", "Count", 1), "eine Datei"},
		{T("a.files", "Count", int64(20000)), "20\u00a0000 Dateien"},
		{T("a.files", "Count", 0), "0 Dateien"},
		{T("a.only", "Name", "<b>&"), "only in English, <b>&"},
		{T("a.only", "Name", "{{.X}}"), "only in English, {{.X}}"},
		{T("b.second"), "zweite"},
		{T("a.missing"), "a.missing"},
		{Language(), "de"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestSetLanguage(t *testing.T) {
	before := current.Load()
	t.Cleanup(func() { current.Store(before) })
	t.Setenv("LC_ALL", "ja_JP.UTF-8")
	var wg sync.WaitGroup
	for range 4 { // the window calls T from several goroutines; the race detector looks on
		wg.Go(func() {
			SetLanguage("de")
			_ = T("cli.summary_skipped", "Count", 3)
		})
	}
	wg.Wait()
	for in, want := range map[string]string{"zh": "zh", "": "ja", "xx": "en"} {
		SetLanguage(in)
		if got := Language(); got != want {
			t.Errorf("SetLanguage(%q): %s, want %s", in, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1 000", 20000: "20 000", 1234567: "1 234 567", -1000: "-1 000", -999: "-999",
	} {
		if got := strings.ReplaceAll(Number(n), "\u00a0", " "); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
