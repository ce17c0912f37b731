package present

import (
	"fmt"
	"strings"
	"time"
)

// Size writes a number of bytes with two digits that matter and a decimal unit, as disks are sold and other file
// managers count: "1.2 MB".
func Size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d\u00a0B", max(n, 0))
	}
	v, unit := float64(n), -1
	for ; v >= 999.5; v /= 1000 { // from there on it would be written as 1000
		unit++
	}
	decimals := 0
	if v < 9.95 { // from there on it has two digits without any
		decimals = 1
	}
	s := fmt.Sprintf("%.*f\u00a0%cB", decimals, v, "kMGTPE"[unit])
	if Language() == "de" {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

// ExactSize is Size with the number of bytes behind it, for where two sizes are compared.
func ExactSize(n int64) string {
	if n < 1000 {
		return T("window.bytes", "Count", n)
	}
	return Size(n) + " (" + T("window.bytes", "Count", n) + ")"
}

// Rate writes a speed in bytes a second.
func Rate(perSecond float64) string {
	if perSecond < 1 {
		return ""
	}
	return Size(int64(perSecond)) + "/s"
}

// Clock writes a duration as a clock does: 0:07, 12:30, 3:05:00.
func Clock(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	if s < 0 {
		s = 0
	}
	var b []byte
	if s >= 3600 {
		b = appendInt(b, s/3600, 1)
		b = append(b, ':')
		b = appendInt(b, s/60%60, 2)
	} else {
		b = appendInt(b, s/60, 1)
	}
	b = append(b, ':')
	b = appendInt(b, s%60, 2)
	return string(b)
}

func appendInt(b []byte, n int64, width int) []byte {
	var digits [20]byte
	i := len(digits)
	for n > 0 || width > 0 {
		i--
		digits[i] = byte('0' + n%10)
		n /= 10
		width--
	}
	return append(b, digits[i:]...)
}

// When writes a moment of the past: the day by name if it was today or yesterday, else the date in the order that all
// our languages understand and that sorts by itself.
func When(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	switch {
	case t.After(now.Add(time.Minute)):
		return t.Format("2006-01-02 15:04")
	case !t.Before(midnight):
		return T("window.today", "Time", t.Format("15:04"))
	case !t.Before(midnight.AddDate(0, 0, -1)):
		return T("window.yesterday", "Time", t.Format("15:04"))
	}
	return t.Format("2006-01-02 15:04")
}
