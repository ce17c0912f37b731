package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/driver"
)

// TestWindowClass: desktops find the desktop entry of the window.
func TestWindowClass(t *testing.T) {
	needWindow(t)
	xprop, err := exec.LookPath("xprop")
	if err != nil {
		t.Skip("needs xprop")
	}
	entry, err := os.ReadFile(filepath.Join("..", "packaging", id+".desktop"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(entry), "\nStartupWMClass=")
	class, _, _ := strings.Cut(rest, "\n")
	var window uintptr
	onMain(t, func() {
		native, ok := live.Fyne().(driver.NativeWindow)
		if !ok {
			t.Error("not a window of the system")
			return
		}
		native.RunNative(func(c any) {
			if x, ok := c.(driver.X11WindowContext); ok {
				window = x.WindowHandle
			}
		})
	})
	out, err := exec.Command(xprop, "-id", fmt.Sprint(window), "WM_CLASS", "_NET_WM_NAME").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := string(out); class == "" || !strings.Contains(got, `, "`+class+`"`) || !strings.Contains(got, `"Drover – `) {
		t.Errorf("the desktop entry says %q; the window says %s", class, got)
	}
}
