package experiments

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/policies"
)

const (
	second = models.Duration(time.Second)
	minute = models.Duration(time.Minute)
)

// autoBin, as the step of the series, is a second, or a thousandth of a run that is longer than a
// thousand seconds.
const autoBin models.Duration = math.MinInt64

// top is what may stand in an experiment's file.
type top struct {
	Seed     uint64          `toml:"seed"`
	Seeds    int             `toml:"seeds"`
	Duration models.Duration `toml:"duration"`
	Warmup   warmup          `toml:"warmup"`
	Bin      models.Duration `toml:"bin"`
	Baseline string          `toml:"baseline"`
	Texts    hashedTexts     `toml:"addresses_and_keys"`

	Precision string `toml:"precision"`
	MaxSeeds  int    `toml:"max_seeds"`

	Service  string                  `toml:"service_config"`
	Clients  map[string]clientTable  `toml:"clients"`
	Backends map[string]backendTable `toml:"backends"`
	L4       map[string]l4Table      `toml:"l4"`
	Network  networkTable            `toml:"network"`
	Backoff  backoffTable            `toml:"backoff"`
	Resolver map[string]any          `toml:"resolver"`
	Failures map[string]any          `toml:"failures"`
	Policies map[string]any          `toml:"policies"`
	Sweep    map[string][]any        `toml:"sweep"`
}

// clientTable is [clients.NAME].
type clientTable struct {
	Count        int               `toml:"count"`
	Rate         models.Rate       `toml:"rate"`
	Arrivals     string            `toml:"arrivals"`
	Callers      int               `toml:"callers"`
	Think        dist.Distribution `toml:"think"`
	Start        models.Duration   `toml:"start"`
	Requests     uint64            `toml:"requests"`
	Method       string            `toml:"method"`
	Timeout      models.Duration   `toml:"timeout"`
	WaitForReady toggle            `toml:"wait_for_ready"`
	Key          *models.Keys      `toml:"key"`
	KeyHeader    string            `toml:"key_header"`

	Zone        string            `toml:"zone"`
	ZoneWeights map[string]uint32 `toml:"zone_weights"`

	IdleTimeout            models.Duration `toml:"idle_timeout"`
	KeepaliveTime          models.Duration `toml:"keepalive_time"`
	KeepaliveTimeout       models.Duration `toml:"keepalive_timeout"`
	KeepaliveWithoutStream bool            `toml:"keepalive_permit_without_stream"`
}

// backendTable is [backends.NAME].
type backendTable struct {
	Count      int               `toml:"count"`
	Addresses  []models.Label    `toml:"addresses"`
	Workers    int               `toml:"workers"`
	Discipline models.Discipline `toml:"discipline"`
	Queue      queueSize         `toml:"queue"`
	OnFull     string            `toml:"on_full"`
	Pushback   pushback          `toml:"pushback"`
	Service    dist.Distribution `toml:"service"`
	Speed      float64           `toml:"speed"`
	OnCancel   string            `toml:"on_cancel"`
	OnExpired  string            `toml:"on_expired"`

	Weight     uint32   `toml:"weight"`
	Zone       string   `toml:"zone"`
	ZoneWeight uint32   `toml:"zone_weight"`
	Path       []string `toml:"path"`

	ConnectCost           dist.Distribution `toml:"connect_cost"`
	MaxConnectionAge      models.Duration   `toml:"max_connection_age"`
	MaxConnectionAgeGrace models.Duration   `toml:"max_connection_age_grace"`
	AgeJitter             float64           `toml:"max_connection_age_jitter"`
	MaxConnectionIdle     models.Duration   `toml:"max_connection_idle"`
	GoAwayChance          float64           `toml:"goaway_chance"`
	MaxStreams            int               `toml:"max_concurrent_streams"`
	PingMinTime           models.Duration   `toml:"ping_min_time"`
	PingWithoutStream     bool              `toml:"ping_permit_without_stream"`

	LoadReport           string          `toml:"load_report"`
	LoadWindow           models.Duration `toml:"load_window"`
	MinReportingInterval models.Duration `toml:"min_reporting_interval"`
}

// newTop returns what a file means that says nothing.
func newTop() top {
	return top{
		Seed: 1, Seeds: 1, MaxSeeds: 100, Duration: minute, Bin: autoBin, Texts: drawnTexts,
		Network: networkTable{Delay: dist.Constant(0), GiveUp: tcpGiveUp},
		Backoff: newBackoff(),
	}
}

// SetDefaults fills in what a group is where the file does not say.
func (c *clientTable) SetDefaults() {
	*c = clientTable{
		Count: 1, Arrivals: "poisson", Think: dist.Constant(0), Method: "/lbsim.Service/Method",
		IdleTimeout: idleTimeout, KeepaliveTimeout: keepaliveTimeout,
	}
}

// SetDefaults fills in what a group is where the file does not say.
func (b *backendTable) SetDefaults() {
	*b = backendTable{
		Count: 1, Addresses: make([]models.Label, 1), // ipv4
		Workers: 1, Queue: unbounded, OnFull: policies.ResourceExhausted.String(),
		Pushback: noPushback, Speed: 1, OnCancel: "finish", OnExpired: "serve",
		AgeJitter: ageJitter, PingMinTime: pingMinTime, Weight: 1, ZoneWeight: 1,
		LoadReport: "none", LoadWindow: loadWindow, MinReportingInterval: minReportingInterval,
	}
}

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
