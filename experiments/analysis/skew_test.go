package analysis_test

import (
	"math"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
)

// measured loads an experiment and returns what its runs say.
func measured(t *testing.T, text string, set ...string) []*experiments.Measures {
	t.Helper()
	return concluded(t, text, set...).Runs
}

// capacities is an experiment of three backends with two workers each, of which 50 s are measured,
// from 10 s to 60 s.
const capacities = `
duration = "60s"
warmup   = "10s"
[clients.c]
rate     = "20/s"
arrivals = "even"
[backends.b]
count   = 3
workers = 2
service = "1ms"
`

// In health a backend can do 2 × 50 s = 100 s of work. Other values are 2 × the seconds without the
// failure, and what it leaves of the others.
func TestCapacityFollowsFailuresAndLists(t *testing.T) {
	slow := func(from, to, factor string) string {
		return "\nkind = \"slow\"\nbackends = [\"b/0\"]\nfrom = \"" + from + "\"\nto = \"" + to +
			"\"\nfactor = " + factor
	}
	from20to40 := func(kind, more string) string {
		return "\n[failures.f]\nkind = \"" + kind + "\"\nbackends = [\"b/0\"]\nfrom = \"20s\"\n" +
			"to = \"40s\"\n" + more
	}
	for _, row := range []struct {
		name, more string
		set        []string
		want       [3]float64
	}{
		{"health", "", nil, [3]float64{100, 100, 100}},
		{"speed", "", []string{"backends.b.speed=0.5"}, [3]float64{50, 50, 50}},
		{"slow", "[failures.f]" + slow("20s", "40s", "4.0"), nil,
			[3]float64{2 * (30 + 20/4), 100, 100}},
		{"slow from the warm-up on", "[failures.f]" + slow("0s", "20s", "2.0"), nil,
			[3]float64{2 * (40 + 10/2), 100, 100}},
		{"slow twice", "[failures.f]" + slow("20s", "40s", "2.0") + "\n[failures.g]" +
			slow("30s", "50s", "5.0"), nil, [3]float64{2 * (20 + 10/2 + 10./10 + 10/5), 100, 100}},
		{"crash", from20to40("crash", ""), nil, [3]float64{60, 100, 100}},
		{"stop", from20to40("stop", ""), nil, [3]float64{60, 100, 100}},
		{"blackhole", from20to40("blackhole", ""), nil, [3]float64{60, 100, 100}},
		{"blackhole of one address of two", from20to40("blackhole", "addresses = [\"ipv6\"]"),
			[]string{`backends.b.addresses=["ipv4", "ipv6"]`}, [3]float64{100, 100, 100}},
		{"unhealthy", from20to40("unhealthy", ""), nil, [3]float64{60, 100, 100}},
		{"errors", from20to40("errors", "ratio = 0.25\ncode = \"INTERNAL\""), nil,
			[3]float64{2 * (30 + 20*.75), 100, 100}},
		// Who is connected goes on.
		{"refuse", from20to40("refuse", ""), nil, [3]float64{100, 100, 100}},
		{"mute", from20to40("mute", ""), nil, [3]float64{100, 100, 100}},
		{"lists", `
[resolver]
kind = "script"
[resolver.at]
"0s"  = ["b/0"]
"30s" = ["b/0-1"]
"50s" = ["b/1"]
`, nil, [3]float64{2 * 40, 2 * 30, 0}},
		{"behind a balancer", "[l4.vip]\nbackends = [\"b/1-2\"]\n" + `
[resolver]
kind = "script"
[resolver.at]
"0s"  = ["b/0-1"]
"35s" = ["b/0"]
` + from20to40("crash", ""), nil, [3]float64{60, 50, 50}},
	} {
		m := measured(t, capacities+row.more+"\n[policies.round_robin]\n", row.set...)[0]
		total := row.want[0] + row.want[1] + row.want[2]
		for i := range m.Backends {
			b := &m.Backends[i]
			if math.Abs(b.CapacityS-row.want[i]) > 1e-9 {
				t.Errorf("%s: %s has a capacity of %v s, want %v", row.name, b.Name, b.CapacityS,
					row.want[i])
			}
			if want := row.want[i] / total; math.Abs(*b.CapacityShare-want) > 1e-12 {
				t.Errorf("%s: %s has %v of the capacity, want %v", row.name, b.Name,
					*b.CapacityShare, want)
			}
			if b.CapacityS == 0 != (b.LoadRatio == nil) {
				t.Errorf("%s: %s has no capacity or no load ratio", row.name, b.Name)
			}
		}
	}
}

