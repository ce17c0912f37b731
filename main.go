// Command drover copies files: with a window, or with the commands of drover-cli.
package main

import (
	"os"

	"drover/app"
)

func main() { os.Exit(app.Main(os.Args[1:])) }
