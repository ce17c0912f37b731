package transfers

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"drover/ui/present"
	"drover/ui/theme"
)

func TestRowsGoByID(t *testing.T) {
	test.NewTempApp(t)
	present.SetLanguage("en")
	fyne.CurrentApp().Settings().SetTheme(theme.New(theme.Light))
	var paused, cleared []string
	heights := 0
	l := New(Actions{
		Pause: func(id string) { paused = append(paused, id) },
		Clear: func(id string) { cleared = append(cleared, id) },
	})
	l.OnHeight = func() { heights++ }
	w := test.NewTempWindow(t, l.Object())
	w.Resize(fyne.NewSize(800, 300))
	run := present.Transfer{ID: "a", Title: "a", CanPause: true, CanCancel: true}
	l.Show([]present.Transfer{run})
	row := l.rows["a"]
	one := l.Height()
	if one == 0 || heights != 1 {
		t.Errorf("height %v, told %d times", one, heights)
	}
	run.Percent, run.Fraction = "50 %", 0.5
	l.Show([]present.Transfer{run})
	if heights != 1 {
		t.Error("a new percentage is not a new height")
	}
	l.Show([]present.Transfer{{ID: "b", Title: "b", CanPause: true}, run})
	if l.rows["a"] != row {
		t.Error("the row of a job was made anew because another came")
	}
	row.OnPause()
	l.Show([]present.Transfer{{ID: "a", Title: "a", Ended: true, CanClear: true}})
	if l.Height() >= one {
		t.Error("a row that has ended is as high as one that runs")
	}
	l.rows["a"].OnClear()
	if len(paused) != 1 || paused[0] != "a" || len(cleared) != 1 || cleared[0] != "a" {
		t.Errorf("paused %q, cleared %q", paused, cleared)
	}
	l.Show(nil)
	if l.Height() != 0 {
		t.Errorf("height %v without rows", l.Height())
	}
}
