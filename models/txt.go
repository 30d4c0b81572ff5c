package models

import (
	"errors"
	"fmt"
	"strings"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// Hostname is the host of all clients, for choices that name hosts.
const Hostname = "lbsim"

// TXT is the DNS record that holds a service config: a list of choices (gRFC A2).
type TXT struct {
	source  string // as the user wrote it: the text, or file(NAME)
	choices serviceconfig.Choices
	configs []ServiceConfig // by choice; the zero value for those of other hosts
}

// ReadTXT reads a record; source is what the user wrote. A config that grpc-go refuses is not an
// error: clients meet it in the run. An invalid list is an error, and so is what only lbsim
// refuses. An empty text stands for no record.
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

// Choose returns the config that one client takes from the record; draw is as for
// [serviceconfig.Choices.Choose].
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
	// Share is the share of the clients that take it, 0 to 1. Never is the reason where it is 0.
	Share float64
	Never string
}

// Choices returns the choices of a record, in its order, and the share of the clients, 0 to 1, that
// take none; for these the config is invalid. Without a record there are none, and the share is 0.
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
