// Package assets holds the files that are built into the programs.
//
// It is imported by commands as well as by the window: what only the window needs (icons) belongs in a package
// below this one, so that drover-cli stays small.
package assets

import "embed"

// Translations holds the texts for people, in files translations/<group>.<language>.json. The package ui/present reads
// them and says at its top how a text is added.
//
//go:embed translations/*.json
var Translations embed.FS
