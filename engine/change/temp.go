package change

import "strings"

// TempPrefix begins every temporary name that Drover makes. They are no news to anyone: no event ever names one.
const TempPrefix = ".drover-"

// IsTemp reports whether name (one name, not a path) is temporary.
func IsTemp(name string) bool { return strings.HasPrefix(name, TempPrefix) }
