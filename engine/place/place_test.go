package place

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func remote(user, host string, port int, path string) Place {
	return Place{Path: path, Remote: true, Host: host, User: user, Port: port}
}

func local(path string) Place { return Place{Path: path} }

func TestParse(t *testing.T) {
	cwd := t.TempDir()
	for _, f := range []string{"is:here", "http:", "wow: a title"} {
		if err := os.Mkdir(cwd+"/"+f, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]Place{
		// paths
		"/a/b":            local("/a/b"),
		"a":               local(cwd + "/a"),
		"./a":             local(cwd + "/./a"),
		"../a":            local(cwd + "/../a"),
		".":               local(cwd + "/."),
		"a/.":             local(cwd + "/a/."),
		"/a/.":            local("/a/."),
		"/a/../b//c/":     local("/a/../b//c/"),
		"~/a":             local(cwd + "/~/a"),
		"\xff\n \t":       local(cwd + "/\xff\n \t"),
		"%41":             local(cwd + "/%41"),
		"./a:b":           local(cwd + "/./a:b"),
		"/x:y":            local("/x:y"),
		"d/a:b":           local(cwd + "/d/a:b"),
		":a":              local(cwd + "/:a"),
		"is:here":         local(cwd + "/is:here"),
		"is:here/new":     local(cwd + "/is:here/new"),
		"wow: a title":    local(cwd + "/wow: a title"),
		"http://x":        local(cwd + "/http://x"),
		"no host: here":   local(cwd + "/no host: here"),
		"-oProxy=x:/a":    local(cwd + "/-oProxy=x:/a"),
		"-l@host:/a":      local(cwd + "/-l@host:/a"),
		"\u00dcber:a":     local(cwd + "/\u00dcber:a"),
		"[a:b":            local(cwd + "/[a:b"),
		"[x]:b":           local(cwd + "/[x]:b"),
		"fi le:///a":      local(cwd + "/fi le:///a"),
		"@host:a":         local(cwd + "/@host:a"),
		"\xffile:///a%20": local(cwd + "/\xffile:///a%20"),

		// file URIs
		"file:///a/b":                     local("/a/b"),
		"file:/x":                         local("/x"),
		"FILE:///x":                       local("/x"),
		"file://localhost/a":              local("/a"),
		"file://LocalHost/a":              local("/a"),
		"file://" + host + "/a":           local("/a"),
		"file:///a%20b%25%7B%60%E2%82%AC": local("/a b%{`\u20ac"),
		"file:///%FF%fe%0a":               local("/\xff\xfe\n"),
		"file:///a%2Fb":                   local("/a/b"),
		"file:///a/.":                     local("/a/."),
		"file:///a?b#c":                   local("/a?b#c"),
		"file:////a":                      local("//a"),
		"file:///":                        local("/"),

		// other machines
		"nas:":                       remote("", "nas", 0, ""),
		"nas:/backup":                remote("", "nas", 0, "/backup"),
		"nas:backup/x:y":             remote("", "nas", 0, "backup/x:y"),
		"nas:\xff%20":                remote("", "nas", 0, "\xff%20"),
		"me@nas.local:a b":           remote("me", "nas.local", 0, "a b"),
		"nas:a@b":                    remote("", "nas", 0, "a@b"),
		"10.0.0.1:/a":                remote("", "10.0.0.1", 0, "/a"),
		"[fe80::1%eth0]:/a":          remote("", "fe80::1%eth0", 0, "/a"),
		"me@[::1]:a":                 remote("me", "::1", 0, "a"),
		"file:x":                     remote("", "file", 0, "x"),
		"ssh://nas":                  remote("", "nas", 0, ""),
		"ssh://nas/":                 remote("", "nas", 0, "/"),
		"ssh://me@nas:2222/a%20b%FF": remote("me", "nas", 2222, "/a b\xff"),
		"SSH://nas/a/.":              remote("", "nas", 0, "/a/."),
		"sftp://nas:22/~/a":          remote("", "nas", 22, "a"),
		"ssh://[::1]:22/a":           remote("", "::1", 22, "/a"),
		"ssh://[::1]/a":              remote("", "::1", 0, "/a"),
		"ssh://nas:/a":               remote("", "nas", 0, "/a"),
	} {
		got, err := Parse(arg, cwd)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", arg, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for arg, want := range map[string]error{
		"":                    ErrMalformed,
		"a\x00b":              ErrMalformed,
		"file:///a%00b":       ErrMalformed,
		"file:///a%zz":        ErrMalformed,
		"file:///a%4":         ErrMalformed,
		"file:///a%":          ErrMalformed,
		"file://":             ErrMalformed,
		"file://localhost":    ErrMalformed,
		"file://elsewhere/a":  ErrRemote,
		"http://x/a":          ErrScheme,
		"smb://x/a":           ErrScheme,
		"ssh://":              ErrMalformed,
		"ssh:///a":            ErrMalformed,
		"ssh://me:pw@nas/a":   ErrMalformed,
		"ssh://nas:0/a":       ErrMalformed,
		"ssh://nas:65536/a":   ErrMalformed,
		"ssh://nas:x/a":       ErrMalformed,
		"ssh://-oProxy=x/a":   ErrMalformed,
		"ssh://-l@nas/a":      ErrMalformed,
		"ssh://%2Dl@nas/a":    ErrMalformed,
		"ssh://na s/a":        ErrMalformed,
		"ssh://nas/a%zz":      ErrMalformed,
		"ssh://[::1/a":        ErrMalformed,
		"ssh://[::1]22/a":     ErrMalformed,
		"ssh://@nas/a":        ErrMalformed,
		"ssh://nas%2Felse/..": ErrMalformed,
	} {
		if got, err := Parse(arg, "/nowhere"); !errors.Is(err, want) {
			t.Errorf("Parse(%q) = %+v, %v, want %v", arg, got, err, want)
		}
	}
}

func TestLocal(t *testing.T) {
	if p, err := local("/a").Local(); p != "/a" || err != nil {
		t.Errorf("got %q, %v", p, err)
	}
	if p, err := remote("", "nas", 0, "/a").Local(); p != "" || !errors.Is(err, ErrRemote) {
		t.Errorf("got %q, %v", p, err)
	}
}

func TestStringIsUnderstood(t *testing.T) {
	for _, p := range []Place{
		local("/a b\xff"), remote("", "nas", 0, ""), remote("me", "nas", 0, "a b"), remote("me", "::1", 0, "/x"),
		remote("", "nas", 22, ""), remote("me", "nas", 22, "/a%\xff"), remote("", "::1", 22, "in/home"),
		remote("", "file", 0, "/a"), remote("", "file", 0, "a"), remote("", "nas", 0, "//a"), remote("", "ssh", 0, "//"), remote("", "nas", 22, "/~/a"), remote("", "nas", 22, "~/a"),
	} {
		if got, err := Parse(p.String(), "/nowhere"); err != nil || got != p {
			t.Errorf("%q became %+v, %v, want %+v", p, got, err, p)
		}
	}
}

func TestParseURIList(t *testing.T) {
	list := "# two comments\r\n#file:///no\r\n" +
		"file:///t/%7Ba%7D%60\r\n" +
		"file:///t/%25%E2%82%AC\n" +
		"\r\n" +
		"file://localhost/t/%FF \r\n" +
		"file:/x\n" +
		"/plain %41\xff \r\n" +
		"sftp://nas/a\n" +
		"file:///last\x00"
	want := []Place{
		local("/t/{a}`"), local("/t/%\u20ac"), local("/t/\xff"), local("/x"), local("/plain %41\xff "),
		remote("", "nas", 0, "/a"), local("/last"),
	}
	got, err := ParseURIList([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestParseURIListTellsOfBadLines(t *testing.T) {
	got, err := ParseURIList([]byte("file:///a\r\nsmb://nas/b\r\nhello\r\nfile:///%zz\r\nnas:c\r\n/a\x00b\r\nfile:///d"))
	if len(got) != 2 || got[0] != local("/a") || got[1] != local("/d") {
		t.Errorf("got %+v", got)
	}
	if !errors.Is(err, ErrScheme) || !errors.Is(err, ErrMalformed) {
		t.Errorf("got %v", err)
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 5 {
		t.Errorf("%d errors, want 5:\n%v", n, err)
	}
	if got, err := ParseURIList(nil); len(got) != 0 || err != nil {
		t.Errorf("nothing: got %v, %v", got, err)
	}
}

func FuzzFileURI(f *testing.F) {
	for _, s := range []string{"/", "/a b", "/\xff\n%41?#", "//x/../.", "/\u20ac{}`|\\^\"<>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		path = "/" + strings.ReplaceAll(path, "\x00", "")
		uri := FileURI(path)
		for i := range len(uri) {
			if c := uri[i]; c <= ' ' || c >= 0x7f {
				t.Fatalf("%q: byte %#x in a URI", uri, c)
			}
		}
		if p, err := Parse(uri, "/nowhere"); err != nil || p != local(path) {
			t.Fatalf("%q became %q and then %+v, %v", path, uri, p, err)
		}
		if l, err := ParseURIList([]byte(uri + "\r\n")); err != nil || len(l) != 1 || l[0] != local(path) {
			t.Fatalf("%q in a list became %+v, %v", uri, l, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a", "nas:/x", "ssh://me@[::1]:22/a%20", "file:///%", "[a]:b", "a@b@c:d", "file:", "ssh://@:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		p, err := Parse(arg, "/nowhere")
		if (err == nil) == (p == Place{}) {
			t.Fatalf("%q: %+v, %v", arg, p, err)
		}
		if err != nil {
			return
		}
		if !p.Remote {
			if !strings.HasPrefix(p.Path, "/") || strings.Contains(p.Path, "\x00") {
				t.Fatalf("%q: %+v", arg, p)
			}
			return
		}
		if p.Host == "" || strings.HasPrefix(p.Host, "-") || strings.HasPrefix(p.User, "-") {
			t.Fatalf("%q: %+v", arg, p) // ssh would take it for an option
		}
		if q, err := Parse(p.String(), "/nowhere"); err != nil || q != p {
			t.Fatalf("%q: %+v is written as %q and that is %+v, %v", arg, p, p, q, err)
		}
	})
}

func FuzzParseURIList(f *testing.F) {
	f.Add([]byte("file:///a\r\n#x\n/b\x00"))
	f.Fuzz(func(t *testing.T, list []byte) {
		places, _ := ParseURIList(list)
		for _, p := range places {
			if !p.Remote && (!strings.HasPrefix(p.Path, "/") || strings.Contains(p.Path, "\x00")) {
				t.Fatalf("%+v", p)
			}
		}
	})
}
