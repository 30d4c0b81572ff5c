package experiments

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// number writes a number for people, without exponent: with so many decimals, or with more where it
// takes more to show so many of its digits.
func number(x float64, decimals, digits int) string {
	return fixed(x, places(x, decimals, digits))
}

// fixed writes a number with so many decimals. What is rounded to 0 has no sign.
func fixed(x float64, decimals int) string {
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// places is how many decimals show so many digits of a number, decimals or more.
func places(x float64, decimals, digits int) int {
	const most = 12
	for limit := math.Pow10(digits - 1 - decimals); x != 0 && decimals < most; limit /= 10 {
		if math.Abs(x) >= limit {
			break
		}
		decimals++
	}
	return decimals
}

// signed writes a difference with its sign.
func signed(x float64, decimals int) string {
	text := fixed(x, decimals)
	if x > 0 && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// decimal writes a number without exponent, with as many digits as tell it apart.
func decimal(x float64) string {
	if math.IsInf(x, 1) {
		return "inf" // as R and pandas read it
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// rateText writes a number that is not negative with at least two digits.
func rateText(x float64) string {
	switch {
	case x >= 10 || x == math.Trunc(x):
		return fmt.Sprintf("%.0f", x)
	case x >= 1:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// percentText writes a percentage, with a decimal near 100, where it matters.
func percentText(x float64) string {
	if x > 95 && x < 105 && x != 100 {
		return fmt.Sprintf("%.1f", x)
	}
	return rateText(x)
}

// countText writes a number as one says it.
func countText(n float64) string {
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
		return number(n, 0, 2)
	case n < 10:
		return fmt.Sprintf("%.2g", n)
	}
	digit := math.Pow10(int(math.Log10(n)) - 1)
	return fmt.Sprintf("%.0f", math.Round(n/digit)*digit)
}

// timeText writes seconds in a unit that fits them.
func timeText(seconds float64) string {
	for _, u := range []struct {
		unit string
		size float64
	}{{"years", 365 * 24 * 3600}, {"days", 24 * 3600}, {"h", 3600}, {"min", 60}} {
		if seconds >= 2*u.size {
			return countText(seconds/u.size) + " " + u.unit
		}
	}
	return roundText(seconds) + " s"
}

// bytesText writes a number of bytes in a unit that fits it.
func bytesText(n float64) string {
	for _, u := range []struct {
		unit string
		size float64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= u.size {
			return countText(n/u.size) + " " + u.unit
		}
	}
	return fmt.Sprintf("%.0f bytes", n)
}

// someOf returns a few texts for a sentence: "a, b and c", or "a, b, c and 7 more".
func someOf(texts []string) string {
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
