package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"drover/engine/place"
	"drover/ui/present"
)

// places reads the SOURCE… DEST of a command line. A source "-" stands for the names on in, each ended by a NUL; they
// are paths, never URIs, because find and git write paths.
func places(args []string, in io.Reader) (sources []string, dest string, err error) {
	last := len(args) - 1
	if dest, err = parsePlace(args[last]); err != nil {
		return nil, "", err
	}
	read := false
	for _, arg := range args[:last] {
		if arg != "-" {
			p, err := parsePlace(arg)
			if err != nil {
				return nil, "", err
			}
			sources = append(sources, p)
			continue
		}
		if read {
			return nil, "", usage("cli.stdin_twice")
		}
		read = true
		if sources, err = appendNames(sources, in); err != nil {
			return nil, "", err
		}
	}
	return sources, dest, nil
}

// appendNames appends the NUL-ended names in r. The last one may lack its NUL.
func appendNames(names []string, r io.Reader) ([]string, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	seen := false
	for {
		name, err := br.ReadBytes(0)
		if err == nil {
			seen = true
			name = name[:len(name)-1]
		}
		if !seen && bytes.IndexByte(name, '\n') >= 0 {
			return nil, usage("cli.stdin_lines") // from find without -print0, or ls
		}
		if len(name) > 0 {
			names = append(names, string(name))
		}
		switch {
		case errors.Is(err, io.EOF):
			return names, nil
		case err != nil:
			return nil, usage("cli.stdin_failed", "Error", present.Name(err.Error()))
		}
	}
}

// parsePlace makes a path of this machine of what a person may write for a place. What is relative stays so: the way to
// the working directory may be too long, or not be there any more.
func parsePlace(arg string) (string, error) {
	if arg == "" {
		return "", usage("cli.empty_place")
	}
	p, err := place.Parse(arg, "")
	if err != nil {
		return "", badPlace(arg, err)
	}
	path, err := p.Local()
	if err != nil {
		return "", badPlace(arg, err)
	}
	return path, nil
}

func badPlace(arg string, err error) error {
	return usage("cli.bad_place", "Name", present.Name(arg), "Error", adviseLine(err))
}

// fileURI writes a path so that every byte of it survives in JSON; no path stays empty.
func fileURI(path string) string {
	if path == "" {
		return ""
	}
	return place.FileURI(path)
}
