// Package theme is how Drover looks: calm colours of enough contrast in light and dark, compact rows, and icons for
// what lies in a folder. It knows nothing of the engine.
//
// Text on its background has a contrast of at least 4.5 : 1 in both variants; a test works it out.
package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// Colours beside those that Fyne knows.
const (
	// Sidebar is the background of places and of the transfers.
	Sidebar fyne.ThemeColorName = "drover.sidebar"
	// Secondary is text that explains and does not lead.
	Secondary fyne.ThemeColorName = "drover.secondary"
	// Track is the empty part of a bar.
	Track fyne.ThemeColorName = "drover.track"
	// Selected is the background of a selected row while its list has the keyboard.
	Selected fyne.ThemeColorName = "drover.selected"
	// SelectedIdle is the background of a selected row while another part has the keyboard.
	SelectedIdle fyne.ThemeColorName = "drover.selectedIdle"
	// Card is the background of a side of a question.
	Card fyne.ThemeColorName = "drover.card"
)

// Choice is which variant a person wants.
type Choice string

// The choices; System follows the desktop.
const (
	System Choice = "system"
	Light  Choice = "light"
	Dark   Choice = "dark"
)

// Theme is the fyne.Theme of Drover.
type Theme struct{ choice Choice }

// New returns the theme for a choice; one that it does not know is System.
func New(c Choice) *Theme { return &Theme{choice: c} }

// Choice is what the theme was made with.
func (t *Theme) Choice() Choice { return t.choice }

func (t *Theme) variant(v fyne.ThemeVariant) fyne.ThemeVariant {
	switch t.choice {
	case Light:
		return fynetheme.VariantLight
	case Dark:
		return fynetheme.VariantDark
	}
	return v
}

// Color implements fyne.Theme.
func (t *Theme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	v = t.variant(v)
	p := light
	if v == fynetheme.VariantDark {
		p = dark
	}
	if name == fynetheme.ColorNameForeground {
		return foreground{p[name], p[Secondary]}
	}
	if c, ok := p[name]; ok {
		return c
	}
	return fynetheme.DefaultTheme().Color(name, v)
}

// foreground is the colour of text. Menus make that of their shortcuts out of it (Fyne 2.7), and take the lower bytes of its 16-bit
// channels for the colour, which leaves a fifth of the contrast. So these bytes hold the colour that shortcuts shall have; the upper ones,
// which everything else goes by, that of text.
type foreground struct{ text, shortcut color.NRGBA }

// RGBA implements color.Color.
func (f foreground) RGBA() (r, g, b, a uint32) {
	mix := func(hi, lo uint8) uint32 { return uint32(hi)<<8 | uint32(lo) }
	const opaque = 0xffca // 95 % of it, which is what a menu takes, have 0xff as the lower byte
	return mix(f.text.R, f.shortcut.R), mix(f.text.G, f.shortcut.G), mix(f.text.B, f.shortcut.B), opaque
}

// Font implements fyne.Theme.
func (t *Theme) Font(s fyne.TextStyle) fyne.Resource { return fynetheme.DefaultTheme().Font(s) }

// Icon implements fyne.Theme.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource {
	return fynetheme.DefaultTheme().Icon(name)
}

// Size implements fyne.Theme.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := sizes[name]; ok {
		return s
	}
	return fynetheme.DefaultTheme().Size(name)
}

