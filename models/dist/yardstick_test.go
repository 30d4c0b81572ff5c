package dist

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// yardstick is what the tests ask of gonum, in nanoseconds.
type yardstick interface {
	Quantile(p float64) float64
	CDF(x float64) float64
	Mean() float64
	Variance() float64
}

// gonum returns gonum's distribution with the same parameters, or nil for kinds it has not.
func gonum(d Distribution) yardstick {
	switch d := d.(type) {
	case Uniform:
		return distuv.Uniform{Min: d.min, Max: d.max}
	case Exponential:
		return distuv.Exponential{Rate: 1 / d.mean}
	case Lognormal:
		return distuv.LogNormal{Mu: math.Log(d.median), Sigma: d.sigma}
	case *Gamma:
		return distuv.Gamma{Alpha: d.shape, Beta: 1 / d.scale}
	case Weibull:
		return distuv.Weibull{K: d.shape, Lambda: d.scale}
	case Pareto:
		return distuv.Pareto{Xm: d.min, Alpha: d.alpha}
	}
	return nil
}

// Quantiles agree to the rounding to a nanosecond and 1e-9; gonum's own solver for gamma is no
// sharper.
func TestAgainstGonum(t *testing.T) {
	eachForm(t, func(t *testing.T, form string, d Distribution) {
		y := gonum(d)
		if y == nil {
			return // gonum has no such kind
		}
		for _, u := range []float64{0.01, 0.1, 0.5, 0.9, 0.99, 0.999} {
			got, want := float64(d.Quantile(u)), y.Quantile(u)
			if math.Abs(got-want) > 0.51+1e-9*want {
				t.Errorf("Quantile(%v) = %v, gonum %v", u, got, want)
			}
		}
		for _, m := range []struct {
			name      string
			got, want float64
		}{
			{"Mean", d.Mean(), y.Mean() / 1e9},
			{"Variance", d.Variance(), y.Variance() / 1e18},
		} {
			if m.got != m.want && !(math.Abs(m.got/m.want-1) < 1e-11) {
				t.Errorf("%s() = %v, gonum %v", m.name, m.got, m.want)
			}
		}
	})
}

// A few values by pencil, from the text to the nanosecond: gonum gets its parameters from what was
// parsed.
func TestKnownQuantiles(t *testing.T) {
	rows := []struct {
		text string
		u    float64
		want float64 // ms
	}{
		{"uniform(min=1ms, max=3ms)", 0.25, 1.5},
		{"exponential(mean=10ms)", 0.5, 10 * math.Ln2},
		{"exponential(p90=10ms)", 0.99, 20},
		{"weibull(shape=0.5, scale=10ms)", 0.5, 10 * math.Ln2 * math.Ln2},
		{"weibull(shape=1, mean=10ms)", 0.75, 20 * math.Ln2},
		{"pareto(alpha=1.5, min=1ms)", 0.5, math.Cbrt(4)},
		{"pareto(alpha=2, mean=10ms)", 0.75, 10},
		{"pareto(p50=2ms, p75=4ms)", 0.875, 8},
		{"gamma(shape=1, mean=10ms)", 0.75, 20 * math.Ln2},
		{"erlang(k=1, scale=10ms)", 0.5, 10 * math.Ln2},
		{"lognormal(median=5ms, sigma=0.5)", 0.5, 5},
		{"lognormal(median=5ms, sigma=0)", 0.99, 5},
		{"lognormal(p10=2ms, p90=8ms)", 0.5, 4},
	}
	for _, r := range rows {
		if got := mustParse(t, r.text).Quantile(r.u); math.Abs(float64(got)-r.want*1e6) > 0.6 {
			t.Errorf("%s: Quantile(%v) = %v, want %v ms", r.text, r.u, got, r.want)
		}
	}
	d := mustParse(t, "lognormal(mean=10ms, cv=1.5)")
	if cv := math.Sqrt(d.Variance()) / d.Mean(); math.Abs(cv-1.5) > 1e-12 {
		t.Errorf("%s: deviation/mean = %v", d, cv)
	}
}

// The share of a mixture's durations up to x is the weighted sum of its parts' probabilities: of
// n strips each part can misplace one.
func TestMixtureHasTheRightDistribution(t *testing.T) {
	const n = 100_000
	d := mustParse(t, "mix(0.2 uniform(min=1ms, max=50ms), 0.5 exp(mean=5ms), "+
		"0.3 mix(0.75 gamma(shape=3, mean=20ms), 0.25 lognormal(p50=1ms, p99=300ms)))").(*Mixture)
	inner := d.parts[2].of.(*Mixture)
	parts := []struct {
		weight float64
		dist   yardstick
	}{
		{0.2, gonum(d.parts[0].of)}, {0.5, gonum(d.parts[1].of)},
		{0.3 * 0.75, gonum(inner.parts[0].of)}, {0.3 * 0.25, gonum(inner.parts[1].of)},
	}
	for _, x := range []time.Duration{
		10 * time.Microsecond, time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond,
		30 * time.Millisecond, 100 * time.Millisecond, time.Second,
	} {
		below := 0
		for i := range n {
			if d.Quantile((float64(i)+0.5)/n) <= x {
				below++
			}
		}
		want := 0.0
		for _, p := range parts {
			want += p.weight * p.dist.CDF(float64(x))
		}
		if got := float64(below) / n; math.Abs(got-want) > float64(len(parts))/n {
			t.Errorf("share up to %v is %v, want %v", x, got, want)
		}
	}
}

func TestMixtureMoments(t *testing.T) {
	d := mustParse(t, "mix(0.25 4s, 0.75 8s)")
	if d.Mean() != 7 || d.Variance() != 3 {
		t.Errorf("mean %v, variance %v, want 7 and 3", d.Mean(), d.Variance())
	}
	d = mustParse(t, "mix(0.5 1ms, 0.5 pareto(alpha=1, min=1ms))")
	if !math.IsInf(d.Mean(), 1) || !math.IsInf(d.Variance(), 1) {
		t.Errorf("mean %v, variance %v, want +Inf for both", d.Mean(), d.Variance())
	}
}
