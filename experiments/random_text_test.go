package experiments_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writer makes up an experiment, as TOML. Number N is the same each time. It covers the grammar:
// what a file may say should come up now and then, alone and beside everything else.
type writer struct {
	*rand.Rand
	text strings.Builder

	seconds  float64  // of the run
	clients  []string // groups
	backends []group
	zones    bool
	header   string // of the keys; "" for none
	health   bool
}

// group is one of backends.
type group struct {
	name   string
	number int
	count  int
	dual   bool // has two addresses
}

// randomExperiment returns experiment number n.
func randomExperiment(n uint64) string {
	w := &writer{Rand: rand.New(rand.NewPCG(n, 12))}
	w.line("# What does experiment %d do?", n)
	w.general()
	w.zones = w.chance(0.3)
	if w.chance(0.4) {
		w.header = "x-key"
	}
	for i := range 1 + w.IntN(3) {
		g := group{name: fmt.Sprintf("b%d", i), number: i, count: 1 + w.IntN(5)}
		w.backends = append(w.backends, g)
	}
	for i := range 1 + w.IntN(2) {
		w.clients = append(w.clients, fmt.Sprintf("c%d", i))
		w.clientGroup(w.clients[i])
	}
	for i := range w.backends {
		w.backendGroup(&w.backends[i])
	}
	w.network()
	w.resolver()
	for i := range w.IntN(4) {
		w.failure(i)
	}
	for i := range 1 + w.IntN(3) {
		w.line("[policies.p%d]", i)
		for _, option := range w.policy(3) {
			w.line("%s", option)
		}
	}
	if w.chance(0.15) {
		w.line("[sweep]\n%q = [%q, %q]", "network.delay", "100us", "3ms")
	}
	return w.text.String()
}

func (w *writer) line(format string, values ...any) {
	fmt.Fprintf(&w.text, format+"\n", values...)
}

func (w *writer) chance(p float64) bool { return w.Float64() < p }

// maybe writes a line with this chance.
func (w *writer) maybe(p float64, format string, values ...any) {
	if w.chance(p) {
		w.line(format, values...)
	}
}

// one returns one of some texts.
func (w *writer) one(of ...string) string { return of[w.IntN(len(of))] }

// moment is one of the run, or a little beyond.
func (w *writer) moment() string { return fmt.Sprintf("%.2fs", 0.01+w.Float64()*w.seconds*1.1) }

func (w *writer) work() string {
	return w.one("0s", "500us", "2ms", "8ms", "exp(mean=3ms)", "lognormal(p50=2ms, p99=30ms)",
		"pareto(alpha=1.5, min=500us)", "uniform(min=1ms, max=5ms)",
		"weibull(shape=0.7, scale=2ms)", "gamma(shape=2, mean=4ms)", "erlang(k=3, mean=3ms)",
		"mix(0.9 exp(mean=1ms), 0.1 exp(mean=30ms))", "400ms")
}

// someOf names backends: a group, one of it or a range.
func (w *writer) someOf(g group) string {
	switch w.IntN(3) {
	case 0:
		return g.name
	case 1:
		return fmt.Sprintf("%s/%d", g.name, w.IntN(g.count))
	}
	return fmt.Sprintf("%s/0-%d", g.name, w.IntN(g.count))
}

// list is a list of such names, as TOML.
func (w *writer) list() string {
	first := w.IntN(len(w.backends))
	names := []string{fmt.Sprintf("%q", w.someOf(w.backends[first]))}
	if second := w.IntN(len(w.backends)); second != first {
		names = append(names, fmt.Sprintf("%q", w.someOf(w.backends[second])))
	}
	return "[" + strings.Join(names, ", ") + "]"
}

func (w *writer) general() {
	w.seconds = 0.5 + 2.5*w.Float64()
	if w.chance(0.1) {
		w.seconds *= 10
	}
	w.line("duration = %q", fmt.Sprintf("%.1fs", w.seconds))
	w.line("seed = %d", w.IntN(1000))
	w.maybe(0.4, "seeds = %d", 2+w.IntN(2))
	w.maybe(0.5, "warmup = %q", w.one("100ms", "400ms", "auto"))
	w.maybe(0.3, "bin = %q", w.one("100ms", "250ms", "10s"))
	w.maybe(0.1, "addresses_and_keys = \"fixed\"")
	if w.chance(0.5) {
		w.health = w.chance(0.4)
		w.line("service_config = '''%s'''", w.serviceConfig())
	}
}

