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

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/experiments/layout"
	"lbsim/experiments/report"
	"lbsim/experiments/runner"
)

// DiffOptions say which runs are compared.
type DiffOptions struct {
	// Policies are none for each that both experiments have, one for that, or two: one of the first
	// experiment beside another of the second.
	Policies []string
	// Seed is nil for the first that both have.
	Seed *uint64
	// Kinds are further kinds, as in [Options].
	Kinds config.Kinds
}

// side is one of two experiments that are compared.
type side struct {
	name     string
	e        *config.Experiment
	resolved string            // with all policies
	kept     *analysis.Summary // of a results folder; nil of a file
	points   []string          // of the sweep, as texts
}

// openSide reads an experiment, or that of a results folder.
func openSide(name string, kinds config.Kinds) (*side, error) {
	s := &side{name: name}
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
	if s.e, err = Load(file, config.Options{Kinds: kinds, Force: true}); err != nil {
		return nil, err
	}
	s.resolved = s.e.Resolved()
	for number := range s.e.PointCount() {
		s.points = append(s.points, fmt.Sprintf("%q", s.e.PointTexts(number)))
	}
	return s, nil
}

// seeds are those that it was run with, or would be.
func (s *side) seeds() []uint64 {
	if s.kept != nil {
		return s.kept.Seeds
	}
	return s.e.SeedList()
}

// contender is the run of a policy at a point with a seed, as it was if a folder has it.
func (s *side) contender(policy, point string, seed uint64) runner.Contender {
	v := runner.NewVariant(s.e, slices.Index(s.points, point), policy, seed)
	c := runner.Contender{Name: s.name, Variant: v}
	if s.kept == nil {
		return c
	}
	for _, m := range s.kept.Runs {
		if m.Policy == policy && m.Seed == seed && maps.Equal(m.Point, v.PointValues()) {
			v.Config.Warmup = time.Duration(math.Round(m.WarmupS * 1e9)) // perhaps found
			c.Recorded = &runner.Recorded{Digest: m.Digest, Version: s.kept.Version}
		}
	}
	return c
}

// Diff writes the first event at which runs of two experiments part. Each is named by a file, by
// the name of one that ships with lbsim, or by a results folder, whose runs are made again.
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

// pairsOf returns the policies whose runs are compared: one of the first experiment, and one of the
// second.
func pairsOf(a, b *side, asked []string) (pairs [][2]string, err error) {
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
	for i, s := range []*side{a, b} {
		for _, pair := range pairs {
			if err := s.runnable(pair[i]); err != nil {
				return nil, err
			}
		}
	}
	return pairs, nil
}

// runnable refuses a policy that there is not, or whose runs differ each time.
func (s *side) runnable(policy string) error {
	if err := s.e.CheckPolicies([]string{policy}); err != nil {
		return err
	}
	v := runner.NewVariant(s.e, 0, policy, 0)
	if config.CompanionOf(&v.Config) != nil {
		return fmt.Errorf("%s: runs of %s are not repeatable to the byte: where two of them part "+
			"says nothing", s.name, policy)
	}
	return nil
}

// seedOf returns the seed of the runs that are compared.
func seedOf(a, b *side, asked *uint64) (uint64, error) {
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
