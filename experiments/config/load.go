// Package config reads an experiment: from a file in TOML to the [models.Config] of every point of
// the sweep, or to an error with file, line and key.
package config

import (
	"fmt"
	"slices"
	"strings"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config/cost"
	"lbsim/internal/nearest"
	"lbsim/options"
)

// Experiment is a question that is ready to be run: every policy at every point of the sweep with
// every seed.
type Experiment struct {
	Name string
	// File is where it was read from.
	File File
	// Question is the comment that the file opens with.
	Question string
	// SweepKeys are the keys that are swept, in the order of the file.
	SweepKeys []string
	Policies  []string
	// Baseline is the policy that the others are compared with.
	Baseline string
	// FirstSeed is that of the first run of each policy; the others have those that follow it.
	FirstSeed uint64
	// Seeds is how many there are, or, where there is a precision, in the first round.
	Seeds int
	// Precision is how tightly a figure shall be known; nil where the seeds are all that is run.
	Precision *analysis.Precision
	// MaxSeeds is how many seeds may be run for that.
	MaxSeeds int
	// FindWarmup: the warm-up is found from runs of its own.
	FindWarmup bool

	base   *Point // the file before its sweep
	source *source

	// Estimate is about what all of it takes.
	Estimate cost.Estimate
	// Force lifts the limits of what the runs may take.
	Force bool

	points *points
}

// SeedList returns the seeds that runs have in the first round.
func (e *Experiment) SeedList() []uint64 { return SeedRange(e.FirstSeed, e.Seeds) }

// SeedRange returns n seeds that follow each other.
func SeedRange(first uint64, n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = first + uint64(i)
	}
	return list
}

// Options are what the command line changes.
type Options struct {
	Set      []string // key=value
	Policies []string // only these; empty for all
	Seed     *uint64
	// Force lifts the limits of what an experiment may cost.
	Force bool
	// Kinds are further kinds, beside those that ship with lbsim.
	Kinds Kinds
}

// Read reads an experiment and checks all of it. Errors say "file:line: key: what is wrong", in a
// line.
func Read(f File, opt Options) (*Experiment, error) {
	e, err := read(f, opt)
	if err != nil {
		return nil, OneLine(err)
	}
	return e, nil
}

func read(f File, opt Options) (*Experiment, error) {
	if len(f.Text) > mostFile && !opt.Force {
		return nil, fmt.Errorf("%s: %w", f.Name, errTooLarge(mostFile))
	}
	s, err := newSource(f, opt.Force)
	if err != nil {
		return nil, err
	}
	if s.kinds, err = opt.Kinds.WithShipped(); err != nil {
		return nil, err
	}
	s.codec = newCodec(&s.kinds, s.open, &s.made)
	e := &Experiment{
		Name: BaseName(f.Name), Question: OpeningComment(s.text), File: f, source: s,
		Force: opt.Force,
	}
	if opt.Seed != nil {
		opt.Set = append(slices.Clip(opt.Set), fmt.Sprintf("seed=%d", *opt.Seed))
	}
	for _, text := range opt.Set {
		if err := s.override(text); err != nil {
			return nil, err
		}
	}
	e.base, err = build(s, s.tree)
	if err != nil {
		return nil, s.locate(err)
	}
	e.SweepKeys = s.order(s.tree, "sweep")
	if err := e.choosePolicies(opt.Policies); err != nil {
		return nil, err
	}
	if err := e.chooseBaseline(); err != nil {
		return nil, s.locate(err)
	}
	if err := e.choosePrecision(); err != nil {
		return nil, s.locate(err)
	}
	e.FirstSeed, e.Seeds = e.base.Document.Seed, e.base.Document.Seeds
	e.FindWarmup = e.base.Document.Warmup == autoWarmup
	if err := e.sweep(e.base.Document.Sweep); err != nil {
		return nil, s.locate(err)
	}
	key, err := e.Estimate.Check(len(e.SweepKeys) > 0)
	if err != nil && !opt.Force {
		return nil, s.locate(&options.KeyError{Key: key, Err: err})
	}
	return e, nil
}

// choosePolicies keeps those that the command line names, or all.
func (e *Experiment) choosePolicies(only []string) error {
	if err := e.CheckPolicies(only); err != nil {
		return err
	}
	for _, p := range e.base.Policies {
		if len(only) == 0 || slices.Contains(only, p.Name) {
			e.Policies = append(e.Policies, p.Name)
		}
	}
	return nil
}

// CheckPolicies refuses names that no policy of the file has.
func (e *Experiment) CheckPolicies(names []string) error {
	var known []string
	for _, p := range e.base.Policies {
		known = append(known, p.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("-policies: %s has no policy %q%s",
				e.File.Name, name, nearest.Hint(name, known))
		}
	}
	return nil
}

// chooseBaseline takes the one that the file names, or the first policy.
func (e *Experiment) chooseBaseline() error {
	name := &e.base.Document.Baseline
	if *name == "" {
		*name = e.Policies[0]
	}
	if !slices.Contains(e.Policies, *name) {
		return options.Errorf([]string{"baseline"}, "%q is not among the policies that run%s",
			*name, nearest.Hint(*name, e.Policies))
	}
	e.Baseline = *name
	return nil
}

// choosePrecision reads how tightly a figure shall be known, if the file says so.
func (e *Experiment) choosePrecision() error {
	t := &e.base.Document
	p, err := analysis.ParsePrecision(t.Precision)
	switch {
	case err != nil:
		return &options.KeyError{Key: []string{"precision"}, Err: err}
	case p != nil && t.Seeds < 2:
		return options.Errorf([]string{"precision"}, "needs runs with several seeds, which give "+
			"an interval: write seeds = 5, or 2 at least, to begin with (is %d)", t.Seeds)
	case p != nil && t.MaxSeeds < t.Seeds:
		return options.Errorf([]string{"max_seeds"}, "must be at least seeds, %d (is %d)",
			t.Seeds, t.MaxSeeds)
	}
	e.Precision, e.MaxSeeds = p, t.MaxSeeds
	return nil
}

// OpeningComment returns the comment that a file begins with, as lines of text.
func OpeningComment(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		rest, isComment := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !isComment {
			break
		}
		lines = append(lines, strings.TrimSpace(rest))
	}
	return strings.Join(lines, "\n")
}

// PointCount is how many points the sweep has; 1 without a sweep.
func (e *Experiment) PointCount() int { return e.points.count() }

// Point returns a point of the sweep, from 0 on. It must not be changed.
func (e *Experiment) Point(number int) *Point { return e.points.get(number) }

// PointTexts returns the value of each swept key at a point, as in the file.
func (e *Experiment) PointTexts(number int) []string { return e.points.texts(number) }

// DataFiles are the data files beside the experiment, or below, that it names, by their paths from
// there.
func (e *Experiment) DataFiles() map[string][]byte { return e.source.data }
