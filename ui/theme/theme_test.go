package theme

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// luminance and contrast are those of WCAG 2.
func luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestTextCanBeRead(t *testing.T) {
	backgrounds := []fyne.ThemeColorName{
		fynetheme.ColorNameBackground, Sidebar, Card, Selected, SelectedIdle, fynetheme.ColorNameOverlayBackground,
		fynetheme.ColorNameMenuBackground, fynetheme.ColorNameInputBackground, fynetheme.ColorNameButton,
	}
	plain := []fyne.ThemeColorName{fynetheme.ColorNameBackground, Sidebar, Card, fynetheme.ColorNameOverlayBackground}
	for name, p := range map[string]palette{"light": light, "dark": dark} {
		check := func(fg, bg fyne.ThemeColorName) {
			t.Helper()
			if c := contrast(p[fg], p[bg]); c < 4.5 {
				t.Errorf("%s: %s on %s has a contrast of %.2f", name, fg, bg, c)
			}
		}
		for _, bg := range backgrounds {
			check(fynetheme.ColorNameForeground, bg)
			check(Secondary, bg)
		}
		for _, bg := range plain {
			check(fynetheme.ColorNameError, bg)
			check(fynetheme.ColorNameWarning, bg)
			check(fynetheme.ColorNameSuccess, bg)
			check(fynetheme.ColorNamePrimary, bg)
		}
		check(fynetheme.ColorNamePlaceHolder, fynetheme.ColorNameInputBackground)
		check(fynetheme.ColorNameForegroundOnPrimary, fynetheme.ColorNamePrimary)
		check(fynetheme.ColorNameError, fynetheme.ColorNameButton)
	}
}

func TestBothVariantsNameTheSameColours(t *testing.T) {
	for name := range light {
		if _, ok := dark[name]; !ok {
			t.Errorf("dark has no %s", name)
		}
	}
	if len(light) != len(dark) {
		t.Error("dark has colours that light has not")
	}
}

func TestChoice(t *testing.T) {
	for _, c := range []struct {
		choice  Choice
		variant fyne.ThemeVariant
		want    palette
	}{
		{System, fynetheme.VariantLight, light},
		{System, fynetheme.VariantDark, dark},
		{Light, fynetheme.VariantDark, light},
		{Dark, fynetheme.VariantLight, dark},
		{"odd", fynetheme.VariantDark, dark},
	} {
		if got := New(c.choice).Color(Sidebar, c.variant); got != c.want[Sidebar] {
			t.Errorf("%s: %v", c.choice, got)
		}
	}
}
