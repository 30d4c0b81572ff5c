package experiments_test

import (
	"fmt"
	"strings"
)

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
		w.maybe(0.5, "check = %q", w.one("grpc", "http", "tcp", "ttl"))
		w.maybe(0.3, "check_timeout = \"200ms\"")
		w.maybe(0.4, "deregister_critical_after = %q", w.one("300ms", "1m"))
		w.maybe(0.3, "only_passing = false")
	case "push":
		if w.chance(0.5) {
			w.at("at")
		}
		w.maybe(0.5, "delay = %q", w.one("1ms", "exp(mean=50ms)"))
		w.maybe(0.3, "source = %q", w.one("kubernetes", "none"))
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
		add(0.5, "balancer = { \"0s\" = [%q, \"drop\"] }", w.backends[0].name)
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
