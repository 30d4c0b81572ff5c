package config

import (
	"time"

	"lbsim/models"
)

// Document is what may stand in an experiment's file.
type Document struct {
	Seed     uint64        `toml:"seed"`
	Seeds    int           `toml:"seeds"`
	Duration time.Duration `toml:"duration"`
	Warmup   warmup        `toml:"warmup"`
	// Bin is the step of the series; nil for a second, or a thousandth of a run that is longer than
	// a thousand seconds.
	Bin      *time.Duration     `toml:"bin"`
	Baseline string             `toml:"baseline"`
	Texts    models.HashedTexts `toml:"addresses_and_keys"`

	Precision string `toml:"precision"`
	MaxSeeds  int    `toml:"max_seeds"`

	Service  string                         `toml:"service_config"`
	Clients  map[string]models.ClientGroup  `toml:"clients"`
	Backends map[string]models.BackendGroup `toml:"backends"`
	L4       map[string]models.L4Balancer   `toml:"l4"`
	Network  models.Network                 `toml:"network"`
	Backoff  models.Backoff                 `toml:"backoff"`
	Resolver map[string]any                 `toml:"resolver"`
	Failures map[string]any                 `toml:"failures"`
	Policies map[string]any                 `toml:"policies"`
	Sweep    map[string][]any               `toml:"sweep"`
}

// NewDocument returns what a file means that says nothing.
func NewDocument() Document {
	d := Document{
		Seed: 1, Seeds: 1, MaxSeeds: 100, Duration: time.Minute, Texts: models.DrawnTexts,
	}
	d.Network.SetDefaults()
	d.Backoff.SetDefaults()
	return d
}
