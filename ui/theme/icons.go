package theme

import (
	"embed"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

//go:embed icons/*.svg
var files embed.FS

// icon loads one of our own icons. They are part of the program: one that is missing is a mistake that every test shows.
func icon(name string) fyne.Resource {
	buf, err := files.ReadFile("icons/" + name + ".svg")
	if err != nil {
		panic(err)
	}
	return fyne.NewStaticResource("drover-"+name+".svg", buf)
}

// Icons of what lies in a folder. They have their own colours, which do in light and in dark.
var (
	Folder  = icon("folder")
	File    = icon("file")
	Image   = icon("image")
	Audio   = icon("audio")
	Video   = icon("video")
	Text    = icon("text")
	Archive = icon("archive")
	Special = icon("special")
)

// Icons of a single colour, which is that of the text they stand beside.
var (
	Back     = fynetheme.NewThemedResource(icon("back"))
	Forward  = fynetheme.NewThemedResource(icon("forward"))
	Up       = fynetheme.NewThemedResource(icon("up"))
	Pause    = fynetheme.NewThemedResource(icon("pause"))
	Play     = fynetheme.NewThemedResource(icon("play"))
	Close    = fynetheme.NewThemedResource(icon("close"))
	More     = fynetheme.NewThemedResource(icon("more"))
	Search   = fynetheme.NewThemedResource(icon("search"))
	Home     = fynetheme.NewThemedResource(icon("home"))
	Desktop  = fynetheme.NewThemedResource(icon("desktop"))
	Download = fynetheme.NewThemedResource(icon("download"))
	Document = fynetheme.NewThemedResource(icon("document"))
	Music    = fynetheme.NewThemedResource(icon("music"))
	Picture  = fynetheme.NewThemedResource(icon("picture"))
	Movie    = fynetheme.NewThemedResource(icon("movie"))
	Plain    = fynetheme.NewThemedResource(icon("plain"))
	Disk     = fynetheme.NewThemedResource(icon("disk"))
	Stick    = fynetheme.NewThemedResource(icon("stick"))
	Paste    = fynetheme.NewThemedResource(icon("copyhere"))
	Retry    = fynetheme.NewThemedResource(icon("retry"))
	Chevron  = fynetheme.NewThemedResource(icon("chevron"))
	SortUp   = fynetheme.NewThemedResource(icon("sortup"))
	SortDown = fynetheme.NewThemedResource(icon("sortdown"))

	Check    = fynetheme.NewColoredResource(icon("check"), fynetheme.ColorNameSuccess)
	Question = fynetheme.NewColoredResource(icon("question"), fynetheme.ColorNameWarning)
	Warning  = fynetheme.NewColoredResource(icon("warning"), fynetheme.ColorNameWarning)
	Failed   = fynetheme.NewColoredResource(icon("failed"), fynetheme.ColorNameError)
	Stopped  = fynetheme.NewColoredResource(icon("stopped"), Secondary)
	Copying  = fynetheme.NewColoredResource(icon("copying"), fynetheme.ColorNamePrimary)
)
