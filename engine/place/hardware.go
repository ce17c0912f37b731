package place

import (
	"os"
	"path/filepath"
	"strings"
)

// hardware is where the kernel and udev tell about block devices, below a root that is "" but in tests. They never wait for a device.
type hardware struct{ root string }

var machine = hardware{}

// device returns the path of a device file without links: "/dev/mapper/x" is "/dev/dm-0".
func (h hardware) device(path string) (string, bool) {
	path, err := filepath.EvalSymlinks(h.root + path)
	return path, err == nil
}

// number returns the number of a device in the form "8:1"; empty if it is not known.
func (h hardware) number(path string) string {
	path, ok := h.device(path)
	if !ok {
		return ""
	}
	return first(h.root+"/sys/class/block/"+filepath.Base(path), "dev")
}

// label returns what a person called the file system on a device; empty if nothing.
func (h hardware) label(path string) string {
	path, ok := h.device(path)
	if !ok {
		return ""
	}
	const labels = "/dev/disk/by-label/"
	links, err := os.ReadDir(h.root + labels)
	if err != nil {
		return "" // no udev
	}
	for _, l := range links {
		if to, ok := h.device(labels + l.Name()); ok && to == path {
			return unescapeUdev(l.Name())
		}
	}
	return ""
}

// unescapeUdev replaces \xHH, as udev writes bytes that it does not want in a file name.
func unescapeUdev(s string) string {
	if !strings.Contains(s, `\x`) {
		return s
	}
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) && s[i+1] == 'x' && hex(s[i+2]) >= 0 && hex(s[i+3]) >= 0 {
			b = append(b, byte(hex(s[i+2])<<4|hex(s[i+3])))
			i += 3
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// removable reports whether a device, or the disk that it is a part of, can be pulled out: a medium in a drive, anything on USB, a memory card.
func (h hardware) removable(number string) bool {
	if number == "" {
		return false
	}
	dir, err := filepath.EvalSymlinks(h.root + "/sys/dev/block/" + number)
	return err == nil && h.removableDisk(dir, maxStack)
}

func (h hardware) removableDisk(dir string, depth int) bool {
	if _, err := os.Stat(filepath.Join(dir, "partition")); err == nil {
		dir = filepath.Dir(dir)
	}
	if first(dir, "removable") == "1" || strings.Contains(dir, "/usb") || first(dir, "device/type") == "SD" {
		return true
	}
	// What is made of other devices (encrypted, mapped) goes when one of them goes.
	parts, err := os.ReadDir(filepath.Join(dir, "slaves"))
	if err != nil || depth == 0 {
		return false
	}
	for _, p := range parts {
		if part, err := filepath.EvalSymlinks(filepath.Join(dir, "slaves", p.Name())); err == nil && h.removableDisk(part, depth-1) {
			return true
		}
	}
	return false
}

// first returns what an attribute file of the kernel says; empty if there is none.
func first(dir, attribute string) string {
	b, err := os.ReadFile(filepath.Join(dir, attribute))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
