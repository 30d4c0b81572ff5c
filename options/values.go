package options

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"lbsim/internal/nearest"
)

// ParseDuration reads a length of time as a user writes it: "200us", "1.5s", "1h30m". It is never
// negative.
func ParseDuration(text string) (time.Duration, error) {
	number, err := strconv.ParseFloat(text, 64)
	if err == nil && math.Abs(number) <= math.MaxFloat64 && text != "0" {
		return 0, fmt.Errorf("missing unit in %q (write for instance %sms)", text, text)
	}
	d, err := time.ParseDuration(text)
	joined := strings.Join(strings.Fields(text), "")
	switch {
	case err != nil && tooLong(text):
		return 0, fmt.Errorf("%q is too long: at most %v", text, time.Duration(math.MaxInt64))
	case err != nil && joined != text && isDuration(joined):
		return 0, fmt.Errorf("%q is no duration: write no spaces, such as %s", text, joined)
	case err != nil:
		return 0, fmt.Errorf("%q is no duration (write for instance 200us, 10ms or 1.5s)", text)
	case d < 0:
		return 0, fmt.Errorf("must not be negative (is %s)", text)
	}
	return d, nil
}

func isDuration(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

// tooLong reports whether a text that is no duration would be one with fewer digits.
func tooLong(text string) bool {
	unit := strings.TrimLeft(text, "0123456789")
	return len(unit) < len(text) && isDuration("1"+unit)
}

// DurationText returns a length of time as a user would write it: 1m and 200us, not 1m0s and 200µs.
func DurationText(d time.Duration) string {
	s := strings.Replace(d.String(), "µ", "u", 1)
	for _, zero := range []string{"0s", "0m"} {
		rest := strings.TrimSuffix(s, zero)
		if strings.HasSuffix(rest, "h") || strings.HasSuffix(rest, "m") {
			s = rest
		}
	}
	return s
}

// Rate is a number of events per second. A user writes it with its unit: "4000/s", "2.5/ms",
// "90/m". What is read is greater than 0.
type Rate float64

// UnmarshalText reads a rate.
func (r *Rate) UnmarshalText(text []byte) error {
	number, unit, found := strings.Cut(string(text), "/")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return fmt.Errorf("%q is no rate (write for instance 4000/s)%s",
			text, rateHint(number, unit))
	}
	if !found {
		return fmt.Errorf("missing unit in %q (write for instance %s/s)", text, text)
	}
	switch unit {
	case "us":
		v *= 1e6
	case "ms":
		v *= 1e3
	case "s":
	case "m":
		v /= 60
	case "h":
		v /= 3600
	default:
		return fmt.Errorf("unknown unit %q in %q (have us, ms, s, m, h)", unit, text)
	}
	switch {
	case !(v > 0):
		return fmt.Errorf("must be greater than 0/s (is %s)", text)
	case v > math.MaxFloat64:
		return fmt.Errorf("%s is too high", text)
	}
	*r = Rate(v)
	return nil
}

// rateHint returns how a rate is written that stands as 100rps, 6k/s or 1M/s elsewhere.
func rateHint(text, unit string) string {
	text = strings.TrimSpace(text)
	number := strings.TrimRight(text, "kKMrpsqt ")
	v, err := strconv.ParseFloat(number, 64)
	letters := strings.TrimSpace(text[len(number):])
	switch {
	case strings.HasPrefix(letters, "k"), strings.HasPrefix(letters, "K"):
		v *= 1e3
	case strings.HasPrefix(letters, "M"):
		v *= 1e6
	}
	if err != nil || !(v > 0 && v <= math.MaxFloat64) {
		return ""
	}
	if unit == "" {
		unit = "s"
	}
	return fmt.Sprintf("; did you mean %s/%s?", strconv.FormatFloat(v, 'f', -1, 64), unit)
}

// MarshalText writes the rate so that it reads back.
func (r Rate) MarshalText() ([]byte, error) {
	return []byte(strconv.FormatFloat(float64(r), 'g', -1, 64) + "/s"), nil
}

// Word returns the index of a text among words. An error lists the words and begins with "unknown"
// and the noun for them.
func Word(noun string, text []byte, words []string) (int, error) {
	i := slices.Index(words, string(text))
	if i < 0 {
		return 0, fmt.Errorf("unknown %s %q%s", noun, text, nearest.Hint(string(text), words))
	}
	return i, nil
}

// Quote writes a text as TOML does, which does not have all escapes of Go.
func Quote(text string) string {
	var q strings.Builder
	q.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			q.WriteByte('\\')
			q.WriteRune(r)
		case r == '\n':
			q.WriteString(`\n`)
		case r == '\t':
			q.WriteString(`\t`)
		case r == '\r':
			q.WriteString(`\r`)
		case unicode.IsPrint(r):
			q.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&q, `\U%08X`, r)
		default:
			fmt.Fprintf(&q, `\u%04X`, r)
		}
	}
	q.WriteByte('"')
	return q.String()
}
