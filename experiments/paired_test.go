package experiments

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbsim/policies"
)

// again is random under another name: one draw behind it, so that the same policy meets the same
// RPCs but picks otherwise.
type again struct{}

func (again) Doc() string { return "random, one draw later" }

func (again) Build(h policies.Host) policies.Balancer {
	h.Rand().Uint64()
	return policies.Random{}.Build(h)
}

// twins are two runs of one policy beside one another, and a better one.
const twins = `# Which of two equal policies is better?
seed     = 1
seeds    = 2000
duration = "4s"
warmup   = "1s"
[clients.c]
count = 2
rate  = "160/s"
[backends.b]
count   = 4
service = "exp(mean=15ms)"
[policies.random]
[policies.again]
[policies.least_request]
`

// concluded runs an experiment with -set and returns what its runs say.
func concluded(t *testing.T, text string, set ...string) *Summary {
	t.Helper()
	file := filepath.Join(t.TempDir(), "my.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]policies.Policy{"again": again{}}
	e, err := Load(file, Options{Set: set, Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	s := &Summary{Name: e.Name, Policies: e.Policies, Baseline: e.Baseline, Seeds: e.Seeds}
	s.SweepKeys, s.Complete = e.SweepKeys, true
	err = e.Run(t.Context(), 2, func(_ int, m *Measures) { s.Runs = append(s.Runs, m) })
	if err != nil {
		t.Fatal(err)
	}
	s.conclude()
	return s
}

// Two names for one policy: 400 sets of 5 seeds each, and 5 % of the verdicts are wrong. Their
// number is binomial with a standard deviation of 1.1 % for each figure; 8 % are 2.7 more.
func TestEqualPoliciesAreSeldomToldApart(t *testing.T) {
	const sets, of = 400, 5
	s := concluded(t, twins)
	p := s.Points[0]
	for _, column := range []string{"mean", "p50", "p90", "skew"} {
		f := p.text(column)
		wrong, right := 0, 0
		for i := range sets {
			slice := func(policy int) []*Measures { return p.Policies[policy].runs[i*of:][:of] }
			if v := f.against(slice(1), slice(0)).Verdict; v != CannotTell {
				wrong++
			}
			if f.against(slice(2), slice(0)).Verdict == Better {
				right++
			}
		}
		t.Logf("%s: %d of %d verdicts tell equal policies apart, %d find the better one",
			column, wrong, sets, right)
		if wrong > sets*8/100 || wrong == 0 {
			t.Errorf("%s: %d of %d verdicts tell equal policies apart, want 1 to %d",
				column, wrong, sets, sets*8/100)
		}
		if column != "skew" && right < sets*9/10 {
			t.Errorf("%s: %d of %d verdicts find the better policy, want 9 of 10",
				column, right, sets)
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

// What the seed does to the mean latency of two policies is the same: paired by seed, their
// difference is known several times better than if each had RPCs of its own. 40 seeds, so that the
// widths themselves are known to some 11 %.
func TestPairedIntervalsAreTighter(t *testing.T) {
	s := concluded(t, twins, "seeds=40", "duration=20s", "backends.b.workers=2",
		`backends.b.service="lognormal(mean=10ms, cv=2)"`)
	p := s.Points[0]
	f := p.text("mean")
	paired := *f.against(p.Policies[2].runs, p.Policies[0].runs).Half
	apart := math.Hypot(*f.over(p.Policies[2].runs).Half, *f.over(p.Policies[0].runs).Half)
	t.Logf("paired ±%.4f ms, apart ±%.4f ms", paired, apart)
	if paired > apart/3 {
		t.Errorf("paired ±%.4f ms, apart ±%.4f ms: want a third or less", paired, apart)
	}
}

func TestVerdicts(t *testing.T) {
	less := figure{metric: "latency_mean_ms", better: -1}
	for _, row := range []struct {
		name    string
		figures []float64
		want    Verdict
		more    int // -1 for none
	}{
		{"one run", []float64{-5}, CannotTell, -1},
		{"clearly less", []float64{-5, -5.1, -4.9}, Better, -1},
		{"clearly more", []float64{5, 5.1, 4.9}, Worse, -1},
		{"always the same", []float64{5, 5}, Worse, -1},
		{"no difference at all", []float64{0, 0, 0}, CannotTell, -1},
		// The deviation is 1: ±1.24 of 5 runs. Of 18, ±0.497.
		{"too few", []float64{0.5 - math.Sqrt2, 0.5, 0.5, 0.5, 0.5 + math.Sqrt2}, CannotTell, 13},
		{"too little", []float64{-1, 1.0001}, CannotTell, -1},
		{"nothing", nil, CannotTell, -1},
	} {
		d := less.judge(intervalOf(row.figures))
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
