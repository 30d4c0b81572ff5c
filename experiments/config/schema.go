package config

import (
	"time"

	"lbsim/models"
)

// Document is the content of an experiment's file: its keys are those that a file may have.
type Document struct {
	// Seed is that of the first run of each policy; 1 by default.
	Seed uint64 `toml:"seed"`
	// Seeds is how many runs each policy has, with seeds that follow each other; 1 by default.
	Seeds int `toml:"seeds"`
	// Duration is the simulated time of a run, > 0; 1m by default.
	Duration time.Duration `toml:"duration"`
	// Warmup is the time at the start of a run that is not measured, shorter than the Duration; 0s
	// by default. "auto" finds it from runs of its own.
	Warmup warmup `toml:"warmup"`
	// Bin is the step of the series, > 0. By default a second, or a thousandth of a run that is
	// longer than a thousand seconds.
	Bin *time.Duration `toml:"bin"`
	// Baseline is the policy that the others are compared with; by default the first that runs.
	Baseline string `toml:"baseline"`
	// Texts is what policies hash, addresses and keys: drawn (default) from the seed, or fixed, the
	// same for all seeds.
	Texts models.HashedTexts `toml:"addresses_and_keys"`

	// Precision is how tightly a metric of every policy shall be known, "p99 ± 2%" for instance:
	// more seeds are run until it is. "" (default): the Seeds are all that is run.
	Precision string `toml:"precision"`
	// MaxSeeds is how many seeds may be run for that; 100 by default.
	MaxSeeds int `toml:"max_seeds"`

	// Service is a service config as text, or file(NAME); "" (default) for none. A list is that of
	// a DNS TXT record: what is chosen depends on the Seed.
	Service  string                         `toml:"service_config"`
	Clients  map[string]models.ClientGroup  `toml:"clients"`
	Backends map[string]models.BackendGroup `toml:"backends"`
	L4       map[string]models.L4Balancer   `toml:"l4"`
	Network  models.Network                 `toml:"network"`
	Backoff  models.Backoff                 `toml:"backoff"`
	Resolver map[string]any                 `toml:"resolver"`
	Failures map[string]any                 `toml:"failures"`
	Policies map[string]any                 `toml:"policies"`
	// Sweep has lists of values by key, such as "clients.web.rate": all that is asked is asked for
	// each combination.
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