var sizes = map[fyne.ThemeSizeName]float32{
	fynetheme.SizeNameText:            13,
	fynetheme.SizeNameCaptionText:     12,
	fynetheme.SizeNameHeadingText:     20,
	fynetheme.SizeNameSubHeadingText:  16,
	fynetheme.SizeNamePadding:         4,
	fynetheme.SizeNameInnerPadding:    6,
	fynetheme.SizeNameInlineIcon:      18,
	fynetheme.SizeNameInputRadius:     6,
	fynetheme.SizeNameSelectionRadius: 5,
	fynetheme.SizeNameScrollBar:       12,
	fynetheme.SizeNameScrollBarSmall:  5,
	fynetheme.SizeNameScrollBarRadius: 3,
	fynetheme.SizeNameInputBorder:     1,
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func rgba(v uint32, a uint8) color.NRGBA {
	c := rgb(v)
	c.A = a
	return c
}

type palette map[fyne.ThemeColorName]color.NRGBA

var light = palette{
	fynetheme.ColorNameBackground:          rgb(0xffffff),
	fynetheme.ColorNameButton:              rgb(0xeceff3),
	fynetheme.ColorNameDisabledButton:      rgb(0xf1f3f6),
	fynetheme.ColorNameDisabled:            rgb(0x9aa3ad),
	fynetheme.ColorNameError:               rgb(0xc3222f),
	fynetheme.ColorNameFocus:               rgba(0x1f66d0, 0x55),
	fynetheme.ColorNameForeground:          rgb(0x1d2228),
	fynetheme.ColorNameForegroundOnError:   rgb(0xffffff),
	fynetheme.ColorNameForegroundOnPrimary: rgb(0xffffff),
	fynetheme.ColorNameForegroundOnSuccess: rgb(0xffffff),
	fynetheme.ColorNameForegroundOnWarning: rgb(0x1d2228),
	fynetheme.ColorNameHeaderBackground:    rgb(0xf5f6f8),
	fynetheme.ColorNameHover:               rgba(0x0b2a55, 0x10),
	fynetheme.ColorNameHyperlink:           rgb(0x1f66d0),
	fynetheme.ColorNameInputBackground:     rgb(0xf3f5f8),
	fynetheme.ColorNameInputBorder:         rgb(0xe3e7ec),
	fynetheme.ColorNameMenuBackground:      rgb(0xffffff),
	fynetheme.ColorNameOverlayBackground:   rgb(0xffffff),
	fynetheme.ColorNamePlaceHolder:         rgb(0x66707b),
	fynetheme.ColorNamePressed:             rgba(0x0b2a55, 0x22),
	fynetheme.ColorNamePrimary:             rgb(0x1f66d0),
	fynetheme.ColorNameScrollBar:           rgba(0x1d2228, 0x66),
	fynetheme.ColorNameScrollBarBackground: rgba(0x1d2228, 0x0c),
	fynetheme.ColorNameSelection:           rgb(0xcfe1fb),
	fynetheme.ColorNameSeparator:           rgb(0xe2e6eb),
	fynetheme.ColorNameShadow:              rgba(0x0a1420, 0x38),
	fynetheme.ColorNameSuccess:             rgb(0x1b7a3a),
	fynetheme.ColorNameWarning:             rgb(0x955f00),

	Sidebar:      rgb(0xf5f6f8),
	Secondary:    rgb(0x5a6470),
	Track:        rgb(0xdfe4ea),
	Selected:     rgb(0xd3e4fd),
	SelectedIdle: rgb(0xe4e8ee),
	Card:         rgb(0xf5f6f8),
}

var dark = palette{
	fynetheme.ColorNameBackground:          rgb(0x1d2126),
	fynetheme.ColorNameButton:              rgb(0x2e343c),
	fynetheme.ColorNameDisabledButton:      rgb(0x282d34),
	fynetheme.ColorNameDisabled:            rgb(0x69727d),
	fynetheme.ColorNameError:               rgb(0xff8178),
	fynetheme.ColorNameFocus:               rgba(0x6aa5ff, 0x66),
	fynetheme.ColorNameForeground:          rgb(0xe7ebf0),
	fynetheme.ColorNameForegroundOnError:   rgb(0x1d2126),
	fynetheme.ColorNameForegroundOnPrimary: rgb(0x0d1520),
	fynetheme.ColorNameForegroundOnSuccess: rgb(0x0d1520),
	fynetheme.ColorNameForegroundOnWarning: rgb(0x0d1520),
	fynetheme.ColorNameHeaderBackground:    rgb(0x181b1f),
	fynetheme.ColorNameHover:               rgba(0xd5e4ff, 0x12),
	fynetheme.ColorNameHyperlink:           rgb(0x6aa5ff),
	fynetheme.ColorNameInputBackground:     rgb(0x262b32),
	fynetheme.ColorNameInputBorder:         rgb(0x333a43),
	fynetheme.ColorNameMenuBackground:      rgb(0x282d34),
	fynetheme.ColorNameOverlayBackground:   rgb(0x242930),
	fynetheme.ColorNamePlaceHolder:         rgb(0x98a2ae),
	fynetheme.ColorNamePressed:             rgba(0xd5e4ff, 0x26),
	fynetheme.ColorNamePrimary:             rgb(0x6aa5ff),
	fynetheme.ColorNameScrollBar:           rgba(0xe7ebf0, 0x66),
	fynetheme.ColorNameScrollBarBackground: rgba(0xe7ebf0, 0x0c),
	fynetheme.ColorNameSelection:           rgb(0x2c4a75),
	fynetheme.ColorNameSeparator:           rgb(0x333a43),
	fynetheme.ColorNameShadow:              rgba(0x000000, 0x78),
	fynetheme.ColorNameSuccess:             rgb(0x58c97b),
	fynetheme.ColorNameWarning:             rgb(0xe5b454),

	Sidebar:      rgb(0x181b1f),
	Secondary:    rgb(0x9fa9b5),
	Track:        rgb(0x363d47),
	Selected:     rgb(0x253c61),
	SelectedIdle: rgb(0x30363f),
	Card:         rgb(0x1d2126),
}
