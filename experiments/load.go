// Package experiments turns a question, asked in TOML, into runs, and the runs into a table.
package experiments

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lbsim/internal/nearest"
	"lbsim/models"
	"lbsim/policies"
)

// Experiment is a question that is ready to be run: every policy at every point of the sweep with
// every seed.
type Experiment struct {
	Name string
	// Question is the comment that the file opens with.
	Question string
	// SweepKeys are the keys that are swept, in the order of the file.
	SweepKeys []string
	Policies  []string
	// Baseline is the policy that the others are compared with.
	Baseline string
	Seeds    []uint64
	// Variants are the runs: by point of the sweep, then policy, then seed.
	Variants []Variant

	// Ended, if not nil, is told of the end of each run, as it comes.
	Ended func()

	precision *precision // how tightly a figure shall be known; nil for whatever comes

	base   *point // the file before its sweep
	source *source
}

// Variant is one run.
type Variant struct {
	Policy string
	Seed   uint64
	// Point holds the value of each swept key, as in the file.
	Point []string

	keys   []string // the swept keys
	point  *point
	config models.Config
}

// Options are what the command line changes.
type Options struct {
	Set      []string // key=value
	Policies []string // only these; empty for all
	Seed     *uint64
	// Kinds are further kinds of policies, by name, beside those of [policies.Catalog].
	Kinds map[string]policies.Policy
}

// Load reads an experiment and checks all of it. Errors say "file:line: key: what is wrong".
func Load(name string, opt Options) (*Experiment, error) {
	s, err := readSource(name)
	if err != nil {
		return nil, err
	}
	s.kinds = maps.Clone(policies.Catalog)
	maps.Copy(s.kinds, opt.Kinds)
	e := &Experiment{Name: baseName(name), Question: openingComment(s.text), source: s}
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
	e.SweepKeys = s.order("sweep")
	if err := e.choosePolicies(opt.Policies); err != nil {
		return nil, err
	}
	if err := e.chooseBaseline(); err != nil {
		return nil, s.locate(err)
	}
	if err := e.choosePrecision(); err != nil {
		return nil, s.locate(err)
	}
	for i := range e.base.top.Seeds {
		e.Seeds = append(e.Seeds, e.base.top.Seed+uint64(i))
	}
	if err := e.sweep(e.base.top.Sweep); err != nil {
		return nil, s.locate(err)
	}
	return e, nil
}

// choosePolicies keeps those that the command line names, or all.
func (e *Experiment) choosePolicies(only []string) error {
	var known []string
	for _, p := range e.base.policies {
		known = append(known, p.Name)
	}
	e.Policies = known
	if len(only) == 0 {
		return nil
	}
	for _, name := range only {
		if !slices.Contains(known, name) {
			return fmt.Errorf("-policies: %s has no policy %q%s",
				e.source.name, name, nearest.Hint(name, known))
		}
	}
	e.Policies = slices.DeleteFunc(known, func(n string) bool { return !slices.Contains(only, n) })
	return nil
}

// chooseBaseline takes the one that the file names, or the first policy.
func (e *Experiment) chooseBaseline() error {
	name := &e.base.top.Baseline
	if *name == "" {
		*name = e.Policies[0]
	}
	if !slices.Contains(e.Policies, *name) {
		return bad("%q is not among the policies that run%s", *name,
			nearest.Hint(*name, e.Policies))("baseline")
	}
	e.Baseline = *name
	return nil
}

// choosePrecision reads how tightly a figure shall be known, if the file says so.
func (e *Experiment) choosePrecision() error {
	t := &e.base.top
	p, err := readPrecision(t.Precision)
	switch {
	case err != nil:
		return &keyError{[]string{"precision"}, err}
	case p != nil && t.Seeds < 2:
		return bad("needs runs with several seeds, which give an interval: write seeds = 5, "+
			"or 2 at least, to begin with (is %d)", t.Seeds)("precision")
	case p != nil && t.MaxSeeds < t.Seeds:
		return bad("must be at least seeds, %d (is %d)", t.Seeds, t.MaxSeeds)("max_seeds")
	}
	e.precision = p
	return nil
}

// sweep makes the variants of every combination of the swept values.
func (e *Experiment) sweep(values map[string][]any) error {
	seeds := len(e.Seeds)
	if e.precision != nil {
		seeds = e.base.top.MaxSeeds
	}
	runs := float64(len(e.Policies)) * float64(seeds)
	for _, key := range e.SweepKeys {
		if len(values[key]) == 0 {
			return bad("must list at least one value")("sweep", key)
		}
		runs *= float64(len(values[key]))
	}
	if runs > mostRuns {
		at := "sweep"
		if len(e.SweepKeys) == 0 {
			at = "seeds"
		}
		return bad("makes %.0f runs, which are too many: at most %d", runs, mostRuns)(at)
	}
	if len(e.SweepKeys) == 0 {
		e.addVariants(e.base, nil, e.Seeds)
		return nil
	}
	return e.expand(values, nil)
}

// expand goes through the swept keys from the one after those that chosen has values for.
func (e *Experiment) expand(values map[string][]any, chosen []any) error {
	if k := len(chosen); k < len(e.SweepKeys) {
		for _, v := range values[e.SweepKeys[k]] {
			if err := e.expand(values, append(slices.Clip(chosen), v)); err != nil {
				return err
			}
		}
		return nil
	}
	tree := cloneTree(e.source.tree)
	texts := make([]string, len(chosen))
	for k, v := range chosen {
		texts[k] = fmt.Sprint(v)
		if err := setKey(tree, keyPath(e.SweepKeys[k]), v); err != nil {
			return &keyError{[]string{"sweep", e.SweepKeys[k]}, err}
		}
	}
	p, err := build(e.source, tree)
	if err != nil {
		return e.blame(err)
	}
	e.addVariants(p, texts, e.Seeds)
	return nil
}

// addVariants adds the runs of a point, whose swept values are given as texts.
func (e *Experiment) addVariants(p *point, texts []string, seeds []uint64) {
	for _, pol := range p.policies {
		if !slices.Contains(e.Policies, pol.Name) {
			continue
		}
		for _, seed := range seeds {
			v := Variant{
				Policy: pol.Name, Seed: seed, Point: texts,
				keys: e.SweepKeys, point: p, config: p.config,
			}
			v.config.Seed, v.config.Policy = seed, pol.Value
			e.Variants = append(e.Variants, v)
		}
	}
}

// blame places an error about a key that is swept at the sweep.
func (e *Experiment) blame(err error) error {
	ke, ok := err.(*keyError)
	if !ok {
		return err
	}
	for _, key := range e.SweepKeys {
		if slices.Equal(keyPath(key), ke.key) {
			return &keyError{[]string{"sweep", key}, ke.err}
		}
	}
	return err
}

// openingComment returns the comment that a file begins with, as lines of text.
func openingComment(text string) string {
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
