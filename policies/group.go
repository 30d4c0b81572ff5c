package policies

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// group has the children of a policy that divides its endpoints among named children.
//
// Source: grpc-go v1.85.0, internal/balancergroup. There each child is in a gracefulswitch, which
// priority and weighted_target do not use: they close a child before they build one of another
// kind.
type group struct {
	Host
	owners
	members []*child // attached ones, in the order of their names
	decider Decider  // of the order of calls; nil for the order of names
}

func newGroup(h Host) group { return group{Host: h, decider: deciderOf(h)} }

// add attaches a new child, whose policy is to be built. It has no picker until it reports.
func (g *group) add(parent childParent, name string) *child {
	c := newChild(g.Host, parent)
	c.name, c.picker = name, nil
	g.attach(c)
	return c
}

// attach adds a child that is built: it gets the calls of the parent.
func (g *group) attach(c *child) {
	i, _ := slices.BinarySearchFunc(g.members, c.name, byName)
	g.members = slices.Insert(g.members, i, c)
}

// detach removes a child, which keeps its SubConns and gets no calls of the parent.
func (g *group) detach(c *child) {
	i := slices.Index(g.members, c)
	g.members = slices.Delete(g.members, i, i+1)
}

// remove detaches a child and closes it.
func (g *group) remove(c *child) {
	g.detach(c)
	c.close()
}

func (c *child) called() string { return c.name }

func byName(c *child, name string) int { return strings.Compare(c.name, name) }

// resolveNow passes on the request of any child.
func (g *group) resolveNow(*child) { g.ResolveNow() }

// ResolverError goes to all attached children. Without any there is no report.
func (g *group) ResolverError(err *Status) {
	for _, c := range inOrder(g, g.members, (*child).called) {
		c.balancer.ResolverError(err)
	}
}

// ExitIdle goes to all attached children.
func (g *group) ExitIdle() {
	for _, c := range inOrder(g, g.members, (*child).called) {
		c.balancer.ExitIdle()
	}
}

// Close closes all attached children.
func (g *group) Close() {
	for _, c := range g.members {
		c.close()
	}
}

// inOrder returns children in the order in which a call goes to them.
func inOrder[T any](g *group, all []T, name func(T) string) []T {
	if g.decider == nil {
		return all
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = name(c)
	}
	g.decider.OrderNames(names)
	return slices.SortedFunc(slices.Values(all), func(a, b T) int {
		return slices.Index(names, name(a)) - slices.Index(names, name(b))
	})
}

// share has the endpoints of one child.
type share struct {
	name      string
	endpoints []*Endpoint
}

func (s share) of() string { return s.name }

// divide gives each endpoint to the child whose name its path begins with, in the order of the
// list. An endpoint without a path, or with a path to no child, is left out. The names are sorted.
func divide(names []string, endpoints []*Endpoint) []share {
	shares := make([]share, len(names))
	for i, name := range names {
		shares[i].name = name
	}
	last := 0
	for _, e := range endpoints {
		if len(e.Path) == 0 {
			continue
		}
		if last >= len(names) || names[last] != e.Path[0] {
			var found bool
			if last, found = slices.BinarySearch(names, e.Path[0]); !found {
				continue
			}
		}
		shares[last].endpoints = append(shares[last].endpoints, e.inside())
	}
	return shares
}

// sortedNames returns the names of a table in alphabetical order.
func sortedNames[T any](table map[string]T) []string { return slices.Sorted(maps.Keys(table)) }

// sameKind reports whether two policies are of one kind, so that the balancer of one can take the
// options of the other.
func sameKind(a, b Policy) bool {
	if n, ok := a.(Named); ok {
		m, ok := b.(Named)
		return ok && n.Kind() == m.Kind()
	}
	return reflect.TypeOf(a) == reflect.TypeOf(b)
}
