package engine

import (
	"testing"

	"drover/engine/internal/sys"
)

func at(sec, nsec, size int64) *sys.Stat {
	return &sys.Stat{Size: size, Mtime: sys.Time{Sec: sec, Nsec: nsec}}
}

func TestIsNewer(t *testing.T) {
	tests := []struct {
		name     string
		own, old *sys.Stat
		want     bool
	}{
		{"later", at(20, 0, 5), at(10, 0, 5), true},
		{"earlier", at(10, 0, 5), at(20, 0, 5), false},
		{"same to the nanosecond", at(11, 123, 5), at(11, 123, 5), false},
		{"later by a nanosecond", at(11, 124, 5), at(11, 123, 5), true},
		{"kept to 100 ns", at(11, 123456789, 5), at(11, 123456700, 5), false},
		{"kept to 100 ns, another size", at(11, 123456789, 6), at(11, 123456700, 5), true},
		{"kept to the second", at(11, 999999999, 5), at(11, 0, 5), false},
		{"kept to two seconds", at(11, 500, 5), at(10, 0, 5), false},
		{"two seconds later", at(12, 0, 5), at(10, 0, 5), true},
		{"kept to the second, a second later", at(12, 0, 5), at(11, 0, 5), true},
	}
	for _, tt := range tests {
		if got := isNewer(tt.own, tt.old); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestIsHourOff(t *testing.T) {
	tests := []struct {
		name     string
		own, old *sys.Stat
		want     bool
	}{
		{"an hour", at(3610, 0, 5), at(10, 0, 5), true},
		{"an hour, kept to two seconds", at(3611, 999999999, 5), at(10, 0, 5), true},
		{"two seconds more", at(3612, 0, 5), at(10, 0, 5), false},
		{"two seconds less", at(3609, 0, 5), at(10, 0, 5), false},
		{"an hour earlier", at(10, 0, 5), at(3610, 0, 5), false},
		{"another size", at(3610, 0, 6), at(10, 0, 5), false},
		{"an odd second, which FAT does not have", at(3611, 0, 5), at(11, 0, 5), false},
		{"a fraction, which FAT does not have", at(3610, 1, 5), at(10, 1, 5), false},
		{"the same", at(10, 0, 5), at(10, 0, 5), false},
	}
	for _, tt := range tests {
		if got := isHourOff(tt.own, tt.old); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
