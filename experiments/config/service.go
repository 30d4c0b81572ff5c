package config

import (
	"fmt"
	"strings"

	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/models/serviceconfig"
	"lbsim/options"
	"lbsim/policies"
	"lbsim/sim"
)

// ServiceConfigKind is the kind of the policy that the service config chooses.
const ServiceConfigKind = "service_config"

// namedText returns a text, or the content of the file if the text is file(NAME).
func namedText(text string, open func(name string) ([]byte, error)) (string, error) {
	text = strings.TrimSpace(text)
	if name, isFile := strings.CutPrefix(text, "file("); isFile && strings.HasSuffix(name, ")") {
		data, err := open(strings.TrimSuffix(name, ")"))
		return string(data), err
	}
	return text, nil
}

// readService reads the service config, a text or file(NAME). From a list, as in a DNS TXT record,
// it draws a choice by the seed of the experiment; all runs and clients have the same choice.
func (p *Point) readService(s *source, _ map[string]any) error {
	if strings.TrimSpace(p.Document.Service) == "" {
		return nil
	}
	text, err := namedText(p.Document.Service, s.open)
	if err != nil {
		return &options.KeyError{Key: []string{"service_config"}, Err: err}
	}
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		draws := sim.NewRand(p.Document.Seed, "service_config/percentage")
		draw := func() int { return 1 + draws.IntN(100) }
		choices, err := serviceconfig.ReadChoices([]byte(text))
		if err == nil {
			p.Choice, err = choices.Choose(models.Hostname, draw)
		}
		if err != nil {
			return &options.KeyError{Key: []string{"service_config"}, Err: err}
		}
		text = string(choices[p.Choice].Config())
	}
	c, err := serviceconfig.Parse([]byte(text), s.kinds.inServiceConfig)
	if err != nil && p.Choice >= 0 {
		err = fmt.Errorf("[%d].serviceConfig: %w", p.Choice, err)
	}
	if err != nil {
		return &options.KeyError{Key: []string{"service_config"}, Err: err}
	}
	p.Service = c
	return nil
}

// ConfigByName reports whether the service config may come by name resolution.
func (p *Point) ConfigByName() bool {
	d, is := p.Config.Resolver.(resolvers.DNS)
	return is && len(d.TXT) > 0
}

// servicePolicy returns the policy of the service config.
func (p *Point) servicePolicy() policies.Policy {
	switch {
	case !p.ConfigByName():
		return p.Service.Policy
	case p.Service == nil:
		return policies.FromServiceConfig{Default: policies.PickFirst{}}
	}
	return policies.FromServiceConfig{Default: p.Service.Policy}
}

// makePolicy reads a policy from its table: one of the kinds, or that of the service config.
func (p *Point) makePolicy(s *source, key []string, from any) (Named[policies.Policy], error) {
	table, _ := from.(map[string]any)
	if table["kind"] != ServiceConfigKind {
		return makeKind(s.codec, key, from, s.kinds.Policies)
	}
	if p.Service == nil && !p.ConfigByName() {
		return Named[policies.Policy]{}, options.Errorf(options.Sub(key, "kind"),
			"there is none: give the experiment a service_config, or its resolver a txt")
	}
	for _, option := range sortedKeys(table) {
		if option != "kind" {
			return Named[policies.Policy]{}, options.Errorf(options.Sub(key, option),
				"unknown key: the options are those of the service config")
		}
	}
	return Named[policies.Policy]{key[len(key)-1], ServiceConfigKind, p.servicePolicy()}, nil
}
