package config

import (
	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/options"
	"lbsim/policies"
)

// newCodec returns a codec for files that may use these kinds and the data files that open opens.
// made shares what is made of long texts, such as tables of numbers.
func newCodec(
	kinds *Kinds, open func(name string) ([]byte, error), made *memo,
) *options.Codec {
	c := new(options.Codec)
	options.Form(c, "a distribution, such as \"exp(mean=10ms)\" or \"10ms\"",
		func(text string) (dist.Distribution, error) {
			return memoized(made, "distribution "+text, func() (dist.Distribution, error) {
				return dist.Parser{Kinds: kinds.Distributions, Open: open}.Parse(text)
			})
		})
	options.Form(c, "a key, such as \"client\" or \"uniform(n=1000)\"",
		func(text string) (models.Keys, error) {
			return memoized(made, "keys "+text, func() (k models.Keys, err error) {
				err = k.UnmarshalText([]byte(text))
				return k, err
			})
		})
	options.Form(c, "a list of choices as a text, such as '[{\"serviceConfig\": {}}]' or "+
		"\"file(txt.json)\"", func(source string) (models.TXT, error) {
		text, err := namedText(source, open)
		if err != nil {
			return models.TXT{}, err
		}
		return models.ReadTXT(source, text, kinds.inServiceConfig)
	})
	options.Family(c, "policy", "round_robin", kinds.Policies)
	return c
}

// OptionsOf returns the options of a kind, with its defaults or configured, as lines of TOML.
// Policies among the options are of the kinds in known.
func OptionsOf(kind any, known options.Catalog[policies.Policy]) []string {
	return newCodec(&Kinds{Policies: known}, nil, nil).Describe(kind)
}

// WalkPolicies calls f with a policy and all policies inside it, the outermost first.
func WalkPolicies(p policies.Policy, f func(policies.Policy)) {
	if s, is := p.(policies.FromServiceConfig); is {
		f(s)
		p = s.Default
	}
	options.Walk(nil, p, func(_ []string, inner policies.Policy) { f(inner) })
}

// makeKind reads a kind from a table; its name is the last part of the key.
func makeKind[T any](
	c *options.Codec, key []string, from any, catalog options.Catalog[T],
) (Named[T], error) {
	v, kind, err := options.Kind(c, key, from, catalog)
	return Named[T]{key[len(key)-1], kind, v}, err
}
