// Package disttest has checks that every distribution has to pass. The kinds of lbsim pass them; a
// kind of another module is checked by
//
//	func TestTriangular(t *testing.T) {
//		kinds := map[string]dist.Kind{"triangular": triangularKind}
//		disttest.Battery(t, dist.Parser{Kinds: kinds}, disttest.Exceptions{})
//	}
package disttest

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lbsim/models/dist"
)

// Exceptions are the rules of [Battery] that some distributions break on purpose. The zero value
// has none.
type Exceptions struct {
	// MayFall, if not nil, reports whether Quantile of a distribution need not rise.
	MayFall func(d dist.Distribution) bool
}

// Battery checks every form of every kind of a parser, each in a subtest: String gives the form and
// parses back to an equal distribution; Quantile rises, allocates nothing and is never negative;
// its mean and variance are Mean and Variance; and what the form says of percentiles, the mean and
// the median is so. Variances may be infinite, means not.
func Battery(t *testing.T, p dist.Parser, x Exceptions) {
	for _, name := range slices.Sorted(maps.Keys(p.Kinds)) {
		kind := p.Kinds[name]
		if len(kind.Forms) == 0 || kind.Doc == "" {
			t.Errorf("%s: a kind needs forms and a doc", name)
		}
		for _, form := range kind.Forms {
			t.Run(form, func(t *testing.T) {
				d, err := p.Parse(form)
				if err != nil {
					t.Fatal(err)
				}
				checkText(t, p, form, d)
				if x.MayFall == nil || !x.MayFall(d) {
					checkRise(t, d)
				}
				checkMoments(t, d)
				checkForm(t, form, d)
				checkCalls(t, d)
			})
		}
	}
}

func checkText(t testing.TB, p dist.Parser, form string, d dist.Distribution) {
	if d.String() != form {
		t.Errorf("String() = %q", d.String())
	}
	if again, err := p.Parse(d.String()); err != nil || !reflect.DeepEqual(again, d) {
		t.Errorf("%q parses back to %#v, %v, not %#v", d.String(), again, err, d)
	}
}

func checkRise(t testing.TB, d dist.Distribution) {
	last, falls := time.Duration(0), 0
	grid(100_000, func(u float64) {
		q := d.Quantile(u)
		if q < last {
			if falls++; falls == 1 {
				t.Errorf("Quantile(%v) = %v, after %v", u, q, last)
			}
		}
		last = q
	})
}

// grid calls f with rising numbers of (0, 1): n in the middle of equal strips, and both tails as
// far as 53 bits reach.
func grid(n int, f func(u float64)) {
	least := 0.5 / float64(n)
	for e := -53; math.Ldexp(1, e) < least; e++ {
		f(math.Ldexp(1, e))
	}
	for i := range n {
		f((float64(i) + 0.5) / float64(n))
	}
	for e := -1; e >= -53; e-- {
		if tail := math.Ldexp(1, e); tail < least {
			f(1 - tail)
		}
	}
}

// sample returns mean and variance, in seconds, of the quantiles in the middle of n equal strips
// of (0, 1), and the greatest of them.
func sample(d dist.Distribution, n int) (mean, variance, greatest float64) {
	for i := range n {
		q := d.Quantile((float64(i) + 0.5) / float64(n)).Seconds()
		mean += q / float64(n)
		greatest = max(greatest, q)
	}
	for i := range n {
		q := d.Quantile((float64(i)+0.5)/float64(n)).Seconds() - mean
		variance += q * q / float64(n)
	}
	return mean, variance, greatest
}

// checkMoments compares sums over strips of (0, 1). Strips over which a quantile function bends
// little cancel their errors. What remains is the last strip, of which the middle is taken for the
// mean. For the heaviest tails of lbsim, pareto's, the mean over a strip at the end is
// alpha/(alpha-1) 2^-1/alpha times the value in its middle, less than 2 at alpha 1.5; of squares
// less than 3 at alpha 2.5. In a mixture each part has a last strip. Rounding adds a nanosecond at
// most.
func checkMoments(t testing.TB, d dist.Distribution) {
	const n = 1 << 18
	mean, variance, greatest := sample(d, n)
	if bound := 3*greatest/n + 1e-9; !(math.Abs(mean-d.Mean()) <= bound) {
		t.Errorf("mean of the quantiles %v, Mean() = %v, bound %v", mean, d.Mean(), bound)
	}
	if math.IsInf(d.Variance(), 1) {
		// No sum comes near it, but 64 times as many strips must reach farther.
		if _, fewer, _ := sample(d, n/64); variance < 1.5*fewer {
			t.Errorf("Variance() = +Inf, but of %d quantiles it is %v, of %d %v",
				n/64, fewer, n, variance)
		}
		return
	}
	bound := 5*greatest*greatest/n + float64(2e-9*greatest)
	if !(math.Abs(variance-d.Variance()) <= bound) {
		t.Errorf("variance of the quantiles %v, Variance() = %v, bound %v",
			variance, d.Variance(), bound)
	}
}

// checkForm checks what a form gives by name: percentiles are quantiles, a mean is the mean.
func checkForm(t testing.TB, form string, d dist.Distribution) {
	_, inner, _ := strings.Cut(strings.TrimSuffix(form, ")"), "(")
	for text := range strings.SplitSeq(inner, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(text), "=")
		want, err := time.ParseDuration(value)
		if err != nil {
			continue
		}
		percent, isPercentile := strings.CutPrefix(name, "p")
		share, err := strconv.ParseFloat(percent+"e-2", 64) // rounded once: p99.9 is 0.999
		if got := d.Quantile(share); isPercentile && err == nil && got != want {
			t.Errorf("Quantile(%v) = %v, want %v", share, got, want)
		}
		if name == "mean" && math.Abs(d.Mean()/want.Seconds()-1) > 1e-12 {
			t.Errorf("Mean() = %v, want %v", d.Mean(), want)
		}
		if name == "median" && d.Quantile(0.5) != want {
			t.Errorf("Quantile(0.5) = %v, want %v", d.Quantile(0.5), want)
		}
	}
}

// checkCalls calls Quantile for its memory, and outside of (0, 1): a wrong duration is the worst
// that may come of that.
func checkCalls(t testing.TB, d dist.Distribution) {
	u := 0.0
	allocs := testing.AllocsPerRun(100, func() {
		u += 0.009
		d.Quantile(u)
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	for _, u := range []float64{-1, 0, 1, 2, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324} {
		if q := d.Quantile(u); q < 0 {
			t.Errorf("Quantile(%v) = %v", u, q)
		}
	}
}
