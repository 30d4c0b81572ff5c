package analysis

import (
	"fmt"
	"slices"
)

// Warning is something that weakens a result.
type Warning struct {
	Kind WarningKind `json:"kind"`
	Text string      `json:"text"`
}

// WarningKind is the kind of a warning, for programs.
type WarningKind string

// The kinds of warnings.
const (
	// Bug: a run violated an invariant, so lbsim has a bug.
	Bug WarningKind = "bug"
	// FewSeeds: there are too few runs for a useful confidence interval.
	FewSeeds WarningKind = "few_seeds"
	// FewSamples: too few RPCs ended for some percentiles; these have no value.
	FewSamples WarningKind = "few_samples"
	// Unstable: more RPCs begin than end, so latencies depend on the length of the run.
	Unstable WarningKind = "unstable"
	// Overloaded: a backend gets more than it can serve, and clients give up.
	Overloaded WarningKind = "overloaded"
	// FullLoad: the offered load is the capacity or more, so there is no steady state.
	FullLoad WarningKind = "full_load"
	// Halves: the second half of the measured time differs from the first.
	Halves WarningKind = "halves"
	// SeedsAlike: the runs of a policy differ in no metric, so its intervals have no meaning.
	SeedsAlike WarningKind = "seeds_alike"
	// InStep: failures come at equal distances, at the same moments under all seeds.
	InStep WarningKind = "in_step"
	// Unsettled: half of the run is warm-up, and that may not be enough.
	Unsettled WarningKind = "unsettled"
	// Imprecise: the precision of the file was not reached.
	Imprecise WarningKind = "imprecise"
	// OpenRPCs: more than 1 % of the RPCs were open at the end, and are in no percentile.
	OpenRPCs WarningKind = "open_rpcs"
	// NoEffect: something in the experiment has no effect on what is measured.
	NoEffect WarningKind = "no_effect"
	// Remark: a remark of the policy itself.
	Remark WarningKind = "remark"
	// Fails: all RPCs of some clients, or under some policy, must fail, by the file.
	Fails WarningKind = "fails"
	// Inert: a policy does less than its options ask for, because something is missing.
	Inert WarningKind = "inert"
	// SameAsBaseline: a policy made the same runs as the baseline.
	SameAsBaseline WarningKind = "same_as_baseline"
	// Unrepeatable: another run with the same seed may give other values.
	Unrepeatable WarningKind = "unrepeatable"
)

// fewSeeds is the least number of runs without a warning: the half-width is 2.8 standard errors
// with 5 runs, and 12.7 with 2.
const fewSeeds = 5

// warnOfSeeds warns of intervals from few runs.
func warnOfSeeds(s *Summary) {
	least := len(s.Seeds)
	for _, p := range s.Points {
		for i := range p.Policies {
			least = min(least, len(p.Policies[i].Seeds))
		}
	}
	switch {
	case len(s.Runs) == 0 || least >= fewSeeds:
	case least == 1:
		s.warn(FewSeeds, "One run each: confidence intervals and verdicts need more, such as "+
			"seeds = 5.")
	default:
		s.warn(FewSeeds, fmt.Sprintf("Intervals from %d runs are wide guesses; 5 or more narrow "+
			"them.", least))
	}
}

// warnOfRun warns of what weakens a run.
func warnOfRun(d *runData) {
	m, run := d.m, d.record
	if d.Unrepeatable != "" {
		m.warn(Unrepeatable, "%s", d.Unrepeatable)
	}
	for _, invariant := range run.Broken {
		m.warn(Bug, "a bug of lbsim, do not trust these results: %s", invariant)
	}
	if run.Open > run.In/100 {
		m.warn(OpenRPCs, "%d of %d RPCs were still open at the end: "+
			"their latency is not in the percentiles", run.Open, run.In)
	}
	if run.Remark != "" {
		m.warn(Remark, "%s", run.Remark)
	}
	if d.Unsettled {
		m.warn(Unsettled, "the run is too short to find a warm-up: it has not settled in its "+
			"first half, which is cut off; make it longer")
	}
	warnOfRetries(d)
	warnOfInstability(d)
	warnOfFullLoad(d)
	warnOfHalves(d)
	warnOfSamples(d)
}

// note is a warning about runs of a policy.
type note struct {
	policy string
	Warning
	seeds []uint64
}

// String returns the note as a line.
func (n *note) String() string {
	if len(n.seeds) == 1 {
		return fmt.Sprintf("%s, seed %d: %s", n.policy, n.seeds[0], n.Text)
	}
	return fmt.Sprintf("%s, %d seeds: %s", n.policy, len(n.seeds), n.Text)
}

// Notes are footnotes, in the order of their numbers.
type Notes []*note

// Add adds a warning of a run to the notes about one point, and returns the number of its note. Of
// warnings of one kind that differ only in their numbers it keeps the first.
func (n *Notes) Add(from int, policy string, w Warning, seed uint64) (number int) {
	i := slices.IndexFunc(*n, func(o *note) bool {
		return o.policy == policy && o.Warning == w
	})
	if i < 0 {
		at := slices.IndexFunc((*n)[from:], func(o *note) bool {
			return o.policy == policy && o.Kind == w.Kind
		})
		if i = from + at; at < 0 {
			i = len(*n)
			*n = append(*n, &note{policy: policy, Warning: w})
		}
	}
	if o := (*n)[i]; !slices.Contains(o.seeds, seed) {
		o.seeds = append(o.seeds, seed)
	}
	return i + 1
}
