package models

import (
	"fmt"
	"strconv"
	"time"

	"lbsim/options"
	"lbsim/policies"
)

// word returns a value of an enumeration as a user writes it.
func word[T ~uint8](v T, words []string) string {
	if int(v) < len(words) {
		return words[v]
	}
	return strconv.Itoa(int(v))
}

// readWord reads a value of an enumeration.
func readWord[T ~uint8](v *T, noun string, text []byte, words []string) error {
	i, err := options.Word(noun, text, words)
	if err == nil {
		*v = T(i)
	}
	return err
}

// QueueSize is how many requests may wait, 0 on, or [Unbounded]. A user writes it as a number or as
// "unbounded".
type QueueSize int

// Unbounded is the size of a queue that any number of requests may wait in.
const Unbounded QueueSize = -1

const mostQueue = 1 << 30

// UnmarshalText reads a queue size.
func (q *QueueSize) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	switch {
	case string(text) == "unbounded":
		n = int(Unbounded)
	case err != nil || n < 0 || n > mostQueue:
		return fmt.Errorf("must be a whole number from 0 on, or \"unbounded\" (is %s)", text)
	}
	*q = QueueSize(n)
	return nil
}

// MarshalText writes the size so that it reads back.
func (q QueueSize) MarshalText() ([]byte, error) {
	if q == Unbounded {
		return []byte("unbounded"), nil
	}
	return strconv.AppendInt(nil, int64(q), 10), nil
}

// OnFull is the status of a request that finds the queue full.
type OnFull uint8

const (
	// FullExhausted is RESOURCE_EXHAUSTED.
	FullExhausted OnFull = iota
	// FullUnavailable is UNAVAILABLE.
	FullUnavailable
)

var onFull = []string{policies.ResourceExhausted.String(), policies.Unavailable.String()}

// Code returns the status.
func (f OnFull) Code() policies.Code {
	if f == FullUnavailable {
		return policies.Unavailable
	}
	return policies.ResourceExhausted
}

// MarshalText writes the status so that it reads back.
func (f OnFull) MarshalText() ([]byte, error) { return []byte(word(f, onFull)), nil }

// UnmarshalText reads a status.
func (f *OnFull) UnmarshalText(text []byte) error { return readWord(f, "status", text, onFull) }

// Pushback is the pushback in the status of a backend (grpc-retry-pushback-ms). The zero value
// stands for none. A user writes it as the time after which the next attempt may come, as "never"
// or as "none".
type Pushback struct {
	Given bool
	// After is the time until the next attempt, in whole milliseconds; < 0 forbids further
	// attempts.
	After time.Duration
}

// UnmarshalText reads a pushback. On the wire it is a number of milliseconds.
func (p *Pushback) UnmarshalText(text []byte) error {
	switch string(text) {
	case "never":
		*p = Pushback{true, -1}
		return nil
	case "none":
		*p = Pushback{}
		return nil
	}
	d, err := options.ParseDuration(string(text))
	switch {
	case err != nil:
		return fmt.Errorf("%w, or \"never\", or \"none\"", err)
	case d%time.Millisecond != 0:
		return fmt.Errorf("must be whole milliseconds (is %v)", d)
	}
	*p = Pushback{true, d}
	return nil
}

// MarshalText writes the pushback so that it reads back.
func (p Pushback) MarshalText() ([]byte, error) {
	switch {
	case !p.Given:
		return []byte("none"), nil
	case p.After < 0:
		return []byte("never"), nil
	}
	return []byte(options.DurationText(p.After)), nil
}

// toStatus returns the pushback as a [policies.Status] has it: nil for none.
func (p *Pushback) toStatus() *time.Duration {
	if !p.Given {
		return nil
	}
	return &p.After
}

// OnCancel is what a backend does with a request when it learns that the client has given up.
type OnCancel uint8

const (
	// FinishCancelled finishes the work, whose reply nobody gets.
	FinishCancelled OnCancel = iota
	// StopCancelled drops the request.
	StopCancelled
)

var onCancel = []string{"finish", "stop"}

// MarshalText writes it so that it reads back.
func (c OnCancel) MarshalText() ([]byte, error) { return []byte(word(c, onCancel)), nil }

// UnmarshalText reads it.
func (c *OnCancel) UnmarshalText(text []byte) error {
	return readWord(c, "way", text, onCancel)
}

// OnExpired is what a worker does with a request whose deadline has passed when it gets to it.
type OnExpired uint8

const (
	// ServeExpired serves it, though its client has given up.
	ServeExpired OnExpired = iota
	// DropExpired drops it.
	DropExpired
)

var onExpired = []string{"serve", "drop"}

// MarshalText writes it so that it reads back.
func (e OnExpired) MarshalText() ([]byte, error) { return []byte(word(e, onExpired)), nil }

// UnmarshalText reads it.
func (e *OnExpired) UnmarshalText(text []byte) error {
	return readWord(e, "way", text, onExpired)
}

// LoadReport is the set of ways in which a backend reports its load.
type LoadReport uint8

const (
	// LoadPerCall puts a report into each reply.
	LoadPerCall LoadReport = 1 << iota
	// LoadOutOfBand sends reports, apart from any RPC, to each client that asks.
	LoadOutOfBand
)

var loadReports = []string{"none", "per_call", "out_of_band", "both"}

// Has reports whether the set holds a way.
func (r LoadReport) Has(way LoadReport) bool { return r&way != 0 }

// MarshalText writes the set so that it reads back.
func (r LoadReport) MarshalText() ([]byte, error) { return []byte(word(r, loadReports)), nil }

// UnmarshalText reads a set.
func (r *LoadReport) UnmarshalText(text []byte) error {
	return readWord(r, "load report", text, loadReports)
}

// HashedTexts is what policies hash: the texts of addresses and of keys.
type HashedTexts uint8

const (
	// FixedTexts are the same for all seeds: 10.0.0.1:80 and so on, and keys from 0 on.
	FixedTexts HashedTexts = iota
	// DrawnTexts are drawn from the seed, as each deployment has other addresses and keys.
	DrawnTexts
)

var hashedTexts = []string{"fixed", "drawn"}

// MarshalText writes it so that it reads back.
func (h HashedTexts) MarshalText() ([]byte, error) { return []byte(word(h, hashedTexts)), nil }

// UnmarshalText reads it.
func (h *HashedTexts) UnmarshalText(text []byte) error {
	return readWord(h, "texts", text, hashedTexts)
}

// Rank is by what the control plane puts backends in ranks for each client.
type Rank uint8

const (
	// NoRank leaves the paths of endpoints as they are.
	NoRank Rank = iota
	// RankZone puts [LocalRank] at the front of the path of an endpoint in the client's own zone,
	// [RemoteRank] at that of others.
	RankZone
)

var ranks = []string{"none", "zone"}

// MarshalText writes the rank so that it reads back.
func (r Rank) MarshalText() ([]byte, error) { return []byte(word(r, ranks)), nil }

// UnmarshalText reads a rank.
func (r *Rank) UnmarshalText(text []byte) error { return readWord(r, "rank", text, ranks) }
