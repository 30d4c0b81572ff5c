package config

import (
	"maps"
	"reflect"

	"lbsim/internal/nearest"
	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/options"
)

// resolverTable has the keys of the resolver's table beside kind, target and the options of the
// kind.
type resolverTable struct {
	// Order is the order of the list at each channel: given (default), shuffled for each channel
	// and update, or rotated by the number of the client.
	Order models.AddressOrder `toml:"order"`
	// Rank is how the control plane ranks backends for each client: none (default), or zone, which
	// puts "local" or "remote" in front of the paths of endpoints.
	Rank models.Rank `toml:"rank"`
	// WrongPort makes clients connect to a port on which no backend listens, as with a target
	// without a port; not by default.
	WrongPort bool `toml:"default_port,omitzero"`
}

// readResolver reads the resolver.
func (p *Point) readResolver(s *source, _ map[string]any) (err error) {
	table := maps.Clone(p.Document.Resolver)
	if table == nil {
		table = map[string]any{"kind": "static"}
	}
	key := []string{"resolver"}
	if target, has := table["target"]; has {
		delete(table, "target")
		if err := applyTarget(target, table); err != nil {
			return options.Under(key, err)
		}
	}
	given, n := make(map[string]any), resolverTable{}
	for name := range options.Each(reflect.ValueOf(n)) {
		if v, has := table[name]; has {
			given[name] = v
			delete(table, name)
		}
	}
	if err := s.codec.Read(key, given, &n); err != nil {
		return err
	}
	p.Config.Order, p.Config.Rank, p.Config.WrongPort = n.Order, n.Rank, n.WrongPort
	if _, has := table["kind"]; !has {
		return options.Errorf(options.Sub(key, "kind"), "must say which, such as \"static\"%s",
			nearest.Hint("", s.kinds.Resolvers.Names()))
	}
	p.Resolver, err = makeKind(s.codec, key, table, s.kinds.Resolvers)
	p.Config.Resolver = p.Resolver.Value
	return err
}

// applyTarget puts the kind and the options of a target into the table.
func applyTarget(target any, table map[string]any) error {
	text, is := target.(string)
	if !is {
		const want = "a text in quotes, such as \"dns:///orders:50051\""
		return options.Wrong([]string{"target"}, want, target)
	}
	kind, set, err := resolvers.FromTarget(text)
	if err != nil {
		return &options.KeyError{Key: []string{"target"}, Err: err}
	}
	if given, has := table["kind"]; has && given != kind {
		return options.Errorf([]string{"kind"}, "disagrees with the target %q, which makes it %q",
			target, kind)
	}
	_, named := table["backend"]
	if _, names := set["backend"]; kind == "passthrough" && !named && !names {
		return options.Errorf([]string{"target"}, "%q is one address, which gRPC does not look "+
			"up: say which backend it is, by backend = \"b/0\" for instance", target)
	}
	table["kind"] = kind
	for _, name := range sortedKeys(set) {
		if _, has := table[name]; has {
			return options.Errorf([]string{name},
				"cannot stand beside the target %q, which says it", target)
		}
		table[name] = set[name]
	}
	return nil
}
