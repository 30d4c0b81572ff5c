package config

import (
	"fmt"
	"time"

	"lbsim/options"
)

// warmup is a warm-up: a duration, or "auto".
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

// PilotSeeds is the number of seeds with which each policy makes pilot runs to find a warm-up.
const PilotSeeds = 3
