package models

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a length of time as a user writes it: "200us", "1.5s", "1h30m". Never negative.
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	s := string(text)
	number, err := strconv.ParseFloat(s, 64)
	if err == nil && math.Abs(number) <= math.MaxFloat64 && s != "0" {
		return fmt.Errorf("missing unit in %q (write for instance %sms)", s, s)
	}
	v, err := time.ParseDuration(s)
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "time: invalid duration") && overflows(s):
		return fmt.Errorf("%q is too long: at most %v", s, time.Duration(math.MaxInt64))
	case err != nil && strings.Join(strings.Fields(s), "") != s:
		return fmt.Errorf("%q is no duration: write no spaces, such as %s",
			s, strings.Join(strings.Fields(s), ""))
	case err != nil:
		return fmt.Errorf("%q is no duration (write for instance 200us, 10ms or 1.5s)", s)
	case v < 0:
		return fmt.Errorf("must not be negative (is %s)", s)
	}
	*d = Duration(v)
	return nil
}

// overflows reports whether a text that is no duration would be one with fewer digits.
func overflows(s string) bool {
	digits := 0
	for digits < len(s) && '0' <= s[digits] && s[digits] <= '9' {
		digits++
	}
	_, err := time.ParseDuration("1" + s[digits:])
	return digits > 0 && err == nil
}

// String returns the duration as a user would write it: 1m and 200us, not 1m0s and 200µs.
func (d Duration) String() string {
	s := strings.Replace(time.Duration(d).String(), "µ", "u", 1)
	for _, zero := range []string{"0s", "0m"} {
		rest := strings.TrimSuffix(s, zero)
		if strings.HasSuffix(rest, "h") || strings.HasSuffix(rest, "m") {
			s = rest
		}
	}
	return s
}

// MarshalText writes the duration so that it reads back.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Rate is a number of events per second as a user writes it: "4000/s", "2.5/ms", "90/m". Positive.
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

// rateHint says how a rate is written that stands as 100rps, 6k/s or 1M/s elsewhere.
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
