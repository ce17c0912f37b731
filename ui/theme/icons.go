package theme

import (
	"bytes"
	"embed"
	"fmt"
	"image/color"

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

// Tinted is an icon of a single colour, that of the theme of the moment. fyne's own themed resources give lines no colour, only
// surfaces, and these icons are lines.
type Tinted struct {
	name   string
	source []byte
	colour fyne.ThemeColorName
}

func tint(name string, colour fyne.ThemeColorName) *Tinted {
	return &Tinted{name: name, source: icon(name).Content(), colour: colour}
}

// In returns the icon in another colour.
func (t *Tinted) In(colour fyne.ThemeColorName) *Tinted {
	return &Tinted{name: t.name, source: t.source, colour: colour}
}

func (t *Tinted) hex() string {
	c := color.NRGBAModel.Convert(fynetheme.Color(t.colour)).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// Name implements fyne.Resource. fyne keeps what it drew by this name, so the colour belongs to it.
func (t *Tinted) Name() string { return "drover-" + t.name + t.hex() + ".svg" }

// Content implements fyne.Resource.
func (t *Tinted) Content() []byte {
	return bytes.ReplaceAll(t.source, []byte("#000000"), []byte(t.hex()))
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
	Back     = tint("back", fynetheme.ColorNameForeground)
	Forward  = tint("forward", fynetheme.ColorNameForeground)
	Up       = tint("up", fynetheme.ColorNameForeground)
	Pause    = tint("pause", fynetheme.ColorNameForeground)
	Play     = tint("play", fynetheme.ColorNameForeground)
	Close    = tint("close", fynetheme.ColorNameForeground)
	More     = tint("more", fynetheme.ColorNameForeground)
	Search   = tint("search", fynetheme.ColorNameForeground)
	Home     = tint("home", fynetheme.ColorNameForeground)
	Desktop  = tint("desktop", fynetheme.ColorNameForeground)
	Download = tint("download", fynetheme.ColorNameForeground)
	Document = tint("document", fynetheme.ColorNameForeground)
	Music    = tint("music", fynetheme.ColorNameForeground)
	Picture  = tint("picture", fynetheme.ColorNameForeground)
	Movie    = tint("movie", fynetheme.ColorNameForeground)
	Plain    = tint("plain", fynetheme.ColorNameForeground)
	Disk     = tint("disk", fynetheme.ColorNameForeground)
	Stick    = tint("stick", fynetheme.ColorNameForeground)
	Paste    = tint("copyhere", fynetheme.ColorNameForeground)
	Retry    = tint("retry", fynetheme.ColorNameForeground)
	Chevron  = tint("chevron", fynetheme.ColorNameForeground)
	SortUp   = tint("sortup", fynetheme.ColorNameForeground)
	SortDown = tint("sortdown", fynetheme.ColorNameForeground)

	Check    = tint("check", fynetheme.ColorNameSuccess)
	Tick     = tint("tick", fynetheme.ColorNameForegroundOnPrimary)
	Info     = tint("info", fynetheme.ColorNamePrimary)
	Question = tint("question", fynetheme.ColorNameWarning)
	Warning  = tint("warning", fynetheme.ColorNameWarning)
	Failed   = tint("failed", fynetheme.ColorNameError)
	Stopped  = tint("stopped", Secondary)
	Paused   = tint("paused", Secondary)
	Copying  = tint("copying", fynetheme.ColorNamePrimary)
)
