package resolvers

import (
	"maps"
	"slices"

	"lbsim/models"
)

// Listed reports, by number, which backends a resolver lists at some time if they have no failures.
// Where one backend behind an L4 balancer is listed, all behind it are.
func Listed(r models.Resolver, c *models.Config) []bool {
	listed := make([]bool, len(c.BackendNames()))
	for _, names := range named(r) {
		list, err := c.Select(names)
		if err != nil {
			continue // Check refuses it
		}
		for _, b := range list {
			listed[b] = true
		}
		if names == nil {
			listed = slices.Repeat([]bool{true}, len(listed))
		}
	}
	for i := range c.L4 {
		behind, _ := c.Select(c.L4[i].Backends)
		if slices.ContainsFunc(behind, func(b int32) bool { return listed[b] }) {
			for _, b := range behind {
				listed[b] = true
			}
		}
	}
	return listed
}

// named returns the lists of names in the options of a resolver; nil is the list of all backends.
func named(r models.Resolver) [][]string {
	one := func(names []string) [][]string {
		if len(names) == 0 {
			return [][]string{nil}
		}
		return [][]string{names}
	}
	byMoment := func(table map[string][]string) (lists [][]string) {
		for _, moment := range slices.Sorted(maps.Keys(table)) {
			lists = append(lists, append([]string{}, table[moment]...))
		}
		return lists
	}
	switch r := r.(type) {
	case Static:
		return one(r.Backends)
	case Passthrough:
		return one([]string{r.Backend})
	case Script:
		return byMoment(r.At)
	case DNS:
		if len(r.Records) > 0 {
			return byMoment(r.Records)
		}
	case Etcd:
		return one(r.Backends)
	case Nacos:
		return one(r.Backends)
	case Consul:
		return one(r.Backends)
	case Push:
		if len(r.At) > 0 {
			return byMoment(r.At)
		}
		return one(r.Backends)
	}
	return one(nil)
}
