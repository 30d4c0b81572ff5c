package dist

import (
	"fmt"
	"maps"
	"slices"
)

// Kind is a kind of distribution: how its texts are written, and what reads them.
type Kind struct {
	// Aliases are other names for it in a text.
	Aliases []string

	// Forms are the ways to write a distribution of the kind, one example each, all of which Parse
	// accepts. They decide which parameters belong together, and the order in which String writes
	// them. A percentile such as p99 stands for any other.
	Forms []string

	// Doc is a line on the use of the kind.
	Doc string

	// Parse makes a distribution. Most kinds read the parameters with [Call.Args].
	Parse func(c Call) (Distribution, error)
}

// Catalog holds the kinds that lbsim ships, by name. A new kind is one file and one line here.
var Catalog = map[string]Kind{
	"constant":    constantKind,
	"erlang":      erlangKind,
	"exponential": exponentialKind,
	"file":        fileKind,
	"gamma":       gammaKind,
	"lognormal":   lognormalKind,
	"mixture":     mixtureKind,
	"pareto":      paretoKind,
	"uniform":     uniformKind,
	"weibull":     weibullKind,
}

// With returns kinds and further ones. A name or an alias that is there already is an error, and so
// is a kind without Parse.
func With(kinds, more map[string]Kind) (map[string]Kind, error) {
	all := maps.Clone(kinds)
	for _, kind := range slices.Sorted(maps.Keys(more)) {
		for _, name := range append([]string{kind}, more[kind].Aliases...) {
			if _, taken := (Parser{Kinds: all}).find(name); taken {
				return nil, fmt.Errorf("there is a kind %q already", name)
			}
		}
		if more[kind].Parse == nil {
			return nil, fmt.Errorf("kind %q has no Parse", kind)
		}
		all[kind] = more[kind]
	}
	return all, nil
}
