package cli

import (
	"strings"

	"drover/engine"
)

// preserveParts are the names that --preserve takes in its list, and the names that cp has for the same.
var preserveParts = []struct {
	name, cp string
	value    engine.Preserve
}{
	{"mode", "", engine.PreserveMode},
	{"owner", "ownership", engine.PreserveOwner},
	{"times", "timestamps", engine.PreserveTimes},
	{"xattr", "", engine.PreserveXattr},
	{"acl", "", engine.PreserveACL},
	{"hardlinks", "links", engine.PreserveHardlinks},
	{"all", "", engine.PreserveAll},
}

// preserveValue is the flag --preserve: all, none, or parts with commas between them, which replace what an earlier flag
// said; or, with not, the flag --no-preserve, which takes its parts away from that.
type preserveValue struct {
	p    *engine.Preserve
	not  bool
	text string
}

func (v *preserveValue) String() string { return v.text }
func (v *preserveValue) Type() string   { return "LIST" }

func (v *preserveValue) Set(s string) error {
	var p engine.Preserve
	switch {
	case s == "none" && !v.not:
		p = engine.PreserveNone
	default:
		for part := range strings.SplitSeq(s, ",") {
			bits := preserved(part)
			if bits == 0 {
				return &choiceError{allowed: v.names()}
			}
			p |= bits
		}
	}
	if v.text = s; v.not {
		p = v.p.Without(p)
	}
	*v.p = p
	return nil
}

// preserved is what a name in the list stands for; 0 if there is no such name.
func preserved(name string) engine.Preserve {
	for _, n := range preserveParts {
		if name != "" && (name == n.name || name == n.cp) {
			return n.value
		}
	}
	return 0
}

// names are what is possible. The names of cp are not told: to those who know them it is enough that they work.
func (v *preserveValue) names() []string {
	names := []string{"all", "none"}
	if v.not {
		names = names[:1]
	}
	for _, n := range preserveParts[:len(preserveParts)-1] {
		names = append(names, n.name)
	}
	return names
}
