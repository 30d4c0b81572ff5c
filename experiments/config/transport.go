package config

import (
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

// networkTable is [network].
type networkTable struct {
	Delay       dist.Distribution `toml:"delay"`
	Connect     dist.Distribution `toml:"connect"`
	GiveUp      models.Duration   `toml:"tcp_give_up"`
	UserTimeout bool              `toml:"tcp_user_timeout"`
}

// tcpGiveUp is how long Linux sends data again: 15 times (tcp_retries2), 200 ms after the first
// sending, twice as long after each further one, but at most 120 s. grpc-go leaves it so.
const tcpGiveUp = models.Duration(924600 * time.Millisecond)

func (t *networkTable) network() models.Network {
	return models.Network{
		Delay: t.Delay, Connect: t.Connect,
		GiveUp: time.Duration(t.GiveUp), UserTimeout: t.UserTimeout,
	}
}

// backoffTable is [backoff].
type backoffTable struct {
	Base              models.Duration `toml:"base"`
	Multiplier        float64         `toml:"multiplier"`
	Jitter            float64         `toml:"jitter"`
	Max               models.Duration `toml:"max"`
	MinConnectTimeout models.Duration `toml:"min_connect_timeout"`
}

func newBackoff() backoffTable {
	b := models.DefaultBackoff()
	return backoffTable{
		Base: models.Duration(b.Base), Multiplier: b.Multiplier, Jitter: b.Jitter,
		Max: models.Duration(b.Max), MinConnectTimeout: models.Duration(b.MinConnectTimeout),
	}
}

// backoff returns what the table says, or what is wrong with it.
func (t *backoffTable) backoff() (*models.Backoff, error) {
	switch {
	case t.Base <= 0:
		return nil, bad("must be longer than 0s")("backoff", "base")
	case t.Multiplier < 1 || t.Multiplier > 1e6:
		return nil, bad("must be from 1 to 1e6 (is %v)", t.Multiplier)("backoff", "multiplier")
	case t.Jitter < 0 || t.Jitter > 1:
		return nil, bad("must be from 0 to 1 (is %v)", t.Jitter)("backoff", "jitter")
	case t.Max < t.Base:
		return nil, bad("must be at least base, %v (is %v)",
			time.Duration(t.Base), time.Duration(t.Max))("backoff", "max")
	}
	return &models.Backoff{
		Base: time.Duration(t.Base), Multiplier: t.Multiplier, Jitter: t.Jitter,
		Max: time.Duration(t.Max), MinConnectTimeout: time.Duration(t.MinConnectTimeout),
	}, nil
}

// defaults of grpc-go v1.85.0 for what concerns connections.
const (
	idleTimeout      = 30 * minute
	keepaliveTimeout = 20 * second
	pingMinTime      = 5 * minute
	ageJitter        = 0.1
)

// transport fills in what concerns the connections of a client.
func (t *ClientTable) transport(g *models.ClientGroup) {
	g.IdleTimeout = time.Duration(t.IdleTimeout)
	g.KeepaliveTime = time.Duration(t.KeepaliveTime)
	g.KeepaliveTimeout = time.Duration(t.KeepaliveTimeout)
	g.KeepaliveWithoutStream = t.KeepaliveWithoutStream
}

// checkTransport refuses what makes no sense about them.
func (t *ClientTable) checkTransport(name string) error {
	if t.KeepaliveTime > 0 && t.KeepaliveTimeout == 0 {
		return bad("must be longer than 0s")("clients", name, "keepalive_timeout")
	}
	return nil
}

// transport fills in what concerns the connections to a backend.
func (t *BackendTable) transport(g *models.BackendGroup) {
	g.ConnectCost = t.ConnectCost
	g.MaxConnectionAge = time.Duration(t.MaxConnectionAge)
	g.MaxConnectionAgeGrace = time.Duration(t.MaxConnectionAgeGrace)
	g.AgeJitter = t.AgeJitter
	g.MaxConnectionIdle = time.Duration(t.MaxConnectionIdle)
	g.GoAwayChance = t.GoAwayChance
	g.MaxStreams = t.MaxStreams
	g.PingMinTime = time.Duration(t.PingMinTime)
	g.PingWithoutStream = t.PingWithoutStream
}

// checkTransport refuses what makes no sense about them.
func (t *BackendTable) checkTransport(name string) error {
	at := func(e func(key ...string) error, key string) error { return e("backends", name, key) }
	switch {
	case !(t.AgeJitter >= 0 && t.AgeJitter <= 1):
		return at(bad("must be from 0 to 1 (is %v)", t.AgeJitter), "max_connection_age_jitter")
	case t.MaxConnectionAgeGrace > 0 && t.MaxConnectionAge == 0:
		return at(bad("needs a max_connection_age, such as \"10m\""), "max_connection_age_grace")
	case t.GoAwayChance < 0 || t.GoAwayChance > 1:
		return at(bad("must be from 0 to 1 (is %v)", t.GoAwayChance), "goaway_chance")
	case t.MaxStreams < 0 || t.MaxStreams > mostActors:
		return at(bad("must be from 1 to %d, or 0 for no limit (is %d)",
			mostActors, t.MaxStreams), "max_concurrent_streams")
	}
	return t.checkReports(name)
}

// l4Table is [l4.NAME], a balancer of connections.
type l4Table struct {
	Backends []string        `toml:"backends"`
	Choice   models.L4Choice `toml:"choice"`
}

// l4 puts the balancers of connections in front of their backends.
func (p *Point) l4(order []string) error {
	if len(order) > models.MostL4 {
		return bad("are %d, which are too many: at most %d", len(order), models.MostL4)("l4")
	}
	for _, name := range order {
		t := p.Document.L4[name]
		l := models.L4Balancer{Name: name, Backends: t.Backends, Choice: t.Choice}
		if err := l.Check(&p.Config); err != nil {
			return optionError([]string{"l4", name}, err)
		}
		p.Config.L4 = append(p.Config.L4, l)
	}
	return nil
}
