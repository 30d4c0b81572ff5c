package dist

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"lbsim/options"
)

// parseDuration reads a duration that is not negative. Its errors say what would be right.
func parseDuration(text string) (time.Duration, error) {
	if text == "" {
		return 0, errors.New("missing duration (write e.g. 10ms)")
	}
	return options.ParseDuration(text)
}

// parseNumber reads a finite number without unit.
func parseNumber(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "":
		return 0, errors.New("missing number (write e.g. 0.5)")
	case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
		return 0, fmt.Errorf("%s is not a finite number (write e.g. 0.5)", quote(text))
	}
	return f, nil
}

// durationText writes a duration in ASCII, so that it survives every table and font.
func durationText(d time.Duration) string { return strings.ReplaceAll(d.String(), "µ", "u") }

// numberText writes a number in the fewest digits that read back to the same.
func numberText(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// parsePercentile reads the name of a percentile, p99 or p99.9, as the share below it, 0.99. It
// returns the name without needless zeros. The share is 0 if name is no percentile's, and outside
// (0, 1) if there is no such percentile.
func parsePercentile(name string) (canonical string, share float64) {
	digits, ok := strings.CutPrefix(name, "p")
	if !ok || digits == "" || strings.Trim(digits, "0123456789.") != "" {
		return name, 0
	}
	share, err := strconv.ParseFloat(digits+"e-2", 64) // rounded once, so that p99.9 is 0.999
	if err != nil {
		return name, 0
	}
	if share == 0 {
		return name, -1
	}
	percent, _ := strconv.ParseFloat(digits, 64)
	return "p" + strconv.FormatFloat(percent, 'f', -1, 64), share
}
