package config

import (
	"time"

	"lbsim/models"
)

// Document is the content of an experiment's file: its keys are those that a file may have.
type Document struct {
	Seed     uint64        `toml:"seed"`
	Seeds    int           `toml:"seeds"`
	Duration time.Duration `toml:"duration"`
	Warmup   warmup        `toml:"warmup"`
	// Bin is the step of the series; nil for a second, or for a thousandth of a run of more than a
	// thousand seconds.
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

// NewDocument returns the content of an empty file: the defaults.
func NewDocument() Document {
	d := Document{
		Seed: 1, Seeds: 1, MaxSeeds: 100, Duration: time.Minute, Texts: models.DrawnTexts,
	}
	d.Network.SetDefaults()
	d.Backoff.SetDefaults()
	return d
}
