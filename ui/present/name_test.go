package present

import "testing"

func TestName(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain.txt", "plain.txt"},
		{"日本語 🎉", "日本語 🎉"},
		{"family 👨‍👩‍👧", "family 👨‍👩‍👧"},
		{"new\nline\ttab\r", `new\nline\ttab\r`},
		{"bell\x07", `bell\x07`},
		{"\xff\xfe.txt", `\xFF\xFE.txt`},
		{"na\xefve", `na\xEFve`},
		{"inv\u202etxt.exe", `inv\u202Etxt.exe`},
		{"\ufeffbom", `\uFEFFbom`},
		{"", ""},
	} {
		if got := Name(c.in); got != c.want {
			t.Errorf("Name(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct{ path, home, want string }{
		{"/home/a", "/home/a", "~"},
		{"/home/a/b", "/home/a", "~/b"},
		{"/home/ab", "/home/a", "/home/ab"},
		{"/x", "", "/x"},
		{"/x", "/", "/x"},
	} {
		if got := Place(c.path, c.home); got != c.want {
			t.Errorf("Place(%q, %q) = %q, want %q", c.path, c.home, got, c.want)
		}
	}
}
