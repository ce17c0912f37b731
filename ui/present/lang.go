// Package present turns what the engine says into what a person reads: texts in the person's language, advice for
// errors, rows for lists. It is pure: no Fyne, no disk, no goroutine of its own.
//
// # Texts
//
// Every text for people has an id and lives in assets/translations/<group>.<language>.json, one file per group and
// language (en, de, zh, ja). An id is the name of its group, a dot, and words in lower case: "cli.nothing_to_do". To
// add a text:
//
//  1. Put it into <group>.en.json, and its translations into the files of the other three languages.
//     A text is a string, or, where a number decides on the wording, an object with the forms that the
//     language has ("one" and "other" in English and German, only "other" in Chinese and Japanese):
//
//     "cli.files": {"one": "{{.Count}} file", "other": "{{.Count}} files"}
//
//  2. Use it, with a name and a value for each placeholder. "Count" chooses the form and is shown with Number:
//
//     present.T("cli.files", "Count", n)
//     present.T("window.copying_to", "Folder", name)
//
// The tests in this package fail if a translation or a placeholder is missing, or if the id in the source has no text.
// They find ids by looking for string literals that begin with the name of a group and a dot, so an id is always
// written whole, never put together.
//
// Nothing is loaded before the first call of T, because many commands end without having said a word.
package present

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"drover/assets"
)

// Languages are the languages that there are texts in, the fallback first.
var Languages = []string{"en", "de", "zh", "ja"}

// texts are those of one language, each group of them loaded when its first text is needed: a command that says one
// line does not wait for the words of the window.
type texts struct {
	lang     string
	files    fs.FS
	fallback *texts // English, for what is not translated; nil if this is English

	loading sync.Mutex // so that two first calls do not load twice
	groups  sync.Map   // name of the group → *i18n.Localizer
}

// current is what T answers from.
var current atomic.Pointer[texts]

// T returns the text id in the person's language, in English if it is not translated, and the id itself if there is no
// such text. pairs are names and values of its placeholders; an int or int64 under "Count" chooses the plural form. Any
// goroutine may call it.
func T(id string, pairs ...any) string {
	lc := i18n.LocalizeConfig{MessageID: id}
	if len(pairs) > 0 {
		data := make(map[string]any, len(pairs)/2)
		for i := 0; i+1 < len(pairs); i += 2 {
			name, v := fmt.Sprint(pairs[i]), pairs[i+1]
			if name == "Count" {
				lc.PluralCount = v
				v = numberOf(v)
			}
			data[name] = v
		}
		lc.TemplateData = data
	}
	for t := inUse(); t != nil; t = t.fallback {
		if s, _ := t.group(id).Localize(&lc); s != "" {
			return s
		}
	}
	return id
}

// SetLanguage chooses one of Languages, or, with "", the one that the environment asks for.
func SetLanguage(lang string) {
	if lang == "" {
		lang = fromEnvironment(os.Getenv)
	}
	current.Store(newTexts(assets.Translations, lang))
}

// Language is the language that T answers in.
func Language() string { return inUse().lang }

// inUse returns the texts to answer from. The first call decides, unless SetLanguage has.
func inUse() *texts {
	if t := current.Load(); t != nil {
		return t
	}
	current.CompareAndSwap(nil, newTexts(assets.Translations, fromEnvironment(os.Getenv)))
	return current.Load()
}

func newTexts(files fs.FS, lang string) *texts {
	fallback := &texts{lang: Languages[0], files: files}
	if lang == fallback.lang || !slices.Contains(Languages, lang) {
		return fallback
	}
	return &texts{lang: lang, files: files, fallback: fallback}
}

// group returns the group that id belongs to. Its file is part of the program and tested: one that is broken or missing
// is a mistake of ours, which T shows as a missing text.
func (t *texts) group(id string) *i18n.Localizer {
	name, _, _ := strings.Cut(id, ".")
	if g, ok := t.groups.Load(name); ok {
		return g.(*i18n.Localizer)
	}
	t.loading.Lock()
	defer t.loading.Unlock()
	if g, ok := t.groups.Load(name); ok {
		return g.(*i18n.Localizer)
	}
	bundle := i18n.NewBundle(language.Make(t.lang))
	file := "translations/" + name + "." + t.lang + ".json"
	if buf, err := fs.ReadFile(t.files, file); err == nil {
		_, _ = bundle.ParseMessageFileBytes(buf, file)
	}
	g := i18n.NewLocalizer(bundle, t.lang)
	t.groups.Store(name, g)
	return g
}

// fromEnvironment follows locale(7): the first of the three variables that is set decides, whatever it says. "C" and
// languages without texts mean English.
func fromEnvironment(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		v := getenv(name)
		if v == "" {
			continue
		}
		lang, _, _ := strings.Cut(v, ".")
		lang, _, _ = strings.Cut(lang, "@")
		lang, _, _ = strings.Cut(lang, "_")
		lang = strings.ToLower(lang)
		if slices.Contains(Languages, lang) {
			return lang
		}
		break
	}
	return Languages[0]
}

// Number writes n with its digits in groups of three, divided by spaces that do not break, which all our languages read
// the same way: neither a comma nor a point can be taken for a decimal sign.
func Number(n int64) string {
	s := fmt.Sprint(n)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u00a0" + s[i:]
	}
	return sign + s
}

func numberOf(v any) any {
	switch n := v.(type) {
	case int:
		return Number(int64(n))
	case int64:
		return Number(n)
	default:
		return v
	}
}
