package validation

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// Every line of the table is a row of an experiment, or the page says why not, and every family has
// lines. Quantiles ascend, as their shares are looked up.
func TestTheWholeTableIsCompared(t *testing.T) {
	s := New(false)
	seen := make(map[string]int)
	for _, e := range s.Experiments {
		last := 0.0
		for _, r := range e.Rows {
			seen[e.Family+" "+e.Parameters+" "+r.Metric]++
			if quantileOf(r.Metric) > 0 {
				if r.Exact < last {
					t.Errorf("%s %s: %s is less than what is before it",
						e.Family, e.Name(), r.Metric)
				}
				last = r.Exact
			}
		}
	}
	for _, l := range s.LeftOut {
		seen[l.Experiment.Family+" "+l.Experiment.Parameters+" "+l.Metric]++
	}
	known := make(map[string]bool)
	for _, e := range table() {
		known[e.family] = true
		if seen[e.family+" "+string(e.parameters)+" "+e.metric] == 0 {
			t.Errorf("nothing of %s %s %s", e.family, e.parameters, e.metric)
		}
	}
	for _, f := range families {
		if !known[f.name] {
			t.Errorf("the table has nothing of family %s", f.name)
		}
	}
	if n, _ := s.Count(); n < 1700 || len(s.LeftOut) > 140 || len(known) != len(families) {
		t.Errorf("%d rows of %d families, %d left out; want at least 1700 of %d, and 140 at most",
			n, len(known), len(s.LeftOut), len(families))
	}
}

// The quick part has something of each family, and seeds are those of the whole.
func TestQuickPartHasAllFamilies(t *testing.T) {
	seeds := make(map[string]uint64)
	for _, e := range New(false).Experiments {
		seeds[e.Family+e.Name()] = e.Seed
	}
	have := make(map[string]bool)
	for _, e := range New(true).Experiments {
		have[e.Family] = true
		if e.Seed != seeds[e.Family+e.Name()] {
			t.Errorf("%s: seed %d, in the whole %d", e.Name(), e.Seed, seeds[e.Family+e.Name()])
		}
	}
	for _, f := range families {
		if !have[f.name] {
			t.Errorf("the quick part has nothing of %s", f.name)
		}
	}
}

// No two experiments share a seed, or their luck would be the same.
func TestSeedsAreApart(t *testing.T) {
	seen := make(map[uint64]string)
	for _, e := range New(false).Experiments {
		for r := range uint64(Replications) {
			if other := seen[e.Seed+r]; other != "" {
				t.Fatalf("%s %s and %s have seed %d", e.Family, e.Name(), other, e.Seed+r)
			}
			seen[e.Seed+r] = e.Family + " " + e.Name()
		}
	}
}

// Each experiment of the whole suite is a valid config, also those that no test runs.
func TestConfigsAreValid(t *testing.T) {
	s := New(false)
	for i := range s.Experiments {
		e := &s.Experiments[i]
		config := s.config(e, 0)
		if err := config.Check(); err != nil {
			t.Errorf("%s %s: %v", e.Family, e.Name(), err)
		}
	}
}

// Service times have the mean and the coefficient of variation that the table says.
func TestServiceTimes(t *testing.T) {
	for _, test := range []struct {
		text string
		want float64
	}{
		{"Exp(mean 1)", 1}, {"constant 1", 0}, {"1 (constant)", 0},
		{"Lognormal(mean 1, sigma=1)", math.E - 1},
		{"Lognormal(mean 1, sigma=0.5)", 0.284025},
		{"Pareto(mean 1, alpha=3.5, xm=0.714285714)", 1 / (3.5 * 1.5)},
		{"H2(mean 1, cv2=4, balanced means: p=0.887298335, rates 1.77459667/0.225403331)", 4},
		{"Bimodal(0.5 w.p. 0.9; 5.5 w.p. 0.1; mean 1)", 2.25},
		{"Pareto(mean 1, alpha=2.5, xm=0.6)", 0.8},
		{"Lognormal(mean 1, sigma=2)", math.Exp(4) - 1},
		{"Bimodal(0.5 w.p. 0.99; 50.5 w.p. 0.01; mean 1)", 24.75},
	} {
		text, want := test.text, test.want
		d := serviceTime(text)
		cv2 := d.Variance() / d.Mean() / d.Mean()
		taken := moment(text, 2) - 1
		if math.Abs(d.Mean()-unit.Seconds()) > 1e-9 || math.Abs(cv2-want) > 1e-5*(1+want) ||
			math.Abs(taken-want) > 1e-5 || math.Abs(moment(text, 1)-1) > 1e-9 {
			t.Errorf("%s: mean %v s, cv² %v, taken for mean %v and %v; want %v s and %v",
				text, d.Mean(), cv2, moment(text, 1), taken, unit.Seconds(), want)
		}
	}
	for _, e := range table() { // none that is not known
		for _, key := range []string{"S", "X"} {
			if e.parameters.has(key + "=") {
				serviceTime(e.parameters.text(key))
			}
		}
	}
}

// What comes out does not depend on how many runs there are at a time. A page says what fails.
func TestPage(t *testing.T) {
	pages := make([]string, 2)
	for i := range pages {
		s := New(true)
		s.Experiments = s.Experiments[:1]
		e := &s.Experiments[0]
		e.station.rpcs *= 100 // so that it is short
		e.Rows[0].Exact = 3
		if err := s.Run(t.Context(), 1+2*i, func() {}); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := s.WriteMarkdown(&b); err != nil {
			t.Fatal(err)
		}
		pages[i] = b.String()
	}
	if pages[0] != pages[1] {
		t.Error("with three runs at a time it says something else than with one")
	}
	for _, want := range []string{
		"lbsim validate -quick", "| lambda=0.5; mu=1 | mean_T | 3 |", "**FAILS**", "| holds |",
		"## Without an experiment",
	} {
		if !strings.Contains(pages[0], want) {
			t.Errorf("the page lacks %q:\n%s", want, pages[0])
		}
	}
}
