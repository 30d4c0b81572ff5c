package experiments

import (
	"maps"

	"lbsim/internal/nearest"
	"lbsim/models"
	"lbsim/models/resolvers"
)

// resolve makes the resolver. Beside the options of its kind the table may say in what order the
// channels see its lists, how it ranks backends, and the target, which chooses the kind.
func (p *point) resolve(d *decoder) (err error) {
	options := maps.Clone(p.top.Resolver)
	if options == nil {
		options = map[string]any{"kind": "static"}
	}
	if order, has := options["order"]; has {
		key := []string{"resolver", "order"}
		text, ok := order.(string)
		if !ok {
			return wrong(key, "a text in quotes", order)
		}
		if err := p.config.Order.UnmarshalText([]byte(text)); err != nil {
			return &keyError{key, err}
		}
		delete(options, "order")
	}
	if err := p.rank(options); err != nil {
		return err
	}
	if err := aim(options); err != nil {
		return err
	}
	if _, has := options["kind"]; !has {
		return bad("must say which, such as \"static\"%s",
			nearest.Hint("", sortedKeys(resolvers.Catalog)))("resolver", "kind")
	}
	key := []string{"resolver"}
	if p.resolver, err = makeKind(d, key, options, resolvers.Catalog, &p.config); err != nil {
		return err
	}
	p.config.Resolver = p.resolver.Value
	return nil
}

// aim puts what a target says in the place of the target.
func aim(options map[string]any) error {
	target, has := options["target"]
	if !has {
		return nil
	}
	key := []string{"resolver", "target"}
	text, ok := target.(string)
	if !ok {
		return wrong(key, "a text in quotes, such as \"dns:///orders:50051\"", target)
	}
	kind, set, err := resolvers.FromTarget(text)
	if err != nil {
		return &keyError{key, err}
	}
	delete(options, "target")
	if given, has := options["kind"]; has && given != kind {
		return bad("disagrees with the target %q, which makes it %q", text, kind)(
			"resolver", "kind")
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

// resolver writes the resolver's table.
func (r *resolved) resolver(kind named[models.Resolver], c *models.Config) {
	r.header("resolver")
	text, _ := c.Order.MarshalText()
	r.WriteString("kind = \"" + kind.Kind + "\"\norder = \"" + string(text) + "\"\n")
	r.WriteString("rank = \"" + rankName(c.RankByZone) + "\"\n")
	r.options(kind.Value, "resolver")
}
