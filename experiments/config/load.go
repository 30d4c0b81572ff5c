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

// Experiment is a valid experiment, ready to run: every policy at every point of the sweep with
// every seed.
type Experiment struct {
	// Name is the name of the file, without folder and ".toml".
	Name string
	// File is the file that it was read from.
	File File
	// Question is the comment that the file opens with.
	Question string
	// SweepKeys are the swept keys, in the order of the file.
	SweepKeys []string
	// Policies are the names of the policies that run, in the order of the file.
	Policies []string
	// Baseline is the policy that the others are compared with.
	Baseline string
	// FirstSeed is the seed of the first run of each policy; further runs have the next ones.
	FirstSeed uint64
	// Seeds is the number of seeds; with a precision, that of the first round.
	Seeds int
	// Precision is the confidence interval to reach by further seeds; nil for none.
	Precision *analysis.Precision
	// MaxSeeds is the greatest number of seeds with a precision.
	MaxSeeds int
	// FindWarmup reports whether the warm-up is found from pilot runs.
	FindWarmup bool
	// Estimate is an estimate of the resources of all runs.
	Estimate cost.Estimate
	// Force reports whether the limits on these resources are lifted.
	Force bool

	base   *Point // the file before its sweep
	source *source
	points *points
}

// SeedList returns the seeds of the first round.
func (e *Experiment) SeedList() []uint64 { return SeedRange(e.FirstSeed, e.Seeds) }

// SeedRange returns n successive seeds.
func SeedRange(first uint64, n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = first + uint64(i)
	}
	return list
}

// Options are changes to an experiment by the command line or a program. The zero value changes
// nothing.
type Options struct {
	// Set has the new values of keys, such as "clients.web.rate=3000/s".
	Set []string
	// Policies are the names of the policies that run; empty for all.
	Policies []string
	// Seed replaces the seed of the file, and is at most 1<<63 - 1; nil leaves the seed.
	Seed *uint64
	// Force lifts the limits on resources and file sizes.
	Force bool
	// Kinds are further kinds, beside those that ship with lbsim.
	Kinds Kinds
}

// Read reads and checks an experiment. An error is one line, "file:line: key: what is wrong, and
// what would be right". An error about a key wraps an [options.KeyError].
func Read(f File, opt Options) (*Experiment, error) {
	e, err := read(f, opt)
	if err != nil {
		return nil, OneLine(err)
	}
	return e, nil
}

func read(f File, opt Options) (*Experiment, error) {
	if len(f.Text) > maxFileBytes && !opt.Force {
		return nil, fmt.Errorf("%s: %w", f.Name, errTooLarge(maxFileBytes))
	}
	s, err := newSource(f, opt.Force)
	if err != nil {
		return nil, err
	}
	if s.kinds, err = opt.Kinds.WithShipped(); err != nil {
		return nil, err
	}
	s.codec = newCodec(&s.kinds, s.open, &s.memo)
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

// choosePolicies keeps the policies that the command line names, or all.
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

// chooseBaseline takes the baseline of the file, or the first policy.
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

// choosePrecision reads the precision, if the file has one.
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

// PointCount returns the number of points of the sweep; 1 without a sweep.
func (e *Experiment) PointCount() int { return e.points.count() }

// Point returns a point of the sweep, from 0 on. It must not be changed.
func (e *Experiment) Point(number int) *Point { return e.points.get(number) }

// PointTexts returns the value of each swept key at a point, as in the file.
func (e *Experiment) PointTexts(number int) []string { return e.points.texts(number) }

// DataFiles returns the data files that the experiment names by relative paths, by these paths.
func (e *Experiment) DataFiles() map[string][]byte { return e.source.data }
