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

	"lbsim/models"
	"lbsim/policies"
)

// DiffOptions say which runs are compared.
type DiffOptions struct {
	// Policies are none for each that both experiments have, one for that, or two: one of the first
	// experiment beside another of the second.
	Policies []string
	// Seed is nil for the first that both have.
	Seed *uint64
	// Kinds are further kinds of policies, as in [Options].
	Kinds map[string]policies.Policy
}

// side is one of two experiments that are compared.
type side struct {
	name     string
	e        *Experiment
	resolved string   // with all policies
	kept     *Summary // of a results folder; nil of a file
	points   []string // of the sweep, as texts
}

// openSide reads an experiment, or that of a results folder.
func openSide(name string, kinds map[string]policies.Policy) (*side, error) {
	s := &side{name: name}
	file := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if s.kept, err = readSummary(name); err != nil {
			return nil, err
		}
		if _, err := readResolved(name); err != nil {
			return nil, err
		}
		file = filepath.Join(name, resolvedFile)
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

// seeds are those that it was run with, or would be.
func (s *side) seeds() []uint64 {
	if s.kept != nil {
		return s.kept.Seeds
	}
	return s.e.SeedList()
}

// variant returns the run of a policy at a point with a seed, as it was if it is kept; nil where
// there is no such policy or point.
func (s *side) variant(policy, point string, seed uint64) (*Variant, *Measures) {
	number := slices.Index(s.points, point)
	if number < 0 {
		return nil, nil
	}
	v := newVariant(s.e, number, policy, seed)
	if v.config.Policy == nil {
		return nil, nil
	}
	if s.kept == nil {
		return v, nil
	}
	for _, m := range s.kept.Runs {
		if m.Policy == policy && m.Seed == seed && maps.Equal(m.Point, v.values()) {
			v.config.Warmup = time.Duration(math.Round(m.WarmupS * 1e9)) // perhaps found
			return v, m
		}
	}
	return v, nil
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
	writeConfigs(w, a.resolved, b.resolved)
	if a.kept != nil && b.kept != nil {
		writeVersions(w, nameA, nameB, a.kept, b.kept)
	}
	found := false
	for i, point := range a.points {
		if slices.Contains(a.points[:i], point) || !slices.Contains(b.points, point) {
			continue
		}
		found = true
		for _, pair := range pairs {
			l := &lockstep{w: w}
			l.a.side, l.b.side = a, b
			l.a.v, l.a.kept = a.variant(pair[0], point, seed)
			l.b.v, l.b.kept = b.variant(pair[1], point, seed)
			if err := l.run(ctx); err != nil {
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
	if err := s.e.choosePolicies([]string{policy}); err != nil {
		return err
	}
	v, _ := s.variant(policy, s.points[0], 0)
	if companionOf(&v.config) != nil {
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

// cast names who takes part in a run, for a trace has numbers.
type cast struct {
	clients, backends []string
}

func newCast(c *models.Config) cast {
	t := cast{backends: c.BackendNames()}
	for i := range c.Clients {
		for k := range c.Clients[i].Count {
			t.clients = append(t.clients, fmt.Sprintf("%s/%d", c.Clients[i].Name, k))
		}
	}
	return t
}

// backend is where an event of a trace takes place; "" where that is at no backend.
func (t *cast) backend(e models.TraceEntry) string {
	switch e.What {
	case models.Sent, models.Dialled, models.SubConnChanged:
		if e.Backend < 0 {
			return "the L4 balancer"
		}
		return t.backends[e.Backend]
	}
	return ""
}

// line says in a line what happened.
func (t *cast) line(e models.TraceEntry) string {
	at := fmt.Sprintf("%-14v client %s", time.Duration(e.At), t.clients[e.Client])
	backend := t.backend(e)
	switch e.What {
	case models.Began:
		return fmt.Sprintf("%s: RPC %d began", at, e.RPC)
	case models.Sent:
		return fmt.Sprintf("%s: RPC %d was sent to %s", at, e.RPC, backend)
	case models.Ended:
		if e.Code == policies.OK {
			return fmt.Sprintf("%s: RPC %d ended: OK", at, e.RPC)
		}
		return fmt.Sprintf("%s: RPC %d ended: %v %v", at, e.RPC, e.Code, e.Reason)
	case models.Dialled:
		return fmt.Sprintf("%s: a SubConn dialled %s", at, backend)
	case models.SubConnChanged:
		return fmt.Sprintf("%s: its SubConn to %s became %v", at, backend, e.State)
	}
	return fmt.Sprintf("%s: the channel became %v", at, e.State)
}
