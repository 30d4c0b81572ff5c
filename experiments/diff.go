package experiments

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lbsim/experiments/config"
	"lbsim/experiments/layout"
	"lbsim/experiments/report"
	"lbsim/experiments/runner"
)

// DiffOptions choose the runs that are compared.
type DiffOptions struct {
	// Policies has one policy of both experiments, or one of the first and one of the second; empty
	// for each policy that both have.
	Policies []string
	// Seed is the seed of the runs; nil for the first seed that both have.
	Seed *uint64
	// Kinds are further kinds, as in [Options].
	Kinds Kinds
}

// comparedSide is one of two experiments that are compared.
type comparedSide struct {
	name     string
	e        *Experiment
	resolved string   // the resolved experiment, with all policies
	kept     *Summary // the summary of a results folder; nil for a file
	points   []string // the points of the sweep, as texts
}

// openSide reads an experiment from a file or a results folder.
func openSide(name string, kinds Kinds) (*comparedSide, error) {
	s := &comparedSide{name: name}
	file := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if s.kept, err = report.ReadSummary(name); err != nil {
			return nil, err
		}
		if _, err := report.ReadResolved(name); err != nil {
			return nil, err
		}
		file = filepath.Join(name, layout.ResolvedFile)
	}
	var err error
	if s.e, err = Load(file, Options{Kinds: kinds, Force: true}); err != nil {
		return nil, err
	}
	s.resolved = s.e.Resolved()
	for number := range s.e.PointCount() {
		s.points = append(s.points, fmt.Sprintf("%q", s.e.PointTexts(number)))
	}
	return s, nil
}

// seeds returns the seeds of the runs that were, or would be, made.
func (s *comparedSide) seeds() []uint64 {
	if s.kept != nil {
		return s.kept.Seeds
	}
	return s.e.SeedList()
}

// contender returns the run of a policy at a point with a seed. If a results folder has that run,
// it has the same warm-up.
func (s *comparedSide) contender(policy, point string, seed uint64) runner.Contender {
	v := runner.NewVariant(s.e, slices.Index(s.points, point), policy, seed)
	c := runner.Contender{Name: s.name, Variant: v}
	if s.kept == nil {
		return c
	}
	for _, m := range s.kept.Runs {
		if m.Policy == policy && m.Seed == seed && maps.Equal(m.Point, v.PointValues()) {
			v.Config.Warmup = time.Duration(math.Round(m.WarmupS * 1e9)) // it may have been found
			c.Recorded = &runner.Recorded{Digest: m.Digest, Version: s.kept.Version}
		}
	}
	return c
}

// Diff writes the first event at which runs of two experiments differ. Each is a file, the name of
// an experiment that ships with lbsim, or a results folder, whose runs are repeated.
func Diff(ctx context.Context, w io.Writer, nameA, nameB string, opt DiffOptions) error {
	a, err := openSide(nameA, opt.Kinds)
	if err != nil {
		return err
	}
	b, err := openSide(nameB, opt.Kinds)
	if err != nil {
		return err
	}
	pairs, err := pairsOf(a, b, opt.Policies)
	if err != nil {
		return err
	}
	seed, err := seedOf(a, b, opt.Seed)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "first:  %s\nsecond: %s\n", nameA, nameB)
	report.WriteConfigs(w, a.resolved, b.resolved)
	if a.kept != nil && b.kept != nil {
		report.WriteVersions(w, nameA, nameB, a.kept, b.kept)
	}
	found := false
	for i, point := range a.points {
		if slices.Contains(a.points[:i], point) || !slices.Contains(b.points, point) {
			continue
		}
		found = true
		for _, pair := range pairs {
			first, second := a.contender(pair[0], point, seed), b.contender(pair[1], point, seed)
			if err := runner.WriteDivergence(ctx, w, first, second); err != nil {
				return err
			}
		}
	}
	if !found {
		return fmt.Errorf("%s and %s have no point of their sweeps in common", nameA, nameB)
	}
	return nil
}

// pairsOf returns the policies whose runs are compared: each pair is one of the first experiment
// and one of the second.
func pairsOf(a, b *comparedSide, asked []string) (pairs [][2]string, err error) {
	if !slices.Equal(a.e.SweepKeys, b.e.SweepKeys) {
		return nil, fmt.Errorf("%s sweeps %q, %s %q: no point is the same",
			a.name, a.e.SweepKeys, b.name, b.e.SweepKeys)
	}
	switch len(asked) {
	case 0:
		for _, name := range a.e.Policies {
			if slices.Contains(b.e.Policies, name) {
				pairs = append(pairs, [2]string{name, name})
			}
		}
		if len(pairs) == 0 {
			return nil, fmt.Errorf("%s has the policies %s, %s has %s, and none is in both: name "+
				"one of each, such as -policies %s,%s", a.name, strings.Join(a.e.Policies, ", "),
				b.name, strings.Join(b.e.Policies, ", "), a.e.Policies[0], b.e.Policies[0])
		}
	case 1, 2:
		pairs = append(pairs, [2]string{asked[0], asked[len(asked)-1]})
	default:
		return nil, fmt.Errorf("-policies: name one, or one of each side (has %d)", len(asked))
	}
	for i, s := range []*comparedSide{a, b} {
		for _, pair := range pairs {
			if err := s.runnable(pair[i]); err != nil {
				return nil, err
			}
		}
	}
	return pairs, nil
}

// runnable refuses a policy that does not exist, or whose runs are not repeatable.
func (s *comparedSide) runnable(policy string) error {
	if err := s.e.CheckPolicies([]string{policy}); err != nil {
		return err
	}
	v := runner.NewVariant(s.e, 0, policy, 0)
	if config.CompanionOf(&v.Config) != nil {
		return fmt.Errorf("%s: runs of %s are not repeatable to the byte: their first "+
			"difference has no meaning", s.name, policy)
	}
	return nil
}

// seedOf returns the seed of the runs that are compared.
func seedOf(a, b *comparedSide, asked *uint64) (uint64, error) {
	if asked != nil {
		return *asked, nil
	}
	for _, seed := range a.seeds() {
		if slices.Contains(b.seeds(), seed) {
			return seed, nil
		}
	}
	return 0, fmt.Errorf("%s and %s have no seed in common: choose one with -seed", a.name, b.name)
}
