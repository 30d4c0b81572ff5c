package policies

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// group is the children of a policy that divides its endpoints among several, by name.
//
// Source: grpc-go v1.85.0, internal/balancergroup. There each child is in a gracefulswitch, which
// has no part in what priority and weighted_target do: a child of another kind is closed first.
type group struct {
	Host
	owners
	members []*child // at work, in the order of their names
	decider Decider  // of the order of calls; nil for that of the names
}

func newGroup(h Host) group { return group{Host: h, decider: deciderOf(h)} }

// add makes room for a child at work, which is to be built. It has no picker until it reports.
func (g *group) add(parent childParent, name string) *child {
	c := newChild(g.Host, parent)
	c.name, c.picker = name, nil
	g.attach(c)
	return c
}

// attach takes a child that is built among those at work.
func (g *group) attach(c *child) {
	i, _ := slices.BinarySearchFunc(g.members, c.name, byName)
	g.members = slices.Insert(g.members, i, c)
}

// detach takes a child from those at work, which keeps its SubConns.
func (g *group) detach(c *child) {
	i := slices.Index(g.members, c)
	g.members = slices.Delete(g.members, i, i+1)
}

// remove closes a child at work.
func (g *group) remove(c *child) {
	g.detach(c)
	c.close()
}

func (c *child) called() string { return c.name }

func byName(c *child, name string) int { return strings.Compare(c.name, name) }

// resolveNow passes on the hint of any child.
func (g *group) resolveNow(*child) { g.ResolveNow() }

// ResolverError goes to all children at work. Without any it says nothing.
func (g *group) ResolverError(err *Status) {
	for _, c := range inOrder(g, g.members, (*child).called) {
		c.balancer.ResolverError(err)
	}
}

// ExitIdle goes to all children at work.
func (g *group) ExitIdle() {
	for _, c := range inOrder(g, g.members, (*child).called) {
		c.balancer.ExitIdle()
	}
}

// Close closes all children at work.
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

// share is the endpoints of one child.
type share struct {
	name      string
	endpoints []*Endpoint
}

func (s share) of() string { return s.name }

// divide gives each endpoint to the child that its path begins with, in the order of the list. Who
// has no path, or a path to nobody, is left out.
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

// sameKind says whether two policies are of one kind, so that one's balancer can have the options
// of the other.
func sameKind(a, b Policy) bool {
	if n, ok := a.(Named); ok {
		m, ok := b.(Named)
		return ok && n.Kind() == m.Kind()
	}
	return reflect.TypeOf(a) == reflect.TypeOf(b)
}
