package experiments_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writer makes up an experiment, as TOML. Number N is the same each time. It covers the grammar: what
// a file may say should come up now and then, alone and beside everything else.
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
		w.backends = append(w.backends, group{name: fmt.Sprintf("b%d", i), number: i, count: 1 + w.IntN(5)})
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
		"pareto(alpha=1.5, min=500us)", "uniform(min=1ms, max=5ms)", "weibull(shape=0.7, scale=2ms)",
		"gamma(shape=2, mean=4ms)", "erlang(k=3, mean=3ms)",
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
		w.line("think = %q", w.one("exp(mean=5ms)", "20ms", "uniform(min=1ms, max=9ms)"))
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

// at is a list by moment, from the start on.
func (w *writer) at(key string) {
	w.line("%s = { \"0s\" = %s, %q = %s }", key, w.list(), w.moment(), w.one("[]", w.list()))
}

func (w *writer) resolver() {
	if w.chance(0.25) {
		return
	}
	kinds := []string{"static", "script", "dns", "etcd", "nacos", "consul", "push"}
	if !w.backends[0].dual {
		kinds = append(kinds, "passthrough")
	}
	kind := w.one(kinds...)
	w.line("[resolver]\nkind = %q", kind)
	if kind != "static" && kind != "script" && kind != "passthrough" {
		w.maybe(0.4, "lookup = %q", w.one("1ms", "exp(mean=10ms)", "300ms"))
	}
	switch kind {
	case "static":
		w.line("backends = %s", w.list())
	case "passthrough":
		g := w.backends[0]
		w.line("backend = \"%s/%d\"", g.name, w.IntN(g.count))
		return
	case "script":
		w.at("at")
	case "dns":
		w.maybe(0.6, "records = { \"0s\" = %s, %q = %s }", w.list(), w.moment(), w.list())
		w.maybe(0.3, "errors = { %q = \"100s\" }", w.moment())
		w.maybe(0.3, "re_resolve = %q", w.one("200ms", "1s"))
		w.maybe(0.3, "min_resolution_interval = %q", w.one("50ms", "1s"))
		if w.chance(0.4) {
			w.line("txt = { \"0s\" = '[{\"serviceConfig\": %s}]', %q = '%s' }", w.serviceConfig(),
				w.moment(), w.one("", `[{"percentage": 30, "serviceConfig": {}}, `+
					`{"serviceConfig": {"loadBalancingConfig": [{"pick_first": {}}]}}]`))
		}
	case "etcd":
		w.maybe(0.5, "lease = %q", w.one("2s", "3s"))
	case "nacos":
		w.maybe(0.5, "beat = \"100ms\"\nunhealthy_after = \"300ms\"\ndelete_after = \"600ms\"")
		w.maybe(0.4, "disabled = { %q = %s }", w.moment(), w.list())
	case "consul":
		w.maybe(0.5, "check_interval = %q", w.one("100ms", "500ms"))
		w.maybe(0.4, "deregister_critical_after = \"1m\"")
	case "push":
		if w.chance(0.5) {
			w.at("at")
		}
		w.maybe(0.5, "delay = %q", w.one("1ms", "exp(mean=50ms)"))
	}
	w.maybe(0.3, "order = %q", w.one("given", "shuffled", "rotated"))
	if w.zones {
		w.maybe(0.3, "rank = \"zone\"")
	}
}

func (w *writer) failure(i int) {
	kind := w.one("blackhole", "crash", "errors", "mute", "refuse", "slow", "stop", "unhealthy")
	w.line("[failures.f%d]\nkind = %q", i, kind)
	g := w.backends[w.IntN(len(w.backends))]
	if (kind == "blackhole" || kind == "refuse") && g.dual && w.chance(0.5) {
		w.line("backends = [%q]\naddresses = [\"ipv6\"]", g.name)
	} else {
		w.line("backends = %s", w.list())
	}
	from := w.Float64() * w.seconds
	w.line("from = \"%.2fs\"", from)
	w.maybe(0.7, "to = \"%.2fs\"", from+0.1+w.Float64()*w.seconds/2)
	switch kind {
	case "errors":
		w.line("ratio = %.2f\ncode = %q", w.Float64(), w.one("UNAVAILABLE", "INTERNAL"))
	case "slow":
		w.line("factor = %.1f", 0.5+10*w.Float64())
	}
}

// policy returns the options of one with children of up to so many levels.
func (w *writer) policy(levels int) []string {
	leaves := []string{"base_round_robin", "least_request", "pick_first", "random", "round_robin",
		"weighted_round_robin", "ring_hash", "grpclb"}
	parents := []string{"cluster_impl", "outlier_detection", "priority", "random_subsetting",
		"weighted_target", "wrr_locality"}
	kind := leaves[w.IntN(len(leaves))]
	if levels > 1 && w.chance(0.5) {
		kind = parents[w.IntN(len(parents))]
	}
	options := []string{fmt.Sprintf("kind = %q", kind)}
	add := func(p float64, format string, values ...any) {
		if w.chance(p) {
			options = append(options, fmt.Sprintf(format, values...))
		}
	}
	child := func() string { return "{ " + strings.Join(w.policy(levels-1), ", ") + " }" }
	switch kind {
	case "least_request":
		add(0.6, "choice_count = %d", 2+w.IntN(12))
		add(0.3, "distinct = true")
	case "pick_first":
		add(0.4, "shuffle_address_list = true")
	case "round_robin":
		add(0.3, "from_first = true")
	case "weighted_round_robin":
		add(0.5, "blackout_period = %q", w.one("0s", "100ms"))
		add(0.3, "enable_oob_load_report = true\noob_reporting_period = \"200ms\"")
		add(0.3, "weight_update_period = \"200ms\"")
		add(0.2, "error_utilization_penalty = 0.5")
	case "ring_hash":
		add(0.8, "request_hash_header = %q", "x-key")
		add(0.3, "min_ring_size = 8\nmax_ring_size = 64")
	case "grpclb":
		add(0.3, "pick_first = true")
	case "cluster_impl":
		add(0.5, "max_requests = %d", 1+w.IntN(20))
		add(0.5, "drops = [{ category = \"x\", numerator = %d }]", w.IntN(30))
	case "outlier_detection":
		add(0.7, "interval = %q\nbase_ejection_time = \"300ms\"", w.one("100ms", "500ms"))
		add(0.5, "max_ejection_percent = %d", w.IntN(101))
		add(0.5, "success_rate_ejection = { minimum_hosts = 2, request_volume = 5 }")
		add(0.6, "failure_percentage_ejection = { threshold = %d, enforcement_percentage = 100, "+
			"minimum_hosts = 1, request_volume = 5 }", w.IntN(60))
	case "random_subsetting":
		add(1, "subset_size = %d", 1+w.IntN(4))
	case "priority":
		add(1, `priorities = ["one", "two"]`)
		add(1, "children = { one = { child = %s }, two = { child = %s } }", child(), child())
	case "weighted_target":
		add(1, "targets = { one = { weight = %d, child = %s }, two = { weight = 1, child = %s } }",
			1+w.IntN(9), child(), child())
	}
	switch kind {
	case "cluster_impl", "outlier_detection", "random_subsetting", "wrr_locality":
		add(1, "child = %s", child())
	}
	// In an inline table every option stands on the same line.
	return strings.Split(strings.Join(options, "\n"), "\n")
}
