package plots

import (
	"fmt"
	"math"
	"strings"
)

// made describes a table that a simulation could have left behind: one slow backend in the last
// place, policies that heed it more or less, one failure window and more in between.
type made struct {
	policies []string
	backends int
	seeds    int
	bins     int // of one second
	rates    []string
	failures []window
	errors   bool // some RPCs fail while a failure lasts
	whole    bool // with what all seeds say together
}

// ordinary is the table of the golden pictures.
var ordinary = made{
	policies: []string{"round_robin", "p2c", "peak_ewma"},
	backends: 10, seeds: 2, bins: 40,
	failures: []window{{"crash of fast/3", 15, 22}},
	errors:   true,
	whole:    true,
}

// csv writes the table.
func (m made) csv() string {
	var b strings.Builder
	head, points := "policy,seed,", []string{""}
	if len(m.rates) > 0 {
		head, points = "policy,seed,clients.web.rate,", nil
		for _, r := range m.rates {
			points = append(points, r+",")
		}
	}
	b.WriteString(head + "metric,scope,x,value\n")
	for load, point := range points {
		for policy, name := range m.policies {
			for seed := 1; seed <= m.seeds; seed++ {
				r := rows{&b, fmt.Sprintf("%s,%d,%s", name, seed, point)}
				m.run(r, policy, seed, 1+0.3*float64(load))
			}
			if m.whole {
				r := rows{&b, fmt.Sprintf("%s,all,%s", name, point)}
				m.together(r, policy, 1+0.3*float64(load))
			}
		}
	}
	return b.String()
}

// rows writes the rows of one run; lead is all that stands before the metric.
type rows struct {
	b    *strings.Builder
	lead string
}

func (r rows) add(metric, scope, x string, value float64) {
	fmt.Fprintf(r.b, "%s%s,%s,%s,%.4g\n", r.lead, metric, scope, x, value)
}

// wobble is a plain stand-in for chance: -1 to 1, the same each time.
func wobble(n int) float64 {
	n = n*7919 + n/3*104729
	return float64(n%201-100) / 100
}

// care is how far a policy keeps away from the slow backend, 0 to 1.
func care(policy int) float64 { return float64(policy) / (float64(policy) + 1) }

func (m made) run(r rows, policy, seed int, load float64) {
	started := 4000 * float64(m.bins) * load
	failed := 0.0
	if m.errors && policy == 0 {
		failed = math.Round(started * 0.003)
	}
	r.add("rpcs_count", "started", "", started)
	r.add("rpcs_count", "ended", "", started)
	r.add("rpcs_count", "open", "", 0)
	r.add("rpcs_count", "code:OK", "", started-failed)
	if failed > 0 {
		r.add("rpcs_count", "code:UNAVAILABLE", "", failed)
	}
	for _, scope := range []string{"ok", "all"} {
		m.latency(r, scope, policy, seed, load)
	}
	for _, f := range m.failures {
		r.add("failure_s", "failure:"+f.name, fmt.Sprint(f.from), f.to)
	}
	m.overTime(r, policy, seed, load)
	m.perBackend(r, policy, seed, load)
}

func (m made) latency(r rows, scope string, policy, seed int, load float64) {
	slow := 1.2 - care(policy)
	at := func(q float64) float64 {
		n := -math.Log10(1 - q)
		return 3 + 2*n*load + 9*slow*load*n*n + 0.1*float64(seed)
	}
	for decade := 1.0; decade >= 0.0001; decade /= 10 {
		for _, q := range []float64{0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85} {
			q = 1 - decade*(1-q)
			r.add("latency_ms", scope, fmt.Sprintf("%.7g", q), at(q))
		}
	}
	r.add("latency_max_ms", scope, "", at(0.999999))
	r.add("latency_mean_ms", scope, "", at(0.55))
}

// together writes the intervals and differences of a policy over its seeds. The baseline has no
// OK/s: no difference is a part of that.
func (m made) together(r rows, policy int, load float64) {
	for decade := 1.0; decade >= 0.0001; decade /= 10 {
		for _, q := range []float64{0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85} {
			q = 1 - decade*(1-q)
			n, x := -math.Log10(1-q), fmt.Sprintf("%.7g", q)
			mean := 3.15 + 2*n*load + 9*(1.2-care(policy))*load*n*n
			r.add("interval_mean_ms", "ok:latency_ms", x, mean)
			r.add("interval_half_ms", "ok:latency_ms", x, mean*0.05*(1+n*n))
		}
	}
	for i := range m.backends {
		scope := fmt.Sprintf("backend:fast/%d:share_ratio", i)
		share := 0.1 + 0.003*care(policy)
		if i == m.backends-1 {
			scope, share = "backend:slow/0:share_ratio", 0.1-0.03*care(policy)
		}
		r.add("interval_mean_ratio", scope, "", share)
		r.add("interval_half_ratio", scope, "", 0.004*float64(policy))
	}
	for i, c := range compared {
		unit := c.metric[strings.LastIndex(c.metric, "_")+1:]
		value := 10 * float64(i-1)
		if i == 0 {
			value = 0.003
		}
		of := value
		if i == 0 && policy > 0 {
			of = 0
		}
		r.add("interval_mean_"+unit, c.metric, "", of)
		if policy == 0 {
			continue
		}
		verdict := float64(i%3 - 1)
		scope := c.metric + " against " + m.policies[0]
		r.add("difference_mean_"+unit, scope, "", -0.5*verdict*value*float64(policy))
		r.add("difference_half_"+unit, scope, "", 0.4*value)
		r.add("difference_verdict_sign", scope, "", verdict)
	}
}

// failing reports whether a failure acts in a bin.
func (m made) failing(bin int) bool {
	for _, f := range m.failures {
		if float64(bin) >= f.from && float64(bin) < f.to {
			return true
		}
	}
	return false
}

func (m made) overTime(r rows, policy, seed int, load float64) {
	for t := range m.bins {
		x, noise := fmt.Sprint(t), wobble(t*31+seed*17+policy*5)
		p99 := (22 + 40*(1.1-care(policy)) + 3*noise) * load
		if m.failing(t) {
			p99 *= 8 - 6*care(policy)
		}
		r.add("rate_rps", "time", x, 4000*load+60*noise)
		r.add("p50_ms", "time", x, 4.5+0.2*noise)
		if policy != 1 || t < 30 || t > 33 { // a gap
			r.add("p99_ms", "time", x, p99)
		}
	}
}

func (m made) perBackend(r rows, policy, seed int, load float64) {
	n := float64(m.backends)
	whole := n - 0.75 // the slow one counts a quarter
	for i := range m.backends {
		scope := fmt.Sprintf("backend:fast/%d", i)
		ideal, share := 1/whole, 1/n
		if i == m.backends-1 {
			scope, ideal = "backend:slow/0", 0.25/whole
		}
		share += care(policy) * (ideal - share)
		share *= 1 + 0.03*wobble(i*13+policy*7+seed)
		r.add("attempts_count", scope, "", math.Round(share*160000))
		r.add("share_ratio", scope, "", share)
		r.add("capacity_share_ratio", scope, "", ideal)
		for t := range m.bins {
			flight := 20 * load * share / ideal * (1 + 0.2*wobble(t*11+i*29+seed+policy))
			if i == 3 && m.failing(t) {
				flight *= 0.05
			}
			r.add("inflight_count", scope, fmt.Sprint(t), flight)
		}
	}
}
