package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"lbsim/internal/nearest"
	"lbsim/options"
)

// maxKeysRead is how many keys are read for all points of a sweep together, in some 10 s.
const maxKeysRead = 4_000_000

// notSweepable are keys of the whole experiment, with the reason why they cannot be swept.
var notSweepable = map[string]string{
	"seed":      "all points are run with the same seeds, so that they can be compared",
	"seeds":     "all points are run with the same seeds, so that they can be compared",
	"max_seeds": "there is one limit for all points",
	"precision": "there is one precision for all points",
	"baseline":  "there is one baseline for all points",
	"sweep":     "there is one sweep",
}

// sweep checks every combination of the swept values.
func (e *Experiment) sweep(values map[string][]any) error {
	seeds := e.Seeds
	if e.Precision != nil {
		seeds = e.MaxSeeds
	}
	runs := float64(len(e.Policies)) * float64(seeds)
	ps := &points{base: e.base, source: e.source, keys: e.SweepKeys}
	for k, key := range e.SweepKeys {
		if err := checkSwept(e.SweepKeys[:k], key, values[key]); err != nil {
			return &options.KeyError{Key: []string{"sweep", key}, Err: err}
		}
		runs *= float64(len(values[key]))
		ps.values = append(ps.values, values[key])
	}
	if runs > maxRuns {
		at := "sweep"
		if len(e.SweepKeys) == 0 {
			at = "seeds"
		}
		return options.Errorf([]string{at}, "makes %.0f runs, which are too many: at most %d", runs,
			maxRuns)
	}
	e.points = ps
	if n, keys := ps.count(), len(e.source.meta.Keys()); n > 1 && n*keys > maxKeysRead && !e.Force {
		return options.Errorf([]string{"sweep"}, "makes %d points of %d keys, which take long to "+
			"read; -force lifts the limit of %d in all", n, keys, maxKeysRead)
	}
	for number := range ps.count() {
		p, err := ps.make(number)
		if err != nil {
			return err
		}
		e.estimatePoint(p, seeds)
	}
	return nil
}

// estimatePoint adds the runs at a point to the estimate.
func (e *Experiment) estimatePoint(p *Point, seeds int) {
	pilots := 0
	if e.FindWarmup {
		pilots = min(seeds, PilotSeeds)
	}
	for _, policy := range p.Policies {
		if slices.Contains(e.Policies, policy.Name) {
			e.Estimate.Add(&p.Config, policy.Name, policy.Value, seeds, pilots)
		}
	}
	e.Estimate.Points++
}

// checkSwept refuses a key that cannot be swept beside others, and useless values.
func checkSwept(others []string, key string, values []any) error {
	path := keyPath(key)
	if len(values) == 0 {
		return fmt.Errorf("must list at least one value")
	}
	if path == nil {
		return fmt.Errorf("is no key")
	}
	if why, is := notSweepable[path[0]]; is {
		return fmt.Errorf("%s cannot be swept: %s", path[0], why)
	}
	for _, other := range others {
		o := keyPath(other)
		if n := min(len(o), len(path)); slices.Equal(o[:n], path[:n]) {
			return fmt.Errorf("cannot be swept beside %s: one changes what the other has set",
				other)
		}
	}
	texts := map[string]bool{}
	for _, v := range values {
		text := fmt.Sprint(v)
		if texts[text] {
			return fmt.Errorf("lists %s twice: each value makes a point of its own",
				shorten(strings.TrimSpace(text)))
		}
		texts[text] = true
	}
	return nil
}

// kindSwept reports whether the sweep changes the kind of a table, so that the options of its kind
// in the file may be unknown to its other kinds.
func (e *Experiment) kindSwept(table ...string) bool {
	for _, key := range e.SweepKeys {
		path := keyPath(key)
		last := path[len(path)-1]
		if len(path) > len(table) && slices.Equal(path[:len(table)], table) &&
			(last == "kind" || last == "target") {
			return true
		}
	}
	return false
}

// assignment is a key=value from the command line.
type assignment struct {
	text string
	path []string
}

// override applies an assignment such as "clients.web.rate=3000/s" to the tree. A value that is not
// TOML counts as a text.
func (s *source) override(text string) error {
	key, value, found := strings.Cut(text, "=")
	path := keyPath(strings.TrimSpace(key))
	if !found || path == nil {
		return fmt.Errorf("-set %s: must be key=value, such as clients.web.rate=3000/s", text)
	}
	if err := checkNesting(value); err != nil {
		return fmt.Errorf("-set %s: line %w", text, err)
	}
	var v struct{ V any }
	if _, err := toml.Decode("V = "+value, &v); err != nil {
		v.V = strings.TrimSpace(value)
	}
	s.tree = cloneTree(s.tree)
	s.set = append(s.set, assignment{text, path})
	if err := setKey(s.tree, path, v.V); err != nil {
		return fmt.Errorf("-set %s: %w", text, err)
	}
	return nil
}

// keyPath splits a dotted key as TOML does; nil if it is not a key.
func keyPath(key string) []string {
	if checkNesting(key) != nil {
		return nil
	}
	var tree map[string]any
	meta, err := toml.Decode(key+" = 0", &tree)
	if err != nil || len(meta.Keys()) == 0 {
		return nil
	}
	keys := meta.Keys()
	return keys[len(keys)-1]
}

// optional are the tables that a file may leave out.
var optional = []string{"backoff", "network", "resolver"}

// setKey sets the value of a key. Its enclosing tables must exist, save the optional ones.
func setKey(tree map[string]any, path []string, value any) error {
	if path == nil {
		return errors.New("is no key")
	}
	for i, part := range path[:len(path)-1] {
		next, exists := tree[part]
		if !exists && i == 0 && slices.Contains(optional, part) {
			next = map[string]any{}
			tree[part] = next
		}
		table, ok := next.(map[string]any)
		if !ok {
			where := strings.Join(path[:i+1], ".")
			return fmt.Errorf("there is no table %s%s", where, nearest.Hint(part, sortedKeys(tree)))
		}
		tree = table
	}
	tree[path[len(path)-1]] = value
	return nil
}

// cloneTree copies the tables of a tree.
func cloneTree(tree map[string]any) map[string]any {
	clone := maps.Clone(tree)
	for k, v := range clone {
		if table, ok := v.(map[string]any); ok {
			clone[k] = cloneTree(table)
		}
	}
	return clone
}
