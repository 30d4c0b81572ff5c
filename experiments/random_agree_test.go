package experiments_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
)

// tableAgrees compares a run's rows with what the summary says of it.
func tableAgrees(m *experiments.Measures, rows map[[3]string]float64, must check) {
	same := func(metric, scope, x string, want *float64) {
		got, there := rows[[3]string{metric, scope, x}]
		must(there == (want != nil), "%s %s: in the table %v, in the summary %v", metric, scope,
			there, want != nil)
		if there && want != nil {
			must(got == *want, "%s %s: %v in the table, %v in the summary", metric, scope, got,
				*want)
		}
	}
	count := func(metric, scope string, want uint64) {
		value := float64(want)
		same(metric, scope, "", &value)
	}
	count("rpcs_count", "started", m.RPCs.Started)
	count("rpcs_count", "open", m.RPCs.Open)
	for code, n := range m.Codes {
		count("rpcs_count", "code:"+code, n)
	}
	same("error_ratio", "all", "", m.Values["error_ratio"])
	same("throughput_rps", "all", "", m.Values["throughput_rps"])
	same("attempts_per_rpc_ratio", "all", "", m.Values["attempts_per_rpc_ratio"])
	same("wasted_ratio", "all", "", m.Values["wasted_ratio"])
	for scope, p := range map[string]*analysis.Percentiles{
		"ok": &m.LatencyOK, "all": &m.LatencyAll,
	} {
		same("latency_ms", scope, "0.5", p.P50)
		same("latency_ms", scope, "0.99", p.P99)
		same("latency_mean_ms", scope, "", p.Mean)
		same("latency_max_ms", scope, "", p.Max)
	}
	for i := range m.Backends {
		b := &m.Backends[i]
		count("attempts_count", "backend:"+b.Name, b.Attempts)
		same("share_ratio", "backend:"+b.Name, "", b.Share)
		same("utilization_ratio", "backend:"+b.Name, "", &b.Utilization)
	}
	for at, rate := range rows {
		if at[0] == "rate_rps" {
			errors := rows[[3]string{"errors_rps", at[1], at[2]}]
			must(errors <= rate, "at %s s: %v errors of %v RPCs a second", at[2], errors, rate)
		}
	}
}

// textDisagrees compares the comparison for people with the metrics of the summary, cell by cell: a
// number is the mean, rounded; "never", "unstable" and "–" stand for the reasons.
func textDisagrees(s *experiments.Summary, text string) (broken []string) {
	columns := map[string][2]string{
		"RPC/s": {"throughput_rps", "all"}, "errors": {"error_ratio", "all"},
		"mean": {"latency_mean_ms", "all"}, "meanok": {"latency_mean_ms", "ok"},
		"p50": {"latency_p50_ms", "all"}, "p90": {"latency_p90_ms", "all"},
		"p99": {"latency_p99_ms", "all"}, "p99.9": {"latency_p99.9_ms", "all"},
		"max": {"latency_max_ms", "all"}, "p99ok": {"latency_p99_ms", "ok"},
		"skew": {"skew_max_over_mean_ratio", "load"},
	}
	point, header := -1, []string(nil)
	for line := range strings.Lines(text) {
		cells := cellsOf(line)
		switch {
		case len(cells) > 1 && strings.TrimSpace(cells[0]) == "policy" && cells[1] == "RPC/s":
			point, header = point+1, cells
			continue
		case len(cells) < 2:
			header = nil
		}
		if header == nil {
			continue
		}
		name, _, _ := strings.Cut(cells[0], " ") // footnotes follow
		for _, r := range s.Points[point].Policies {
			if r.Policy != name {
				continue
			}
			for i, cell := range cells[1:] {
				column, known := columns[header[i+1]]
				if !known {
					break // the columns of groups
				}
				f := figureOf(&r, column)
				if f == nil || !cellShows(cell, f) {
					broken = append(broken, fmt.Sprintf("%s, point %d: the text says %s of %s, "+
						"the summary %+v", name, point, cell, header[i+1], f))
				}
			}
		}
	}
	if point != len(s.Points)-1 {
		broken = append(broken, fmt.Sprintf("%d tables in the text of %d points", point+1,
			len(s.Points)))
	}
	return broken
}

var betweenCells = regexp.MustCompile(`  +`)

func cellsOf(line string) []string {
	return betweenCells.Split(strings.TrimSpace(line), -1)
}

func figureOf(r *analysis.PolicyResults, column [2]string) *analysis.Estimate {
	for i := range r.Estimates {
		if f := &r.Estimates[i]; f.Metric == column[0] && f.Scope == column[1] {
			return f
		}
	}
	return nil
}

// cellShows reports whether a cell of the text shows a metric.
func cellShows(cell string, f *analysis.Estimate) bool {
	scale := 1.0
	if strings.HasSuffix(f.Metric, "_ratio") && strings.Contains(cell, "%") {
		scale = 100
	}
	switch {
	case cell == "never":
		return f.Reason == analysis.NeverAnswered && f.Least == nil
	case cell == "unstable":
		return f.Reason == analysis.GrowsWithTime
	case cell == "–":
		return f.Mean == nil && f.Reason == analysis.TooFewSamples
	case strings.Contains(cell, "–"):
		least, most, _ := strings.Cut(strings.TrimSuffix(cell, "%"), "–")
		return rounds(least, f.Least, scale) && (most == "never" && f.Most == nil ||
			rounds(most, f.Most, scale))
	}
	mean, half, _ := strings.Cut(cell, " ±")
	return rounds(strings.TrimSuffix(mean, "%"), f.Mean, scale) &&
		(half == "" && f.Half == nil || rounds(half, f.Half, scale))
}

// rounds reports whether a text is a value to the last of its decimals.
func rounds(text string, value *float64, scale float64) bool {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || value == nil {
		return false
	}
	_, decimals, _ := strings.Cut(text, ".")
	return math.Abs(x-scale*(*value)) <= 0.5000001*math.Pow10(-len(decimals))
}
