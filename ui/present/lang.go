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

// texts is one loaded language.
type texts struct {
	lang string
	loc  *i18n.Localizer
}

var (
	loading sync.Mutex // so that two first calls do not load twice
	current atomic.Pointer[texts]
)

// T returns the text id in the person's language, in English if it is not translated, and the id itself if there is no
// such text. pairs are names and values of its placeholders; an int or int64 under "Count" chooses the plural form. Any
// goroutine may call it.
func T(id string, pairs ...any) string {
	c := current.Load()
	if c == nil {
		c = use("")
	}
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
	s, err := c.loc.Localize(&lc)
	if err != nil && s == "" {
		return id
	}
	return s
}

// SetLanguage chooses one of Languages, or, with "", the one that the environment asks for.
func SetLanguage(lang string) {
	if lang == "" {
		lang = fromEnvironment(os.Getenv)
	}
	use(lang)
}

// Language is the language that T answers in.
func Language() string {
	if c := current.Load(); c != nil {
		return c.lang
	}
	return use("").lang
}

// use makes lang the language of T. With "" it keeps what another goroutine may have chosen meanwhile.
func use(lang string) *texts {
	loading.Lock()
	defer loading.Unlock()
	if lang == "" {
		if c := current.Load(); c != nil {
			return c
		}
		lang = fromEnvironment(os.Getenv)
	}
	c := load(assets.Translations, lang)
	current.Store(c)
	return c
}

// load reads the texts of lang and of English. The files are part of the program and tested: a broken one is a mistake
// of ours that T shows as a missing text.
func load(files fs.FS, lang string) *texts {
	if !slices.Contains(Languages, lang) {
		lang = Languages[0]
	}
	bundle := i18n.NewBundle(language.English)
	for _, l := range slices.Compact([]string{Languages[0], lang}) {
		names, _ := fs.Glob(files, "translations/*."+l+".json")
		for _, name := range names {
			if buf, err := fs.ReadFile(files, name); err == nil {
				_, _ = bundle.ParseMessageFileBytes(buf, name)
			}
		}
	}
	return &texts{lang: lang, loc: i18n.NewLocalizer(bundle, lang)}
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
