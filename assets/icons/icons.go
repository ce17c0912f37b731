// Package icons holds the program's own icon. It is apart from assets so that drover-cli does not carry it.
package icons

import _ "embed" // for the icon

// App is the program's icon as a PNG of 256 × 256.
//
//go:embed drover-256.png
var App []byte
