package experiments

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

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
func concluded(t *testing.T, text string, set ...string) *Summary {
	t.Helper()
	kinds := map[string]policies.Policy{"again": again{}}
	e, err := Load(fileOf(t, text), Options{Set: set, Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	s := &Summary{Name: e.Name, Policies: e.Policies, Baseline: e.Baseline, Seeds: e.SeedList()}
	s.SweepKeys, s.Complete = e.SweepKeys, true
	plan := NewPlan(e)
	s.Runs = make([]*Measures, plan.Runs())
	err = plan.Run(t.Context(), 2, func(i int, m *Measures) {
		s.Runs = append(s.Runs, make([]*Measures, plan.Runs()-len(s.Runs))...)
		s.Runs[i] = m
	})
	if err != nil {
		t.Fatal(err)
	}
	s.conclude()
	return s
}

// slow-node tells that least_request has the better p99: under round_robin one RPC of ten fails, so
// its p99 is never; that of least_request is known to a few per cent.
func TestSlowNodeTellsWhoIsBetter(t *testing.T) {
	text, err := fs.ReadFile(Shipped, "slow-node.toml")
	if err != nil {
		t.Fatal(err)
	}
	p := concluded(t, string(text), "duration=20s", "warmup=8s").Points[0]
	last := &p.Policies[len(p.Policies)-1]
	d := p.text("p99").against(last.runs, p.Policies[0].runs)
	least, none := p.text("p99").over(last.runs), p.text("p99").over(p.Policies[0].runs)
	if last.Policy != "least_request" || d.Verdict != Better || d.Runs != 5 ||
		d.Reason != NeverAnswered || none.Reason != NeverAnswered || none.Least != nil ||
		!(*least.Mean > 100 && *least.Mean < 200 && *least.Half < 20) {
		t.Errorf("p99 of %s %s, of %s %s: %s", last.Policy, p.text("p99").cell(&least),
			p.Policies[0].Policy, p.text("p99").cell(&none), differenceOf(last, p.text("p99")))
	}
}

// Two names for a policy that draws the same: what differs is nothing at all, and so is said.
func TestAPolicyDoesNotDifferFromItself(t *testing.T) {
	s := concluded(t, twins, "seeds=3", "policies.again.kind=random")
	for _, d := range s.Points[0].Policies[1].Differences {
		same := d.Verdict == Identical || d.Verdict == NoVerdict || d.Reason == TooFewSamples
		if !same || d.MoreSeeds != nil || d.Mean != nil && *d.Mean != 0 {
			t.Errorf("%s of the same policy: %+v", d.Metric, d)
		}
	}
}

// text returns the figure of a column.
func (p *PointResults) text(column string) *figure {
	for k := range p.figures {
		if p.figures[k].column == column {
			return &p.figures[k]
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
	f := p.text("mean")
	paired := *f.against(p.Policies[1].runs, p.Policies[0].runs).Half
	apart := math.Hypot(*f.over(p.Policies[1].runs).Half, *f.over(p.Policies[0].runs).Half)
	t.Logf("paired ±%.4f ms, apart ±%.4f ms", paired, apart)
	if paired > apart/3 {
		t.Errorf("paired ±%.4f ms, apart ±%.4f ms: want a third or less", paired, apart)
	}
}

// Of 1000 RPCs or so in each run some runs have enough for a p99 and others have not. Their mean
// would be one of runs with more RPCs, so there is none, nor a difference.
func TestFiguresOfChosenRunsAreWithheld(t *testing.T) {
	p := concluded(t, loaded, "duration=7.25s", "seeds=20").Points[0]
	f := p.text("p99")
	got := f.over(p.Policies[0].runs)
	if got.Mean != nil || got.Half != nil || got.Runs < 3 || got.Runs > 17 {
		t.Errorf("got %+v, want no mean, of some 10 runs of 20", got)
	}
	if d := f.against(p.Policies[1].runs, p.Policies[0].runs); d.Mean != nil ||
		d.Verdict != CannotTell {
		t.Errorf("got %+v, want no difference", d)
	}
	if mean := p.text("mean").over(p.Policies[0].runs); mean.Mean == nil || mean.Runs != 20 {
		t.Errorf("got %+v, want a mean", mean)
	}
}

// One unstable run of several is no verdict: it may be chance. All of one policy alone are one, if
// there are three; but an RPC that was never answered is no better than one that waits ever longer.
func TestVerdictsOnUnstablePolicies(t *testing.T) {
	stable := Measures{LatencyAll: Percentiles{P50: some(1)}}
	grows := Measures{LatencyAll: Percentiles{P50: some(9)}}
	grows.warn(Unstable, "it grows")
	failed := Measures{LatencyAll: Percentiles{P50: some(math.Inf(1))}}
	runs := func(of ...*Measures) (list []*Measures) {
		for i, m := range of {
			one := *m
			one.Seed = uint64(i)
			list = append(list, &one)
		}
		return list
	}
	all, none := runs(&grows, &grows, &grows), runs(&stable, &stable, &stable)
	half, never := runs(&grows, &stable, &grows), runs(&failed, &failed, &failed)
	f := latencyFigure("p50", "all", "p50", func(p *Percentiles) *float64 { return p.P50 })
	for _, row := range []struct {
		policy, baseline []*Measures
		want             Verdict
	}{
		{all, none, Worse}, {none, all, Better}, {all, all, CannotTell},
		{half, none, CannotTell}, {none, half, CannotTell}, {all, half, CannotTell},
		{all[:2], none[:2], CannotTell}, {all, never, CannotTell},
	} {
		d := f.against(row.policy, row.baseline)
		if d.Verdict != row.want || d.Mean != nil {
			t.Errorf("%d against %d unstable runs: %s of %v, want %s of nothing",
				unstable(row.policy), unstable(row.baseline), d.Verdict, d.Mean, row.want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	less := latencyFigure("p50", "all", "p50", func(p *Percentiles) *float64 { return p.P50 })
	ofDifferences := func(figures []float64) Difference {
		var policy, baseline []*Measures
		for i, x := range figures {
			p, b := Percentiles{P50: some(100 + x)}, Percentiles{P50: some(100)}
			policy = append(policy, &Measures{Seed: uint64(i), LatencyAll: p})
			baseline = append(baseline, &Measures{Seed: uint64(i), LatencyAll: b})
		}
		return less.against(policy, baseline)
	}
	for _, row := range []struct {
		name    string
		figures []float64
		want    Verdict
		more    int // -1 for none
	}{
		{"one run", []float64{-5}, CannotTell, -1},
		{"clearly less", []float64{-5, -5.1, -4.9}, Better, -1},
		{"clearly more", []float64{5, 5.1, 4.9}, Worse, -1},
		{"always the same", []float64{5, 5, 5}, Worse, -1},
		{"the same in two runs, which may be chance", []float64{5, 5}, CannotTell, 1},
		{"no difference at all", []float64{0, 0, 0}, Identical, -1},
		// The deviation is 1: ±1.24 of 5 runs. Of 18, ±0.497.
		{"too few", []float64{0.5 - math.Sqrt2, 0.5, 0.5, 0.5, 0.5 + math.Sqrt2}, CannotTell, 13},
		{"too little", []float64{-1, 1.0001}, CannotTell, -1},
		{"nothing", nil, CannotTell, -1},
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
