package config

import (
	"time"

	"lbsim/models"
)

// Document is the content of an experiment's file: its keys are those that a file may have.
type Document struct {
	// Seed is the seed of the first run of each policy; 1 by default.
	Seed uint64 `toml:"seed"`
	// Seeds is the number of runs of each policy, with successive seeds; 1 by default.
	Seeds int `toml:"seeds"`
	// Duration is the simulated time of a run, > 0; 1m by default.
	Duration time.Duration `toml:"duration"`
	// Warmup is the beginning of a run that is not measured, shorter than the Duration; 0s by
	// default. With "auto" it is found from pilot runs.
	Warmup warmup `toml:"warmup"`
	// Bin is the step of the series, > 0; by default a second, or a thousandth of a run of more
	// than a thousand seconds.
	Bin *time.Duration `toml:"bin"`
	// Baseline is the policy that the others are compared with; by default the first that runs.
	Baseline string `toml:"baseline"`
	// Texts is how the addresses and keys that policies hash are made: drawn (default) from the
	// seed, or fixed, the same for all seeds.
	Texts models.HashedTexts `toml:"addresses_and_keys"`

	// Precision is the half-width of the confidence interval of a metric that every policy shall
	// have, such as "p99 ± 2%": runs with further seeds are added until it does. "" (default) adds
	// none.
	Precision string `toml:"precision"`
	// MaxSeeds is the greatest number of seeds with a Precision; 100 by default.
	MaxSeeds int `toml:"max_seeds"`

	// Service is a service config as text, or file(NAME); "" (default) for none. From a list, as in
	// a DNS TXT record, a choice is drawn by the Seed.
	Service  string                         `toml:"service_config"`
	Clients  map[string]models.ClientGroup  `toml:"clients"`
	Backends map[string]models.BackendGroup `toml:"backends"`
	L4       map[string]models.L4Balancer   `toml:"l4"`
	Network  models.Network                 `toml:"network"`
	Backoff  models.Backoff                 `toml:"backoff"`
	Resolver map[string]any                 `toml:"resolver"`
	Failures map[string]any                 `toml:"failures"`
	Policies map[string]any                 `toml:"policies"`
	// Sweep has lists of values by key, such as "clients.web.rate": each combination is a point, at
	// which all policies run.
	Sweep map[string][]any `toml:"sweep"`
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
