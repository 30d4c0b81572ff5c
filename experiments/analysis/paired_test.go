package analysis_test

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
	"lbsim/experiments/runner"
	"lbsim/policies"
)

// fileOf writes an experiment to a file and returns its name.
func fileOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// concluded runs an experiment with -set and returns what its runs say.
func concluded(t *testing.T, text string, set ...string) *experiments.Summary {
	t.Helper()
	kinds := map[string]policies.Policy{"again": again{}}
	e, err := experiments.Load(fileOf(t, text), experiments.Options{
		Set: set, Kinds: experiments.Kinds{Policies: kinds},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &experiments.Summary{Name: e.Name, Policies: e.Policies, Baseline: e.Baseline,
		Seeds: e.SeedList()}
	s.SweepKeys, s.Complete = e.SweepKeys, true
	plan := runner.NewPlan(e)
	s.Runs = make([]*experiments.Measures, plan.Runs())
	err = plan.Run(t.Context(), 2, func(i int, m *experiments.Measures) {
		s.Runs = append(s.Runs, make([]*experiments.Measures, plan.Runs()-len(s.Runs))...)
		s.Runs[i] = m
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Conclude()
	return s
}

// slow-node tells that least_request has the better p99: under round_robin one RPC of ten fails, so
// its p99 is never; that of least_request is known to a few per cent.
func TestSlowNodeTellsWhoIsBetter(t *testing.T) {
	text, err := fs.ReadFile(experiments.Shipped, "slow-node.toml")
	if err != nil {
		t.Fatal(err)
	}
	p := concluded(t, string(text), "duration=20s", "warmup=8s").Points[0]
	last := &p.Policies[len(p.Policies)-1]
	d := metricOf(p, "p99").Against(last.Runs, p.Policies[0].Runs)
	least, none := metricOf(p, "p99").Over(last.Runs), metricOf(p, "p99").Over(p.Policies[0].Runs)
	if last.Policy != "least_request" || d.Verdict != analysis.Better || d.Runs != 5 ||
		d.Reason != analysis.NeverAnswered || none.Reason != analysis.NeverAnswered ||
		none.Least != nil ||
		!(*least.Mean > 100 && *least.Mean < 200 && *least.Half < 20) {
		t.Errorf("p99 of %s %s, of %s %s: %s", last.Policy, metricOf(p, "p99").Format.Cell(&least),
			p.Policies[0].Policy, metricOf(p, "p99").Format.Cell(&none), metricOf(p,
				"p99").Format.DifferenceCell(&d))
	}
}

// Two names for a policy that draws the same: what differs is nothing at all, and so is said.
func TestAPolicyDoesNotDifferFromItself(t *testing.T) {
	s := concluded(t, twins, "seeds=3", "policies.again.kind=random")
	for _, d := range s.Points[0].Policies[1].Differences {
		same := d.Verdict == analysis.Identical || d.Verdict == analysis.NoVerdict ||
			d.Reason == analysis.TooFewSamples
		if !same || d.MoreSeeds != nil || d.Mean != nil && *d.Mean != 0 {
			t.Errorf("%s of the same policy: %+v", d.Metric, d)
		}
	}
}

// metricOf returns the metric of a column.
func metricOf(p *analysis.PointResults, column string) *analysis.Metric {
	for k := range p.Metrics {
		if p.Metrics[k].Column == column {
			return &p.Metrics[k]
		}
	}
	panic("no column " + column)
}

// loaded is four backends of two workers at 20 % of what they can do, with service times that vary
// much, and no failures: what a seed does to the mean latency is mostly the work that it brings. At
// 40 %, where more of it is the queues that each policy makes of that work, pairing gains less: the
// interval is 1.5 times narrower.
const loaded = `# How much narrower is a paired interval?
seed     = 1
seeds    = 40
duration = "20s"
warmup   = "1s"
[clients.c]
count = 2
rate  = "160/s"
[backends.b]
count   = 4
workers = 2
service = "lognormal(mean=10ms, cv=2)"
[policies.random]
[policies.least_request]
`

// What the seed does to the mean latency of two policies is the same: paired by seed, their
// difference is known several times better than if each had RPCs of its own. 40 seeds, so that the
// widths themselves are known to some 11 %.
func TestPairedIntervalsAreTighter(t *testing.T) {
	p := concluded(t, loaded).Points[0]
	f := metricOf(p, "mean")
	paired := *f.Against(p.Policies[1].Runs, p.Policies[0].Runs).Half
	apart := math.Hypot(*f.Over(p.Policies[1].Runs).Half, *f.Over(p.Policies[0].Runs).Half)
	t.Logf("paired ±%.4f ms, apart ±%.4f ms", paired, apart)
	if paired > apart/3 {
		t.Errorf("paired ±%.4f ms, apart ±%.4f ms: want a third or less", paired, apart)
	}
}

// Of 1000 RPCs or so in each run some runs have enough for a p99 and others have not. Their mean
// would be one of runs with more RPCs, so there is none, nor a difference.
func TestFiguresOfChosenRunsAreWithheld(t *testing.T) {
	p := concluded(t, loaded, "duration=7.25s", "seeds=20").Points[0]
	f := metricOf(p, "p99")
	got := f.Over(p.Policies[0].Runs)
	if got.Mean != nil || got.Half != nil || got.Runs < 3 || got.Runs > 17 {
		t.Errorf("got %+v, want no mean, of some 10 runs of 20", got)
	}
	if d := f.Against(p.Policies[1].Runs, p.Policies[0].Runs); d.Mean != nil ||
		d.Verdict != analysis.CannotTell {
		t.Errorf("got %+v, want no difference", d)
	}
	if mean := metricOf(p, "mean").Over(p.Policies[0].Runs); mean.Mean == nil || mean.Runs != 20 {
		t.Errorf("got %+v, want a mean", mean)
	}
}

// One unstable run of several is no verdict: it may be chance. All of one policy alone are one, if
// there are three; but an RPC that was never answered is no better than one that waits ever longer.
func TestVerdictsOnUnstablePolicies(t *testing.T) {
	stable := experiments.Measures{LatencyAll: analysis.Percentiles{P50: new(1.0)}}
	grows := experiments.Measures{LatencyAll: analysis.Percentiles{P50: new(9.0)}}
	grows.Warn(analysis.Unstable, "it grows")
	failed := experiments.Measures{LatencyAll: analysis.Percentiles{P50: new(math.Inf(1))}}
	runs := func(of ...*experiments.Measures) (list []*experiments.Measures) {
		for i, m := range of {
			one := *m
			one.Seed = uint64(i)
			list = append(list, &one)
		}
		return list
	}
	all, none := runs(&grows, &grows, &grows), runs(&stable, &stable, &stable)
	half, never := runs(&grows, &stable, &grows), runs(&failed, &failed, &failed)
	f := analysis.LatencyMetric("latency_p50_ms", "all")
	for _, row := range []struct {
		policy, baseline []*experiments.Measures
		want             analysis.Verdict
	}{
		{all, none, analysis.Worse}, {none, all, analysis.Better}, {all, all, analysis.CannotTell},
		{half, none, analysis.CannotTell}, {none, half, analysis.CannotTell}, {all, half,
			analysis.CannotTell},
		{all[:2], none[:2], analysis.CannotTell}, {all, never, analysis.CannotTell},
	} {
		d := f.Against(row.policy, row.baseline)
		if d.Verdict != row.want || d.Mean != nil {
			t.Errorf("%d against %d unstable runs: %s of %v, want %s of nothing",
				analysis.UnstableRuns(row.policy), analysis.UnstableRuns(row.baseline), d.Verdict,
				d.Mean, row.want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	less := analysis.LatencyMetric("latency_p50_ms", "all")
	ofDifferences := func(figures []float64) analysis.Difference {
		var policy, baseline []*experiments.Measures
		for i, x := range figures {
			p, b := analysis.Percentiles{P50: new(100.0 + x)}, analysis.Percentiles{P50: new(100.0)}
			policy = append(policy, &experiments.Measures{Seed: uint64(i), LatencyAll: p})
			baseline = append(baseline, &experiments.Measures{Seed: uint64(i), LatencyAll: b})
		}
		return less.Against(policy, baseline)
	}
	for _, row := range []struct {
		name    string
		figures []float64
		want    analysis.Verdict
		more    int // -1 for none
	}{
		{"one run", []float64{-5}, analysis.CannotTell, -1},
		{"clearly less", []float64{-5, -5.1, -4.9}, analysis.Better, -1},
		{"clearly more", []float64{5, 5.1, 4.9}, analysis.Worse, -1},
		{"always the same", []float64{5, 5, 5}, analysis.Worse, -1},
		{"the same in two runs, which may be chance", []float64{5, 5}, analysis.CannotTell, 1},
		{"no difference at all", []float64{0, 0, 0}, analysis.Identical, -1},
		// The deviation is 1: ±1.24 of 5 runs. Of 18, ±0.497.
		{"too few", []float64{0.5 - math.Sqrt2, 0.5, 0.5, 0.5, 0.5 + math.Sqrt2},
			analysis.CannotTell, 13},
		{"too little", []float64{-1, 1.0001}, analysis.CannotTell, -1},
		{"nothing", nil, analysis.CannotTell, -1},
	} {
		d := ofDifferences(row.figures)
		more := -1
		if d.MoreSeeds != nil {
			more = *d.MoreSeeds
		}
		if d.Verdict != row.want || more != row.more {
			t.Errorf("%s: %s and %d more seeds, want %s and %d",
				row.name, d.Verdict, more, row.want, row.more)
		}
	}
}
