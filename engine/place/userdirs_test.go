package place

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestParseUserDirs(t *testing.T) {
	file := `# a comment
XDG_DESKTOP_DIR="$HOME/Schreibtisch"
  XDG_DOWNLOAD_DIR="/data/down loads/"
XDG_MUSIC_DIR="$HOME/"
XDG_PICTURES_DIR="$HOME"
XDG_VIDEOS_DIR="$HOME/a\"b\\c\$d` + "\xff" + `"
XDG_DOCUMENTS_DIR="$HOME/first"
XDG_DOCUMENTS_DIR="$HOME/second"   # the last one counts
#XDG_TEMPLATES_DIR="$HOME/Templates"
XDG_PUBLICSHARE_DIR="relative"
XDG_A_DIR=$HOME/unquoted
XDG_B_DIR="$HOMEPAGE/x"
XDG_C_DIR="$HOME/never closed
nonsense`
	want := map[string]string{
		"XDG_DESKTOP_DIR":   "/home/me/Schreibtisch",
		"XDG_DOWNLOAD_DIR":  "/data/down loads",
		"XDG_MUSIC_DIR":     "/home/me",
		"XDG_PICTURES_DIR":  "/home/me",
		"XDG_VIDEOS_DIR":    "/home/me/a\"b\\c$d\xff",
		"XDG_DOCUMENTS_DIR": "/home/me/second",
	}
	if got := parseUserDirs([]byte(file), "/home/me"); !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUserDirs(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	check := func(title string, want ...UserDir) {
		t.Helper()
		got, err := UserDirs()
		must(t, err)
		if !slices.Equal(got, append([]UserDir{{Home, home}}, want...)) {
			t.Errorf("%s: got %+v, want home and %+v", title, got, want)
		}
	}
	check("nothing there")
	for _, d := range []string{"Desktop", "Music", "Bilder", ".config"} {
		must(t, os.Mkdir(filepath.Join(home, d), 0o700))
	}
	must(t, os.WriteFile(filepath.Join(home, "Videos"), nil, 0o600)) // no folder
	must(t, os.Symlink("Bilder", filepath.Join(home, "Downloads")))
	check("without a file", UserDir{Desktop, home + "/Desktop"}, UserDir{Downloads, home + "/Downloads"}, UserDir{Music, home + "/Music"})

	must(t, os.WriteFile(home+"/.config/user-dirs.dirs", []byte(`XDG_PICTURES_DIR="$HOME/Bilder"
XDG_MUSIC_DIR="$HOME/"
XDG_DESKTOP_DIR="$HOME/missing"
XDG_TEMPLATES_DIR="$HOME/Bilder"
`), 0o600))
	check("with a file", UserDir{Downloads, home + "/Downloads"}, UserDir{Pictures, home + "/Bilder"})

	other := t.TempDir()
	must(t, os.WriteFile(other+"/user-dirs.dirs", []byte(`XDG_MUSIC_DIR="`+other+`"`), 0o600))
	t.Setenv("XDG_CONFIG_HOME", other)
	check("in another place", UserDir{Desktop, home + "/Desktop"}, UserDir{Downloads, home + "/Downloads"}, UserDir{Music, other})

	t.Setenv("HOME", "")
	if got, err := UserDirs(); err == nil {
		t.Errorf("without a home: %+v", got)
	}
}

func TestUserDirsOnADeadMount(t *testing.T) {
	home, dead := t.TempDir(), t.TempDir()
	must(t, os.Symlink(dead, home+"/Music"))
	must(t, os.Mkdir(home+"/Videos", 0o700))
	hang(t, dead)
	got := userDirsOf(home, home)
	if want := []UserDir{{Home, home}, {Videos, home + "/Videos"}}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
