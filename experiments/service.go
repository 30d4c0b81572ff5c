package experiments

import (
	"fmt"
	"strings"
	"time"

	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
	"lbsim/sim"
)

// ofServiceConfig is the kind of the policy that the service config chooses.
const ofServiceConfig = "service_config"

// hostname is where all clients are, for choices that name hosts.
const hostname = "lbsim"

// readService reads the service config, which is pasted or named as file(NAME). A list is that of a
// DNS TXT record: what is chosen depends on the experiment's seed, so all runs and clients have it.
func (p *point) readService(s *source) error {
	text := strings.TrimSpace(p.top.Service)
	if text == "" {
		return nil
	}
	if name, isFile := strings.CutPrefix(text, "file("); isFile && strings.HasSuffix(name, ")") {
		data, err := s.open(strings.TrimSuffix(name, ")"))
		if err != nil {
			return &keyError{[]string{"service_config"}, err}
		}
		text = string(data)
	}
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		draws := sim.NewRand(p.top.Seed, "service_config/percentage")
		draw := func() int { return 1 + draws.IntN(100) }
		chosen, place, err := serviceconfig.Choose([]byte(text), hostname, draw)
		if err != nil {
			return &keyError{[]string{"service_config"}, err}
		}
		text, p.choice = string(chosen), place
	}
	known := func(name string) (policies.Policy, bool) {
		policy, found := policies.Catalog[name]
		return policy, found
	}
	c, err := serviceconfig.Parse([]byte(text), known)
	if err != nil && p.choice >= 0 {
		err = fmt.Errorf("[%d].serviceConfig: %w", p.choice, err)
	}
	if err != nil {
		return &keyError{[]string{"service_config"}, err}
	}
	p.service = c
	return nil
}

// configure gives a group of clients what the service config says of their method. The shorter of
// two timeouts counts, and what the group says of waiting for ready.
func (p *point) configure(g *models.ClientGroup, t *clientTable) {
	if p.service == nil {
		return
	}
	m := p.service.Method(t.Method)
	if m.Timeout != nil {
		// One of 0 is over at once; in a group of clients 0 stands for none.
		timeout := max(time.Nanosecond, *m.Timeout)
		if g.Timeout == 0 || timeout < g.Timeout {
			g.Timeout = timeout
		}
	}
	g.WaitForReady = t.WaitForReady.or(m.WaitForReady)
	g.HealthCheck = p.service.HealthService != nil
	g.Retry, g.Hedging, g.Throttle = m.Retry, m.Hedging, p.service.Throttle
}

// makePolicy makes a policy of its table: one of the kinds, or what the service config says.
func (p *point) makePolicy(
	d *decoder, kinds map[string]policies.Policy, key []string, from any,
) (named[policies.Policy], error) {
	table, _ := from.(map[string]any)
	if table["kind"] != ofServiceConfig {
		return makeKind(d, key, from, kinds, &p.config)
	}
	if p.service == nil {
		err := bad("there is none: give the experiment a service_config")(sub(key, "kind")...)
		return named[policies.Policy]{}, err
	}
	for _, option := range sortedKeys(table) {
		if option != "kind" {
			err := bad("unknown key: the options are those of the service config")
			return named[policies.Policy]{}, err(sub(key, option)...)
		}
	}
	return named[policies.Policy]{key[len(key)-1], ofServiceConfig, p.service.Policy}, nil
}

// ServiceChoice is the place, from 0 on, of the service config in the list that the experiment
// gives; -1 where it gives no list.
func (e *Experiment) ServiceChoice() int { return e.Variants[0].point.choice }

// ServiceFields says what becomes of each field of the service config; nothing where there is none.
func (e *Experiment) ServiceFields() []serviceconfig.Field {
	if service := e.Variants[0].point.service; service != nil {
		return service.Fields
	}
	return nil
}
