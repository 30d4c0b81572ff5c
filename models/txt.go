package models

import (
	"errors"
	"fmt"
	"strings"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// Hostname is where all clients are, for choices that name hosts.
const Hostname = "lbsim"

// TXT is the DNS record that holds a service config: a list of choices (gRFC A2).
type TXT struct {
	source  string // as the user has it: the text, or where it is
	choices serviceconfig.Choices
	configs []ServiceConfig // of each choice that a client can take
}

// ReadTXT reads a record; source is how the user names it. What grpc-go refuses of a config in it
// is no error, for clients shall meet that; a list that is wrong by itself is one, and so is what
// only lbsim refuses. An empty text stands for a record that is not there.
func ReadTXT(
	source, text string, known func(name string) (policies.Policy, bool),
) (TXT, error) {
	x := TXT{source: source}
	text = strings.TrimPrefix(strings.TrimSpace(text), "grpc_config=")
	if text == "" {
		return x, nil
	}
	var err error
	if x.choices, err = serviceconfig.ReadChoices([]byte(text)); err != nil {
		return TXT{}, err
	}
	x.configs = make([]ServiceConfig, len(x.choices))
	for i := range x.choices {
		c := &x.choices[i]
		if !c.IsFor(Hostname) {
			continue
		}
		config, err := serviceconfig.Parse(c.Config(), known)
		var refused *serviceconfig.Error
		if errors.As(err, &refused) && refused.Valid {
			return TXT{}, fmt.Errorf("[%d].serviceConfig: %w", i, err)
		}
		x.configs[i] = ServiceConfig{config, err}
	}
	return x, nil
}

// Choose returns what one client finds in the record; draw is that of [serviceconfig.Choices].
func (x TXT) Choose(draw func() int) ServiceConfig {
	if x.configs == nil {
		return ServiceConfig{}
	}
	place, err := x.choices.Choose(Hostname, draw)
	if err != nil {
		return ServiceConfig{Err: err}
	}
	return x.configs[place]
}

// Choice is a choice of a record, as clients meet it.
type Choice struct {
	ServiceConfig
	// Share is of the clients that take it, 0 to 1, and Never why none does.
	Share float64
	Never string
}

// Choices returns the choices of a record, in its order, and the share of the clients, 0 to 1, that
// take none: to them it is a config that cannot be used. Of a record that is not there both are 0.
func (x TXT) Choices() (list []Choice, none float64) {
	if x.configs == nil {
		return nil, 0
	}
	each, none := x.choices.Chances(Hostname)
	for i, c := range x.configs {
		choice := Choice{ServiceConfig: c, Share: each[i], Never: x.choices[i].Never(Hostname)}
		if choice.Share == 0 && choice.Never == "" {
			choice.Never = "all clients take one before it"
		}
		list = append(list, choice)
	}
	return list, none
}

// MarshalText writes the record so that it reads back.
func (x TXT) MarshalText() ([]byte, error) { return []byte(x.source), nil }