// serviceConfig is one as JSON.
func (w *writer) serviceConfig() string {
	parts := []string{`"loadBalancingConfig": [{"round_robin": {}}]`}
	if w.health {
		parts = append(parts, `"healthCheckConfig": {"serviceName": "s"}`)
	}
	var method []string
	if w.chance(0.4) {
		method = append(method, `"waitForReady": `+w.one("true", "false"))
	}
	if w.chance(0.4) {
		method = append(method, `"timeout": "`+w.one("0.05s", "0.3s", "2s")+`"`)
	}
	switch w.IntN(3) {
	case 0:
		method = append(method, fmt.Sprintf(`"retryPolicy": {"maxAttempts": %d, `+
			`"initialBackoff": %q, "maxBackoff": "0.2s", "backoffMultiplier": 2, `+
			`"retryableStatusCodes": [%s]}`, 2+w.IntN(4), w.one("0.001s", "0.05s"),
			w.one(`"UNAVAILABLE"`, `"UNAVAILABLE", "RESOURCE_EXHAUSTED"`)))
	case 1:
		method = append(method, fmt.Sprintf(`"hedgingPolicy": {"maxAttempts": %d, `+
			`"hedgingDelay": %q, "nonFatalStatusCodes": ["UNAVAILABLE"]}`, 2+w.IntN(3),
			w.one("0s", "0.002s", "0.02s")))
	}
	name := w.one("{}", `{"service": "s"}`, `{"service": "s", "method": "M"}`)
	if len(method) > 0 {
		parts = append(parts, fmt.Sprintf(`"methodConfig": [{"name": [%s], %s}]`, name,
			strings.Join(method, ", ")))
	}
	if w.chance(0.3) {
		parts = append(parts, fmt.Sprintf(`"retryThrottling": {"maxTokens": %d, "tokenRatio": 0.2}`,
			1+w.IntN(20)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (w *writer) clientGroup(name string) {
	w.line("[clients.%s]", name)
	w.maybe(0.7, "count = %d", 1+w.IntN(6))
	if w.chance(0.6) {
		w.line("rate = \"%d/s\"", 1+w.IntN(600))
		w.maybe(0.3, "arrivals = %q", "even")
	} else {
		w.line("callers = %d", 1+w.IntN(4))
		w.maybe(0.8, "think = %q", w.one("exp(mean=5ms)", "20ms", "uniform(min=1ms, max=9ms)"))
	}
	w.maybe(0.6, "timeout = %q", w.one("5ms", "40ms", "300ms", "1s"))
	w.maybe(0.3, "wait_for_ready = %s", w.one("true", "false"))
	w.maybe(0.15, "start = %q", w.moment())
	w.maybe(0.2, "requests = %d", 1+w.IntN(200))
	w.maybe(0.3, "method = %q", w.one("/s/M", "/s/N", "/t/M"))
	if w.header != "" {
		w.line("key = %q\nkey_header = %q", w.one("client", "uniform(n=50)",
			"hot(share=0.3, n=20)", "zipf(n=100, s=1.1)"), w.header)
	}
	if w.zones {
		w.line("zone = %q", w.one("east", "west"))
		if len(w.backends) > 1 { // there are some in both
			w.maybe(0.4, "zone_weights = { east = %d, west = 1 }", 1+w.IntN(5))
		}
	}
	w.maybe(0.15, "idle_timeout = %q", w.one("50ms", "500ms", "0s"))
	w.maybe(0.15, "keepalive_time = \"10s\"\nkeepalive_timeout = %q", w.one("100ms", "2s"))
	w.maybe(0.1, "keepalive_permit_without_stream = true")
}

func (w *writer) backendGroup(g *group) {
	w.line("[backends.%s]\ncount = %d\nservice = %q", g.name, g.count, w.work())
	w.maybe(0.7, "workers = %d", 1+w.IntN(8))
	discipline := w.one("fifo", "lifo", "lifo_preemptive", "ps")
	w.line("discipline = %q", discipline)
	if w.chance(0.4) {
		w.line("queue = %d\non_full = %q", w.IntN(10), w.one("RESOURCE_EXHAUSTED", "UNAVAILABLE"))
		w.maybe(0.4, "pushback = %q", w.one("5ms", "never", "none"))
	}
	w.maybe(0.3, "speed = %.1f", 0.2+2*w.Float64())
	w.maybe(0.3, "on_cancel = %q", "stop")
	if discipline == "fifo" || discipline == "lifo" {
		w.maybe(0.2, "on_expired = %q", "drop")
	}
	if g.dual = w.chance(0.15); g.dual {
		w.line(`addresses = ["ipv6", "ipv4"]`)
	}
	w.maybe(0.2, "weight = %d", 1+w.IntN(5))
	if w.zones {
		zone := []string{"east", "west"}[g.number%2]
		w.line("zone = %q\nzone_weight = %d", zone, 1+w.IntN(3))
	}
	w.maybe(0.4, "path = [%q]", w.one("one", "two"))
	w.maybe(0.15, "connect_cost = %q", w.one("1ms", "exp(mean=3ms)"))
	if w.chance(0.2) {
		w.line("max_connection_age = %q", w.one("100ms", "700ms"))
		w.maybe(0.5, "max_connection_age_grace = %q", w.one("10ms", "1s"))
	}
	w.maybe(0.1, "max_connection_idle = %q", w.one("30ms", "1s"))
	w.maybe(0.1, "goaway_chance = %.3f", 0.1*w.Float64())
	w.maybe(0.15, "max_concurrent_streams = %d", 1+w.IntN(5))
	w.maybe(0.1, "ping_min_time = %q", w.one("1s", "10s"))
	w.maybe(0.3, "load_report = %q", w.one("per_call", "out_of_band", "both"))
	w.maybe(0.1, "load_window = %q", "100ms")
	w.maybe(0.2, "min_reporting_interval = %q", w.one("100ms", "30s"))
}

func (w *writer) network() {
	w.line("[network]\ndelay = %q", w.one("0s", "100us", "1ms", "exp(mean=2ms)", "20ms",
		"lognormal(p50=1ms, p99=50ms)"))
	w.maybe(0.2, "connect = %q", w.one("0s", "3ms", "80ms"))
	w.maybe(0.1, "tcp_give_up = %q", w.one("0s", "1s"))
	w.maybe(0.1, "tcp_user_timeout = true")
	if w.chance(0.3) {
		w.line("[backoff]\nbase = %q\nmax = %q\nmin_connect_timeout = %q",
			w.one("10ms", "100ms"), w.one("200ms", "5s"), w.one("50ms", "1s"))
	}
	if w.chance(0.15) {
		w.line("[l4.vip]\nbackends = [%q]\nchoice = %q", w.backends[0].name,
			w.one("random", "round_robin", "least_connections"))
	}
}
