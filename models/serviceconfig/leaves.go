package serviceconfig

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"lbsim/policies"
)

// maxSeconds is the most seconds of a duration (10,000 years, as in protobuf). A duration beyond
// the 292 years of a time.Duration counts as 292 years.
const maxSeconds int64 = 315_576_000_000

// readDuration reads text such as "1.5s". Unlike elsewhere null is invalid, because grpc-go reads
// it as text without an s. As in grpc-go numbers may have signs: "--1s" is a second.
func readDuration(n node, to *time.Duration) (wrong string) {
	text, seconds := strings.CutSuffix(n.string(), "s")
	if !seconds {
		return fmt.Sprintf(`must be seconds as text, such as "1.5s" (is %s)`, n)
	}
	unsigned, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(unsigned, ".")
	switch {
	case whole == "" && fraction == "":
		return fmt.Sprintf("has no digits (is %s)", n)
	case len(fraction) > 9:
		return fmt.Sprintf("has more than 9 digits after the point (is %s)", n)
	}
	s, err := parseDigits(whole)
	if err == nil && s > maxSeconds {
		return fmt.Sprintf("is longer than %d seconds (is %s)", maxSeconds, n)
	}
	nanos, errFraction := parseDigits(fraction)
	if err != nil || errFraction != nil {
		return fmt.Sprintf(`must be seconds as text, such as "1.5s" (is %s)`, n)
	}
	for range 9 - len(fraction) {
		nanos *= 10
	}
	if negative {
		s, nanos = -s, -nanos
	}
	*to = saturated(s, nanos)
	return ""
}

// parseDigits reads a number; no digits are 0.
func parseDigits(digits string) (int64, error) {
	if digits == "" {
		return 0, nil
	}
	return strconv.ParseInt(digits, 10, 64)
}

// saturated returns a sum of seconds and nanoseconds, or the nearest time.Duration.
func saturated(seconds, nanos int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Second)
	switch {
	case seconds > most || seconds == most && nanos >= math.MaxInt64%int64(time.Second):
		return math.MaxInt64
	case seconds < -most || seconds == -most && nanos <= math.MinInt64%int64(time.Second):
		return math.MinInt64
	}
	return time.Duration(seconds*int64(time.Second) + nanos)
}

// readCode reads a status code, a number or a name in capitals. Null is valid and has no effect.
// Escapes in names are not understood, as in grpc-go.
func readCode(n node, to *policies.Code) (wrong string) {
	if n.isNull() {
		return ""
	}
	if number, err := strconv.ParseUint(string(n.text), 10, 32); err == nil {
		if number >= uint64(policies.Codes) {
			return fmt.Sprintf("must be a status code of 0 to %d (is %d)", policies.Codes-1, number)
		}
		*to = policies.Code(number)
		return ""
	}
	var names []string
	for code := range policies.Codes {
		if string(n.text) == `"`+code.String()+`"` {
			*to = code
			return ""
		}
		names = append(names, code.String())
	}
	return fmt.Sprintf("must be a status code in capitals or its number (is %s)", n) +
		didYouMean(strings.ToUpper(n.string()), names)
}

// codeSet is the set of the codes in a list.
func codeSet(codes []policies.Code) Codes {
	var set Codes
	for _, c := range codes {
		set |= 1 << c
	}
	return set
}
