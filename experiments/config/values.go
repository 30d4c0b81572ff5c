package config

import (
	"fmt"
	"time"

	"lbsim/options"
)

// warmup is how long a run is not measured; written as a duration or as "auto".
type warmup time.Duration

const autoWarmup warmup = -1

// UnmarshalText reads a warm-up.
func (w *warmup) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		*w = autoWarmup
		return nil
	}
	d, err := options.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%w, or \"auto\"", err)
	}
	*w = warmup(d)
	return nil
}

// MarshalText writes the warm-up so that it reads back.
func (w warmup) MarshalText() ([]byte, error) {
	if w == autoWarmup {
		return []byte("auto"), nil
	}
	return []byte(options.DurationText(time.Duration(w))), nil
}

// PilotSeeds is how many seeds of each policy a warm-up is found from.
const PilotSeeds = 3
