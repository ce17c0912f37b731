package theme

import (
	"image/color"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// TestShortcutsInMenusCanBeRead asks the toolkit's menu which colour it makes of the theme's.
func TestShortcutsInMenusCanBeRead(t *testing.T) {
	test.NewTempApp(t)
	for choice, p := range map[Choice]palette{Light: light, Dark: dark} {
		fyne.CurrentApp().Settings().SetTheme(New(choice))
		item := fyne.NewMenuItem("Reload", nil)
		item.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyR, Modifier: fyne.KeyModifierControl}
		w := test.NewTempWindow(t, canvas.NewRectangle(nil))
		w.Resize(fyne.NewSize(300, 300))
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", item), w.Canvas(), fyne.NewPos(0, 0))
		seen := 0
		for _, o := range test.LaidOutObjects(w.Canvas().Overlays().Top()) {
			text, ok := o.(*canvas.Text)
			if !ok {
				continue
			}
			seen++
			back := p[fynetheme.ColorNameMenuBackground]
			c := color.NRGBAModel.Convert(text.Color).(color.NRGBA)
			over := func(fg, bg uint8) uint8 { return uint8((int(fg)*int(c.A) + int(bg)*(255-int(c.A))) / 255) }
			drawn := color.NRGBA{R: over(c.R, back.R), G: over(c.G, back.G), B: over(c.B, back.B), A: 0xff}
			if k := contrast(drawn, back); k < 4.5 {
				t.Errorf("%s: %q has a contrast of %.2f", choice, text.Text, k)
			}
			want := p[fynetheme.ColorNameForeground]
			if strings.Contains(text.Text, "Reload") && (drawn.R != want.R || drawn.G != want.G || drawn.B != want.B) {
				t.Errorf("%s: text is drawn in %v, not %v", choice, drawn, want)
			}
		}
		if seen < 2 {
			t.Errorf("%s: %d texts in the menu", choice, seen)
		}
	}
}
