package config

import (
	"fmt"

	"lbsim/models"
)

// warmup is how long a run is not measured; written as a duration or as "auto".
type warmup models.Duration

const autoWarmup warmup = -1

// UnmarshalText reads a warm-up.
func (w *warmup) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		*w = autoWarmup
		return nil
	}
	if err := (*models.Duration)(w).UnmarshalText(text); err != nil {
		return fmt.Errorf("%w, or \"auto\"", err)
	}
	return nil
}

// MarshalText writes the warm-up so that it reads back.
func (w warmup) MarshalText() ([]byte, error) {
	if w == autoWarmup {
		return []byte("auto"), nil
	}
	return models.Duration(w).MarshalText()
}

// PilotSeeds is how many seeds of each policy a warm-up is found from.
const PilotSeeds = 3
