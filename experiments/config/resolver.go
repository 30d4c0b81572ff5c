package config

import (
	"maps"

	"lbsim/internal/nearest"
	"lbsim/models"
	"lbsim/models/resolvers"
)

// resolve makes the resolver. Beside the options of its kind the table may say in what order the
// channels see its lists, how it ranks backends, and the target, which chooses the kind.
func (p *Point) resolve(d *decoder) (err error) {
	options := maps.Clone(p.Document.Resolver)
	if options == nil {
		options = map[string]any{"kind": "static"}
	}
	for _, take := range []func(map[string]any) error{p.order, p.rank, aim, p.port} {
		if err := take(options); err != nil {
			return err
		}
	}
	if _, has := options["kind"]; !has {
		return bad("must say which, such as \"static\"%s",
			nearest.Hint("", d.kinds.Resolvers.Names()))("resolver", "kind")
	}
	key := []string{"resolver"}
	if p.Resolver, err = makeKind(d, key, options, d.kinds.Resolvers, &p.Config); err != nil {
		return err
	}
	p.Config.Resolver = p.Resolver.Value
	return nil
}

// order takes the option that says in what order channels see the lists.
func (p *Point) order(options map[string]any) error {
	text, has, err := takeText(options, "order", "")
	if err != nil || !has {
		return err
	}
	if err := p.Config.Order.UnmarshalText([]byte(text)); err != nil {
		return &keyError{[]string{"resolver", "order"}, err}
	}
	return nil
}

// takeText takes a text out of the options of the resolver; example goes on where an error says
// what it must be.
func takeText(options map[string]any, name, example string) (text string, has bool, err error) {
	v, has := options[name]
	if !has {
		return "", false, nil
	}
	text, ok := v.(string)
	if !ok {
		return "", true, wrong([]string{"resolver", name}, "a text in quotes"+example, v)
	}
	delete(options, name)
	return text, true, nil
}

// aim puts what a target says in the place of the target.
func aim(options map[string]any) error {
	text, has, err := takeText(options, "target", ", such as \"dns:///orders:50051\"")
	if err != nil || !has {
		return err
	}
	kind, set, err := resolvers.FromTarget(text)
	if err != nil {
		return &keyError{[]string{"resolver", "target"}, err}
	}
	if given, has := options["kind"]; has && given != kind {
		return bad("disagrees with the target %q, which makes it %q", text, kind)(
			"resolver", "kind")
	}
	_, named := options["backend"]
	if _, names := set["backend"]; kind == "passthrough" && !named && !names {
		return bad("%q is one address, which gRPC does not look up: say which backend it is, by "+
			"backend = \"b/0\" for instance", text)("resolver", "target")
	}
	options["kind"] = kind
	for _, name := range sortedKeys(set) {
		if _, has := options[name]; has {
			return bad("cannot stand beside the target %q, which says it", text)("resolver", name)
		}
		options[name] = set[name]
	}
	return nil
}

// port takes the option that says that the target has no port.
func (p *Point) port(options map[string]any) error {
	v, has := options["default_port"]
	if !has {
		return nil
	}
	is, ok := v.(bool)
	if !ok {
		return wrong([]string{"resolver", "default_port"}, "true or false", v)
	}
	delete(options, "default_port")
	p.Config.WrongPort = is
	return nil
}

// resolver writes the resolver's table.
func (r *resolved) resolver(kind Named[models.Resolver], c *models.Config) {
	r.header("resolver")
	text, _ := c.Order.MarshalText()
	r.WriteString("kind = \"" + kind.Kind + "\"\norder = \"" + string(text) + "\"\n")
	rank, _ := c.Rank.MarshalText()
	r.WriteString("rank = \"" + string(rank) + "\"\n")
	if c.WrongPort {
		r.WriteString("default_port = true\n")
	}
	r.options(kind.Value, "resolver")
}