// Two of four backends get 30 RPCs, one 20 and one none: mean 20, greatest 30; squares 2 × 900 +
// 400 against 4 × 400: variance 150, and Jain's index 80² / (4 × 2200). Three times as many that
// can do thrice as much are the same; two that are alike are one that can do as much as both.
func TestSkewOfLoadOverCapacity(t *testing.T) {
	want := [3]float64{1.5, math.Sqrt(150) / 20, 6400. / 8800}
	for _, row := range []struct{ amounts, weights []float64 }{
		{[]float64{30, 20, 0, 30}, []float64{1, 1, 1, 1}},
		{[]float64{30, 20, 0, 30, 7}, []float64{1, 1, 1, 1, 0}}, // not listed
		{[]float64{300, 200, 0, 300}, []float64{3, 3, 3, 3}},
		{[]float64{60, 20, 0}, []float64{2, 1, 1}},
	} {
		s := analysis.SkewOf(row.amounts, row.weights)
		for i, got := range []float64{*s.MaxOverMean, *s.CV, *s.Jain} {
			if math.Abs(got-want[i]) > 1e-12 {
				t.Errorf("%v over %v: value %d is %v, want %v", row.amounts, row.weights, i, got,
					want[i])
			}
		}
	}
	if s := analysis.SkewOf([]float64{0, 5}, []float64{1, 0}); s != (analysis.Skew{}) {
		t.Errorf("nothing on what has capacity: %v, want no skew", s)
	}
}

// slowed is an experiment of a pod of twelve that becomes five times slower after a third.
const slowed = `
duration = "60s"
seeds    = 3
[clients.web]
count   = 40
rate    = "6000/s"
timeout = "1s"
[backends.pod]
count   = 12
workers = 8
service = "lognormal(p50=5ms, p99=16ms)"
[failures.deploy]
kind     = "slow"
backends = ["pod/3"]
from     = "20s"
factor   = 5.0
[policies.round_robin]
[policies.least_request]
`

// Over 60 s pod 3 can do as much as another in 20 + 40/5 = 28 s, so its share is 28 of 688. Of
// round_robin it gets 1/12 all the same, 60/28 of the load of another, where the mean is
// 720/688: skew 60/28 × 688/720 = 2.05. Counts alone are even.
func TestWhoeverAvoidsASlowBackendIsBetter(t *testing.T) {
	p := concluded(t, slowed).Points[0]
	robin, least := &p.Policies[0], &p.Policies[1]
	for _, m := range robin.Runs {
		if got := *m.Backends[3].CapacityShare; math.Abs(got-28./688) > 1e-5 {
			t.Errorf("pod/3 has %v of the capacity, want 28/688", got)
		}
		if got, want := *m.Skew.MaxOverMean, 60./28*688/720; math.Abs(got-want) > 0.01 {
			t.Errorf("skew of round_robin is %v, want %v", got, want)
		}
		if got := *m.AttemptsSkew.MaxOverMean; got > 1.001 {
			t.Errorf("skew of the attempts of round_robin is %v, want 1", got)
		}
	}
	d := metricOf(p, "skew").Against(least.Runs, robin.Runs)
	if d.Scope != "load" || d.Verdict != analysis.Better {
		t.Errorf("least_request has %+v, want a better skew of the load", d)
	}
	for i := range p.Metrics {
		if f := &p.Metrics[i]; f.Scope == "attempts" && f.Better != 0 {
			t.Errorf("%s of attempts gets a verdict", f.Name)
		}
	}
}

// Half of the backends do twice as much. weighted_round_robin finds out, and has both halves
// equally busy: their loads are even, their counts 4/3 of the mean.
func TestWeightedRoundRobinIsEven(t *testing.T) {
	p := concluded(t, `
duration = "60s"
warmup   = "30s"
seeds    = 2
[clients.web]
count = 10
rate  = "2000/s"
[backends.old]
count       = 4
workers     = 4
load_report = "per_call"
service     = "exp(mean=10ms)"
[backends.new]
count       = 4
workers     = 4
load_report = "per_call"
speed       = 2.0
service     = "exp(mean=10ms)"
[policies.weighted_round_robin]
[policies.round_robin]
`).Points[0]
	for _, m := range p.Policies[0].Runs {
		if got := *m.Skew.MaxOverMean; got > 1.05 {
			t.Errorf("skew of weighted_round_robin is %v, want 1.0", got)
		}
		if got := *m.AttemptsSkew.MaxOverMean; math.Abs(got-4./3) > 0.05 {
			t.Errorf("skew of its attempts is %v, want 4/3", got)
		}
	}
	for _, m := range p.Policies[1].Runs {
		// Of the same work for all, old ones have 1/12 of the capacity each: 12/8.
		if got := *m.Skew.MaxOverMean; math.Abs(got-1.5) > 0.01 {
			t.Errorf("skew of round_robin is %v, want 1.5", got)
		}
	}
}

// Of service without a finite mean, or without any, requests count alike.
func TestLoadWithoutAMean(t *testing.T) {
	for _, service := range []string{"pareto(alpha=0.9, min=1us)", "0s"} {
		m := measured(t, capacities+"speed = 2.0\n[policies.round_robin]\n",
			`backends.b.service="`+service+`"`, "seeds=1")[0]
		for i := range m.Backends {
			b := &m.Backends[i]
			if b.LoadRatio != nil || math.Abs(*b.CapacityShare-1./3) > 1e-12 {
				t.Errorf("%s: %s has load ratio %v and capacity share %v, want none and 1/3",
					service, b.Name, b.LoadRatio, *b.CapacityShare)
			}
		}
		if got := *m.Skew.MaxOverMean; got > 1.01 {
			t.Errorf("%s: skew %v, want 1", service, got)
		}
	}
}
