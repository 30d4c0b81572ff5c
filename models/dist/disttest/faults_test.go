package disttest

import (
	"strings"
	"testing"
	"time"

	"lbsim/models/dist"
)

// counter counts errors in place of a test.
type counter struct {
	testing.TB
	errors int
}

func (c *counter) Errorf(string, ...any) { c.errors++ }

// faulty is 1 ms to 3 ms, uniformly, but for a fault.
type faulty struct {
	dist.Distribution
	quantile func(u float64, q time.Duration) time.Duration
	mean     float64 // times the true one
	variance float64
	text     string
}

func (f *faulty) Quantile(u float64) time.Duration {
	return f.quantile(u, f.Distribution.Quantile(u))
}

func (f *faulty) Mean() float64     { return f.mean * f.Distribution.Mean() }
func (f *faulty) Variance() float64 { return f.variance * f.Distribution.Variance() }
func (f *faulty) String() string    { return f.text }

var sink []byte

// The battery finds each fault, and in no other check than those named.
func TestBatteryFindsFaults(t *testing.T) {
	const form = "uniform(min=1ms, max=3ms)"
	p := dist.Parser{Kinds: dist.Catalog}
	checks := map[string]func(t testing.TB, d dist.Distribution){
		"text":    func(t testing.TB, d dist.Distribution) { checkText(t, p, form, d) },
		"rise":    checkRise,
		"moments": checkMoments,
		"form": func(t testing.TB, d dist.Distribution) {
			checkForm(t, "x(p50=2ms, median=2ms, mean=2ms)", d)
		},
		"calls": checkCalls,
	}
	for _, test := range []struct {
		name, found string
		fault       func(f *faulty)
	}{
		{"none", "", func(*faulty) {}},
		{"another text", "text", func(f *faulty) { f.text = "uniform(max=3ms, min=1ms)" }},
		{"a text that is none", "text", func(f *faulty) { f.text = "uniform()" }},
		{"falls", "rise", func(f *faulty) {
			f.quantile = func(u float64, q time.Duration) time.Duration {
				if u > 0.3 && u < 0.30001 {
					return q - time.Microsecond
				}
				return q
			}
		}},
		{"mean", "moments form", func(f *faulty) { f.mean = 1 + 1e-4 }},
		{"variance", "moments", func(f *faulty) { f.variance = 1 + 1e-3 }},
		{"median", "form", func(f *faulty) {
			f.quantile = func(u float64, q time.Duration) time.Duration {
				if u == 0.5 {
					return q + 1
				}
				return q
			}
		}},
		{"allocates", "calls", func(f *faulty) {
			f.quantile = func(u float64, q time.Duration) time.Duration {
				sink = make([]byte, 8)
				return q
			}
		}},
		{"negative", "calls", func(f *faulty) {
			f.quantile = func(u float64, q time.Duration) time.Duration {
				if u < 0 {
					return -1
				}
				return q
			}
		}},
	} {
		inner, err := p.Parse(form)
		if err != nil {
			t.Fatal(err)
		}
		f := &faulty{
			Distribution: inner, mean: 1, variance: 1, text: form,
			quantile: func(_ float64, q time.Duration) time.Duration { return q },
		}
		test.fault(f)
		for name, check := range checks {
			c := &counter{TB: t}
			var d dist.Distribution = f
			if name == "text" && f.text == form {
				d = inner // which parses back to its own type
			}
			check(c, d)
			if (c.errors > 0) != strings.Contains(test.found, name) {
				t.Errorf("%s: the check %q finds %d errors", test.name, name, c.errors)
			}
		}
	}
}
