// Package locale gives fyne a language to parse where the environment names none ("C"): it logs an error about that, from the
// initialisation of a package of its own. That is why this is done in init, and in a package that imports nothing but os and strings:
// packages without open imports are initialised in the order of their paths, and "drover/…" comes before "fyne.io/…".
package locale

import (
	"os"
	"strings"
)

func init() { Quiet() }

// Quiet changes the language of messages in the environment from none to English. What characters are (LC_CTYPE), which input
// methods go by, stays as it is.
func Quiet() {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		v := os.Getenv(name)
		if v == "" {
			continue
		}
		if base, _, _ := strings.Cut(v, "."); base != "C" && base != "POSIX" {
			return
		}
		break
	}
	if all := os.Getenv("LC_ALL"); all != "" {
		// LC_ALL would hide LC_MESSAGES
		_ = os.Setenv("LANG", all)
		_ = os.Unsetenv("LC_ALL")
	}
	_ = os.Setenv("LC_MESSAGES", "en_US.UTF-8")
}
