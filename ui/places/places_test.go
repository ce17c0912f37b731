package places

import (
	"context"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"drover/engine/place"
	"drover/ui/present"
)

func TestSortDevices(t *testing.T) {
	all := []place.Mount{{Path: "/"}, {Path: "/data"}, {Path: "/media/a/X", Removable: true}, {Path: "/nfs", Network: true}, {Path: "/run/media/a/Y\xff", Removable: true}}
	sortDevices(all)
	var got []string
	for _, m := range all {
		got = append(got, m.Path)
	}
	if want := []string{"/", "/media/a/X", "/run/media/a/Y\xff", "/data", "/nfs"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAlike(t *testing.T) {
	m := place.Mount{Path: "/a", Total: 512000, Free: 100200}
	for _, c := range []struct {
		change func(*place.Mount)
		want   bool
	}{
		{func(*place.Mount) {}, true},
		{func(m *place.Mount) { m.Free += 10 }, true}, // nobody could see it
		{func(m *place.Mount) { m.Free += 5000 }, false},
		{func(m *place.Mount) { m.Total *= 2 }, false},
		{func(m *place.Mount) { m.NotResponding = true }, false},
		{func(m *place.Mount) { m.Name = "b" }, false},
	} {
		other := m
		c.change(&other)
		if got := alike(m, other); got != c.want {
			t.Errorf("%+v: %v", other, got)
		}
	}
}

func TestBar(t *testing.T) {
	test.NewTempApp(t)
	present.SetLanguage("en")
	b := New()
	folders := []place.UserDir{{Kind: place.Home, Path: "/home/a"}, {Kind: place.Pictures, Path: "/home/a/Bilder\xff"}}
	devices := []place.Mount{
		{Path: "/", Name: "a label", Total: 1000, Free: 250},
		{Path: "/media/a/x", Name: "STICK", Removable: true},
		{Path: "/nas", Name: "nas", Network: true, NotResponding: true},
	}
	b.Show(folders, devices)
	var opened []string
	b.OnOpen = func(dir string) { opened = append(opened, dir) }
	var labels, notes []string
	for _, r := range b.rows {
		label, note := r.Texts()
		labels, notes = append(labels, label), append(notes, note)
		r.Tapped(nil)
	}
	if want := []string{"Home", `Bilder\xFF`, "Computer", "STICK", "nas"}; !slices.Equal(labels, want) {
		t.Errorf("labels %q", labels)
	}
	if want := []string{"", "", "250\u00a0B free", "", "does not answer"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q", notes)
	}
	if want := []string{"/home/a", "/home/a/Bilder\xff", "/", "/media/a/x", "/nas"}; !slices.Equal(opened, want) {
		t.Errorf("opened %q", opened)
	}
	home := b.rows[0]
	devices[2].NotResponding = false
	b.Show(folders, devices)
	if _, note := b.rows[4].Texts(); note != "" || b.rows[0] != home {
		t.Errorf("after it answered: %q; the row is the same: %v", note, b.rows[0] == home)
	}
}

func TestFollowEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	shown := make(chan []place.Mount, 10)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Follow(ctx, func(_ []place.UserDir, devices []place.Mount) { shown <- devices })
	}()
	limit := time.After(10 * time.Second)
	select {
	case d := <-shown:
		if len(d) == 0 || d[0].Path != "/" || d[0].Total == 0 {
			t.Errorf("devices %+v", d)
		}
	case <-limit:
		t.Fatal("no places")
	}
	cancel()
	select {
	case <-ended:
	case <-limit:
		t.Fatal("it goes on")
	}
}
