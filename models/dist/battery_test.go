package dist

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// testdata opens the files of the tests.
func testdata(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join("testdata", name))
}

// mustParse parses a valid text, with files.
func mustParse(t testing.TB, text string) Distribution {
	t.Helper()
	d, err := Parse(text, testdata)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return d
}

// eachForm runs a test on every form of every kind. To join the catalog is to join it.
func eachForm(t *testing.T, test func(t *testing.T, form string, d Distribution)) {
	for _, name := range slices.Sorted(maps.Keys(Catalog)) {
		e := Catalog[name]
		if len(e.Forms) == 0 || e.Doc == "" {
			t.Errorf("%s: a kind needs forms and a doc", name)
		}
		for _, form := range e.Forms {
			t.Run(form, func(t *testing.T) { test(t, form, mustParse(t, form)) })
		}
	}
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

func TestQuantilesRise(t *testing.T) {
	eachForm(t, func(t *testing.T, form string, d Distribution) {
		if _, ok := d.(*Mixture); ok {
			return // a mixture's transform need not rise
		}
		last := time.Duration(0)
		grid(100_000, func(u float64) {
			q := d.Quantile(u)
			if q < last {
				t.Fatalf("Quantile(%v) = %v, after %v", u, q, last)
			}
			last = q
		})
	})
}

// sample returns mean and variance, in seconds, of the quantiles in the middle of n equal strips
// of (0, 1), and the greatest of them.
func sample(d Distribution, n int) (mean, variance, greatest float64) {
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

// Strips over which a quantile function bends little cancel their errors. What remains is the
// last strip, of which the middle is taken for the mean. For the heaviest tails here, pareto's,
// the mean over a strip at the end is alpha/(alpha-1) 2^-1/alpha times the value in its middle,
// less than 2 at alpha 1.5; of squares less than 3 at alpha 2.5. In a mixture each part has a last
// strip. Rounding adds a nanosecond at most.
func TestMeanAndVariance(t *testing.T) {
	const n = 1 << 18
	eachForm(t, func(t *testing.T, form string, d Distribution) {
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
		bound := 5*greatest*greatest/n + 2e-9*greatest
		if !(math.Abs(variance-d.Variance()) <= bound) {
			t.Errorf("variance of the quantiles %v, Variance() = %v, bound %v",
				variance, d.Variance(), bound)
		}
	})
}

// What a form gives by name must come out: percentiles as quantiles, a mean as the mean.
func TestFormsMeanWhatTheySay(t *testing.T) {
	eachForm(t, func(t *testing.T, form string, d Distribution) {
		_, inner, _ := strings.Cut(strings.TrimSuffix(form, ")"), "(")
		for _, text := range splitTop(inner) {
			name, value, _ := strings.Cut(strings.TrimSpace(text), "=")
			want, err := time.ParseDuration(value)
			if err != nil {
				continue
			}
			if _, share := parsePercentile(name); share > 0 {
				if got := d.Quantile(share); got != want {
					t.Errorf("Quantile(%v) = %v, want %v", share, got, want)
				}
			}
			if name == "mean" && math.Abs(d.Mean()/want.Seconds()-1) > 1e-12 {
				t.Errorf("Mean() = %v, want %v", d.Mean(), want)
			}
			if name == "median" && d.Quantile(0.5) != want {
				t.Errorf("Quantile(0.5) = %v, want %v", d.Quantile(0.5), want)
			}
		}
	})
}

func TestStringParsesBack(t *testing.T) {
	eachForm(t, func(t *testing.T, form string, d Distribution) {
		if d.String() != form {
			t.Errorf("String() = %q", d.String())
		}
		if again := mustParse(t, d.String()); !reflect.DeepEqual(again, d) {
			t.Errorf("%q parses back to %#v, not %#v", d.String(), again, d)
		}
	})
}

func TestQuantileDoesNotAllocate(t *testing.T) {
	eachForm(t, func(t *testing.T, form string, d Distribution) {
		u := 0.0
		allocs := testing.AllocsPerRun(100, func() {
			u += 0.009
			d.Quantile(u)
		})
		if allocs != 0 {
			t.Errorf("%v allocations", allocs)
		}
	})
}

// Nothing good can come of a u outside (0, 1), but nothing worse than a wrong duration either.
func TestQuantileOutsideItsRange(t *testing.T) {
	eachForm(t, func(t *testing.T, form string, d Distribution) {
		for _, u := range []float64{-1, 0, 1, 2, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324} {
			if q := d.Quantile(u); q < 0 {
				t.Errorf("Quantile(%v) = %v", u, q)
			}
		}
	})
}

func TestNamesAndAliasesAreUnique(t *testing.T) {
	known := map[string]string{}
	for _, kind := range slices.Sorted(maps.Keys(Catalog)) {
		for _, name := range append(slices.Clone(Catalog[kind].Aliases), kind) {
			if known[name] != "" {
				t.Errorf("%s is %s and %s", name, known[name], kind)
			}
			known[name] = kind
			if full, _ := (Parser{Kinds: Catalog}).find(name); full != kind {
				t.Errorf("find(%q) = %q, want %q", name, full, kind)
			}
		}
	}
}

func TestQuantileSaturates(t *testing.T) {
	for _, text := range []string{
		"exponential(mean=2000000h)", "exponential(mean=100000h)", "pareto(alpha=0.01, min=1ms)",
		"weibull(shape=0.05, scale=1h)",
		"gamma(shape=2, scale=2000000h)", "lognormal(median=1h, sigma=20)",
		"mix(0.5 pareto(alpha=0.01, min=1ms), 0.5 pareto(alpha=0.01, min=1ms))",
	} {
		if q := mustParse(t, text).Quantile(1 - 0x1p-53); q != math.MaxInt64 {
			t.Errorf("%s: Quantile(1-2^-53) = %v, want the greatest Duration", text, q)
		}
	}
}
