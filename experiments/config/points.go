package config

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"lbsim/options"
)

// points makes the points of a sweep on demand, since a sweep need not fit into memory. The first
// key changes slowest. Without a sweep there is one point.
type points struct {
	base   *Point
	source *source
	keys   []string
	values [][]any // by key

	mu   sync.Mutex
	made [16]madePoint // a cache: point n is at n modulo its length
}

// madePoint is a point in the cache.
type madePoint struct {
	number int
	*Point
}

// count returns the number of points.
func (ps *points) count() int {
	n := 1
	for _, values := range ps.values {
		n *= len(values)
	}
	return n
}

// valuesAt returns the value of each key at a point.
func (ps *points) valuesAt(number int) []any {
	values := make([]any, len(ps.values))
	for k := len(values) - 1; k >= 0; k-- {
		values[k] = ps.values[k][number%len(ps.values[k])]
		number /= len(ps.values[k])
	}
	return values
}

// texts returns the value of each key at a point, as in the file.
func (ps *points) texts(number int) []string {
	values := ps.valuesAt(number)
	texts := make([]string, len(values))
	for k, v := range values {
		texts[k] = fmt.Sprint(v)
	}
	return texts
}

// get returns a point that was valid when the experiment was read.
func (ps *points) get(number int) *Point {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	m := &ps.made[number%len(ps.made)]
	if m.Point == nil || m.number != number {
		p, err := ps.make(number)
		if err != nil {
			panic(fmt.Sprintf("experiments: point %d is not valid any more: %v", number, err))
		}
		*m = madePoint{number, p}
	}
	return m.Point
}

// make makes a point without the cache.
func (ps *points) make(number int) (*Point, error) {
	if len(ps.keys) == 0 {
		return ps.base, nil
	}
	tree := cloneTree(ps.source.tree)
	delete(tree, "sweep")
	for k, v := range ps.valuesAt(number) {
		if err := setKey(tree, keyPath(ps.keys[k]), v); err != nil {
			return nil, &options.KeyError{Key: []string{"sweep", ps.keys[k]}, Err: err}
		}
	}
	p, err := build(ps.source, tree)
	if err != nil {
		return nil, ps.blame(err)
	}
	if here, want := policyNames(p), policyNames(ps.base); !slices.Equal(here, want) {
		return nil, options.Errorf([]string{"sweep"}, "makes the policies %s, where they are %s "+
			"without the sweep: all points must have the same",
			strings.Join(here, ", "), strings.Join(want, ", "))
	}
	return p, nil
}

// policyNames returns the names of a point's policies, sorted.
func policyNames(p *Point) []string {
	var names []string
	for i := range p.Policies {
		names = append(names, p.Policies[i].Name)
	}
	slices.Sort(names)
	return names
}

// blame moves an error about a swept key to its key in the sweep.
func (ps *points) blame(err error) error {
	ke, ok := err.(*options.KeyError)
	if !ok {
		return err
	}
	for _, key := range ps.keys {
		if slices.Equal(keyPath(key), ke.Key) {
			return &options.KeyError{Key: []string{"sweep", key}, Err: ke.Err}
		}
	}
	return err
}
