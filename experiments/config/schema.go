package config

import (
	"math"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/options"
)

const (
	second = models.Duration(time.Second)
	minute = models.Duration(time.Minute)
)

// autoBin, as the step of the series, is a second, or a thousandth of a run that is longer than a
// thousand seconds.
const autoBin models.Duration = math.MinInt64

// Document is what may stand in an experiment's file.
type Document struct {
	Seed     uint64             `toml:"seed"`
	Seeds    int                `toml:"seeds"`
	Duration models.Duration    `toml:"duration"`
	Warmup   warmup             `toml:"warmup"`
	Bin      models.Duration    `toml:"bin"`
	Baseline string             `toml:"baseline"`
	Texts    models.HashedTexts `toml:"addresses_and_keys"`

	Precision string `toml:"precision"`
	MaxSeeds  int    `toml:"max_seeds"`

	Service  string                  `toml:"service_config"`
	Clients  map[string]ClientTable  `toml:"clients"`
	Backends map[string]BackendTable `toml:"backends"`
	L4       map[string]l4Table      `toml:"l4"`
	Network  networkTable            `toml:"network"`
	Backoff  backoffTable            `toml:"backoff"`
	Resolver map[string]any          `toml:"resolver"`
	Failures map[string]any          `toml:"failures"`
	Policies map[string]any          `toml:"policies"`
	Sweep    map[string][]any        `toml:"sweep"`
}

// ClientTable is [clients.NAME].
type ClientTable struct {
	Count        int               `toml:"count"`
	Rate         options.Rate      `toml:"rate"`
	Arrivals     models.Arrivals   `toml:"arrivals"`
	Callers      int               `toml:"callers"`
	Think        dist.Distribution `toml:"think"`
	Start        models.Duration   `toml:"start"`
	Requests     uint64            `toml:"requests"`
	Method       string            `toml:"method"`
	Timeout      models.Duration   `toml:"timeout"`
	WaitForReady *bool             `toml:"wait_for_ready"`
	Key          *models.Keys      `toml:"key"`
	KeyHeader    string            `toml:"key_header"`

	Zone        string            `toml:"zone"`
	ZoneWeights map[string]uint32 `toml:"zone_weights"`

	IdleTimeout            models.Duration `toml:"idle_timeout"`
	KeepaliveTime          models.Duration `toml:"keepalive_time"`
	KeepaliveTimeout       models.Duration `toml:"keepalive_timeout"`
	KeepaliveWithoutStream bool            `toml:"keepalive_permit_without_stream"`
}

// BackendTable is [backends.NAME].
type BackendTable struct {
	Count      int               `toml:"count"`
	Addresses  []models.Label    `toml:"addresses"`
	Workers    int               `toml:"workers"`
	Discipline models.Discipline `toml:"discipline"`
	Queue      models.QueueSize  `toml:"queue"`
	OnFull     models.OnFull     `toml:"on_full"`
	Pushback   models.Pushback   `toml:"pushback"`
	Service    dist.Distribution `toml:"service"`
	Speed      float64           `toml:"speed"`
	OnCancel   models.OnCancel   `toml:"on_cancel"`
	OnExpired  models.OnExpired  `toml:"on_expired"`

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

	LoadReport           models.LoadReport `toml:"load_report"`
	LoadWindow           models.Duration   `toml:"load_window"`
	MinReportingInterval models.Duration   `toml:"min_reporting_interval"`
}

// NewDocument returns what a file means that says nothing.
func NewDocument() Document {
	return Document{
		Seed: 1, Seeds: 1, MaxSeeds: 100, Duration: minute, Bin: autoBin, Texts: models.DrawnTexts,
		Network: networkTable{Delay: dist.Constant(0), GiveUp: tcpGiveUp},
		Backoff: newBackoff(),
	}
}

// SetDefaults fills in what a group is where the file does not say.
func (c *ClientTable) SetDefaults() {
	*c = ClientTable{
		Count: 1, Think: dist.Constant(0), Method: "/lbsim.Service/Method",
		IdleTimeout: idleTimeout, KeepaliveTimeout: keepaliveTimeout,
	}
}

// SetDefaults fills in what a group is where the file does not say.
func (b *BackendTable) SetDefaults() {
	*b = BackendTable{
		Count: 1, Addresses: make([]models.Label, 1), // ipv4
		Workers: 1, Queue: models.Unbounded,
		Speed:     1,
		AgeJitter: ageJitter, PingMinTime: pingMinTime, Weight: 1, ZoneWeight: 1,
		LoadWindow: loadWindow, MinReportingInterval: minReportingInterval,
	}
}
