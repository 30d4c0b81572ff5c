// Package numtext writes numbers for people.
package numtext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number writes a number without exponent: with so many decimals, or with more if it takes more to
// show so many of its digits.
func Number(x float64, decimals, digits int) string {
	return Fixed(x, Places(x, decimals, digits))
}

// Fixed writes a number with so many decimals. A number that is rounded to 0 has no sign.
func Fixed(x float64, decimals int) string {
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// Places returns how many decimals it takes to show so many digits of a number, at least decimals
// and at most 12.
func Places(x float64, decimals, digits int) int {
	const most = 12
	for limit := math.Pow10(digits - 1 - decimals); x != 0 && decimals < most; limit /= 10 {
		if math.Abs(x) >= limit {
			break
		}
		decimals++
	}
	return decimals
}

// Signed writes a difference with its sign.
func Signed(x float64, decimals int) string {
	text := Fixed(x, decimals)
	if x > 0 && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// Decimal writes a number without exponent, with as many digits as it takes to read the same number
// back.
func Decimal(x float64) string {
	if math.IsInf(x, 1) {
		return "inf" // as R and pandas read it
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// Rate writes a number that is not negative: a whole number or one from 10 on without decimals, one
// from 1 on with one, others with three.
func Rate(x float64) string {
	switch {
	case x >= 10 || x == math.Trunc(x):
		return fmt.Sprintf("%.0f", x)
	case x >= 1:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// Percent writes a percentage, with a decimal near 100, where it matters.
func Percent(x float64) string {
	if x > 95 && x < 105 && x != 100 {
		return fmt.Sprintf("%.1f", x)
	}
	return Rate(x)
}

// Count writes a number with two digits, as people say it: 950, 1.2 million.
func Count(n float64) string {
	for _, u := range []struct {
		unit string
		size float64
	}{{"trillion", 1e12}, {"billion", 1e9}, {"million", 1e6}} {
		if n >= u.size {
			return roundText(n/u.size) + " " + u.unit
		}
	}
	return roundText(n)
}

// roundText writes a number with two digits.
func roundText(n float64) string {
	switch {
	case n < 1:
		return Number(n, 0, 2)
	case n < 10:
		return fmt.Sprintf("%.2g", n)
	}
	digit := math.Pow10(int(math.Log10(n)) - 1)
	return fmt.Sprintf("%.0f", math.Round(n/digit)*digit)
}

// Seconds writes seconds in a unit that fits them.
func Seconds(seconds float64) string {
	for _, u := range []struct {
		unit string
		size float64
	}{{"years", 365 * 24 * 3600}, {"days", 24 * 3600}, {"h", 3600}, {"min", 60}} {
		if seconds >= 2*u.size {
			return Count(seconds/u.size) + " " + u.unit
		}
	}
	return roundText(seconds) + " s"
}

// Bytes writes a number of bytes in a unit that fits it.
func Bytes(n float64) string {
	for _, u := range []struct {
		unit string
		size float64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= u.size {
			return Count(n/u.size) + " " + u.unit
		}
	}
	return fmt.Sprintf("%.0f bytes", n)
}

// List returns one or more texts for a sentence: "a, b and c", or "a, b, c and 7 more".
func List(texts []string) string {
	const most = 4
	switch n := len(texts); {
	case n == 1:
		return texts[0]
	case n > most:
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:most-1], ", "), n-most+1)
	default:
		return strings.Join(texts[:n-1], ", ") + " and " + texts[n-1]
	}
}
