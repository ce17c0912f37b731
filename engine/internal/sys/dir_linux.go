package sys

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Dirent is one name in a folder. Kind is 0 where the file system does not tell it here.
type Dirent struct {
	Name Name
	Kind Kind
}

// ReadDir appends the next names of the folder to out, as many as fit into buf at once; none at the end. "." and ".." are left out.
// The names share one piece of memory per call, so that a folder of a million costs few allocations.
func ReadDir(fd int, buf []byte, out []Dirent) ([]Dirent, bool, error) {
	var n int
	for {
		r, _, e := unix.Syscall(unix.SYS_GETDENTS64, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)))
		if e == unix.EINTR {
			continue
		}
		if e != 0 {
			return out, false, e
		}
		n = int(r)
		break
	}
	if n == 0 {
		return out, false, nil
	}
	return parseDirents(buf[:n], out), true, nil
}

// A record is: inode 8, offset 8, length 2, type 1, name with NUL and padding.
func parseDirents(rec []byte, out []Dirent) []Dirent {
	all := make([]byte, 0, len(rec))
	type span struct{ from, to int }
	var spans [256]span
	flush := func(k int) {
		s := string(all)
		for i := range k {
			out[len(out)-k+i].Name = Name(s[spans[i].from:spans[i].to])
		}
		all = all[:0]
	}
	k := 0
	for len(rec) >= 20 {
		l := int(binary.NativeEndian.Uint16(rec[16:]))
		if l < 20 || l > len(rec) {
			break
		}
		name := rec[19:l]
		end := 0
		for end < len(name) && name[end] != 0 {
			end++
		}
		dot := end == 1 && name[0] == '.' || end == 2 && name[0] == '.' && name[1] == '.'
		if !dot && end > 0 && end < len(name) && binary.NativeEndian.Uint64(rec) != 0 {
			from := len(all)
			all = append(all, name[:end+1]...)
			spans[k] = span{from, len(all)}
			out = append(out, Dirent{Kind: Kind(uint32(rec[18]) << 12)})
			if k++; k == len(spans) {
				flush(k)
				k = 0
			}
		}
		rec = rec[l:]
	}
	flush(k)
	return out
}
