package experiments

import (
	"fmt"
	"strconv"
	"time"

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

// pilotSeeds is how many seeds of each policy a warm-up is found from.
const pilotSeeds = 3

// queueSize is how many requests may wait; written as a number or as "unbounded".
type queueSize int

const unbounded queueSize = -1

// UnmarshalText reads a queue size.
func (q *queueSize) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	switch {
	case string(text) == "unbounded":
		n = int(unbounded)
	case err != nil || n < 0 || n > 1<<30:
		return fmt.Errorf("must be a whole number from 0 on, or \"unbounded\" (is %s)", text)
	}
	*q = queueSize(n)
	return nil
}

// MarshalText writes the size so that it reads back.
func (q queueSize) MarshalText() ([]byte, error) {
	if q == unbounded {
		return []byte("unbounded"), nil
	}
	return strconv.AppendInt(nil, int64(q), 10), nil
}

// pushback is what a backend that is full says of further attempts; written as the time after which
// the next may come, as "never" or as "none".
type pushback time.Duration

const (
	neverAgain pushback = -1
	noPushback pushback = -2
)

// UnmarshalText reads a pushback. On the wire it is a number of milliseconds.
func (p *pushback) UnmarshalText(text []byte) error {
	var d models.Duration
	switch string(text) {
	case "never":
		*p = neverAgain
		return nil
	case "none":
		*p = noPushback
		return nil
	}
	if err := d.UnmarshalText(text); err != nil {
		return fmt.Errorf("%w, or \"never\", or \"none\"", err)
	}
	if time.Duration(d)%time.Millisecond != 0 {
		return fmt.Errorf("must be whole milliseconds (is %v)", time.Duration(d))
	}
	*p = pushback(d)
	return nil
}

// MarshalText writes the pushback so that it reads back.
func (p pushback) MarshalText() ([]byte, error) {
	switch p {
	case neverAgain:
		return []byte("never"), nil
	case noPushback:
		return []byte("none"), nil
	}
	return models.Duration(p).MarshalText()
}

// said returns the pushback as the backend takes it: nil for none, negative for never.
func (p pushback) said() *time.Duration {
	if p == noPushback {
		return nil
	}
	return new(time.Duration(p))
}

// toggle is true or false, or unsaid.
type toggle struct{ said, on bool }

// UnmarshalText reads a toggle.
func (t *toggle) UnmarshalText(text []byte) error {
	on, err := strconv.ParseBool(string(text))
	if err != nil {
		return fmt.Errorf("must be true or false (is %s)", text)
	}
	*t = toggle{true, on}
	return nil
}

// hashedTexts says what policies hash: drawn from the seed, as each deployment has other addresses
// and keys, or the same for all seeds.
type hashedTexts string

const (
	drawnTexts hashedTexts = "drawn"
	fixedTexts hashedTexts = "fixed"
)

// UnmarshalText reads it.
func (h *hashedTexts) UnmarshalText(text []byte) error {
	*h = hashedTexts(text)
	if *h != drawnTexts && *h != fixedTexts {
		return fmt.Errorf("must be %q or %q (is %q)", drawnTexts, fixedTexts, text)
	}
	return nil
}
