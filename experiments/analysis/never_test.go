package analysis_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
	"lbsim/experiments/report"
	"lbsim/models/record"
	"lbsim/sim"
)

// failsFast is a policy that fails all RPCs at once: ring_hash without a key.
const failsFast = `# Is failing fast fast?
seeds    = 3
duration = "6s"
warmup   = "1s"
[clients.web]
count   = 10
rate    = "1000/s"
timeout = "1s"
[backends.b]
count   = 5
workers = 4
service = "lognormal(p50=5ms, p99=16ms)"
[network]
delay = "200us"
[policies.round_robin]
[policies.ring_hash]
`

// sheds is a policy that fails a fifth of the RPCs at once, or more where the service is slow: a
// breaker with 20 % drops.
const sheds = failsFast + `
[policies.breaker]
kind  = "cluster_impl"
drops = [{ category = "lb", numerator = 20 }]
child = "round_robin"
`

// Who fails RPCs is worse, by the errors, and better in nothing: neither for failing all at once
// nor for the shorter queue of the others. An RPC that failed was never answered: of round_robin's
// percentiles each is finite, of ring_hash's none; the breaker's p50 is finite and its p90 is not.
func TestFailingFastIsNotFast(t *testing.T) {
	p := concluded(t, sheds).Points[0]
	for i := range p.Policies {
		r := &p.Policies[i]
		verdicts := map[string]analysis.Verdict{}
		for _, d := range r.Differences {
			verdicts[d.Scope+":"+d.Metric] = d.Verdict
			if d.Verdict == analysis.Better {
				t.Errorf("%s is better: %+v", r.Policy, d)
			}
		}
		if r.Policy == "round_robin" {
			continue
		}
		for _, row := range []struct {
			figure string
			want   analysis.Verdict
		}{
			{"all:error_ratio", analysis.Worse}, {"ok:throughput_rps", analysis.Worse},
			{"all:latency_p90_ms", analysis.Worse},
			{"all:latency_p99_ms", analysis.Worse}, {"all:latency_max_ms", analysis.Worse},
			{"all:latency_mean_ms", analysis.NoVerdict}, {"ok:latency_mean_ms", analysis.NoVerdict},
			{"ok:latency_p99_ms", analysis.NoVerdict}, {"all:attempts_per_rpc_ratio",
				analysis.NoVerdict},
		} {
			if got := verdicts[row.figure]; got != row.want {
				t.Errorf("%s, %s: %s, want %s", r.Policy, row.figure, got, row.want)
			}
		}
	}
	for _, row := range []struct{ policy, column, want string }{
		{"ring_hash", "p50", "never"}, {"ring_hash", "p99", "never"}, {"ring_hash", "max", "never"},
		{"ring_hash", "meanok", "–"}, {"breaker", "p90", "never"}, {"breaker", "max", "never"},
	} {
		if got := cellOf(p, row.policy, row.column); got != row.want {
			t.Errorf("%s of %s: %q, want %q", row.column, row.policy, got, row.want)
		}
	}
	if got := cellOf(p, "breaker", "p50"); !strings.Contains(got, " ±") {
		t.Errorf("p50 of breaker: %q, want a value: 80 %% were answered", got)
	}
}

// cellOf is the cell of a metric of a policy in the text.
func cellOf(p *analysis.PointResults, policy, column string) string {
	for i := range p.Policies {
		if p.Policies[i].Policy == policy {
			f := metricOf(p, column)
			out := f.Over(p.Policies[i].Runs)
			return f.Format.Cell(&out)
		}
	}
	panic("no policy " + policy)
}

// 1000 RPCs of which 850 ended OK, after 1 to 850 ms: the p50 is 500 ms, the p75 750 ms, and from
// the p90 on all is never, as the mean and the maximum of all are. For the p99.9 there are too few.
func TestPercentilesAmongFailures(t *testing.T) {
	run := recorded(850, 150)
	p := analysis.PercentilesOf(run.Succeeded, 1000)
	inf := math.Inf(1)
	for _, row := range []struct {
		name string
		got  *float64
		want float64 // 0 for none
	}{
		{"p50", p.P50, 500}, {"p75", p.P75, 750}, {"p90", p.P90, inf}, {"p99", p.P99, inf},
		{"p99.9", p.P999, 0}, {"mean", p.Mean, inf}, {"max", p.Max, inf},
	} {
		switch {
		case (row.got == nil) != (row.want == 0):
			t.Errorf("%s: %v, want %v", row.name, row.got, row.want)
		case row.got == nil || *row.got == row.want:
		case *row.got < row.want || *row.got > row.want*1.001:
			t.Errorf("%s: %v, want %v to 0.1 %% more", row.name, *row.got, row.want)
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"p50_ms":500`, `"p90_ms":null`, `"mean_ms":null`,
		`"p90_ms":"never"`, `"mean_ms":"never"`, `"p99.9_ms":"few_samples"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	var read analysis.Percentiles
	if err := json.Unmarshal(text, &read); err != nil || read.P999 != nil || *read.P50 != *p.P50 ||
		!math.IsInf(*read.P90, 1) || !math.IsInf(*read.Mean, 1) || read.Count != 1000 {
		t.Errorf("%v: read %+v from %s", err, read, text)
	}
	again, _ := json.Marshal(read)
	if !bytes.Equal(again, text) {
		t.Errorf("read and written again: %s, want %s", again, text)
	}
}

// recorded is a run of which so many RPCs ended OK, after 1, 2, 3 ms and so on, and so many failed
// at once.
func recorded(ok, failed int) *record.Run {
	r := record.NewRecorder([]int{1}, 15, 0, 0, 1e9)
	for i := range ok {
		r.Begin(0)
		r.End(sim.Time(1e6*(i+1)), 0, 0, 0, 0)
	}
	for range failed {
		r.Begin(0)
		r.End(0, 0, 0, 14, 1)
	}
	return r.Finish(1e9, 0, 0)
}

// In the table what was never answered is inf, as others read it, and no cell is anything else that
// is not a plain number.
func TestNeverInTheTable(t *testing.T) {
	var b bytes.Buffer
	s := concluded(t, failsFast, "clients.web.rate=400/s")
	if err := report.WriteTable(&b, s); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	value := map[string]string{}
	for _, row := range rows[1:] {
		value[strings.Join(row[:len(row)-1], ",")] = row[len(row)-1]
		if strings.Trim(row[len(row)-1], "-.0123456789") != "" && row[len(row)-1] != "inf" {
			t.Errorf("%v: value %q", row, row[len(row)-1])
		}
	}
	for key, want := range map[string]string{
		"ring_hash,1,latency_ms,all,0.5":                                                 "inf",
		"ring_hash,1,latency_mean_ms,all,":                                               "inf",
		"ring_hash,1,latency_max_ms,all,":                                                "inf",
		"ring_hash,1,latency_ms,ok,0.5":                                                  "",
		"ring_hash,1,p99_ms,time,3":                                                      "inf",
		"ring_hash,all,interval_mean_ms,all:latency_ms,0.5":                              "inf",
		"ring_hash,all,interval_mean_ms,all:latency_p50_ms,":                             "inf",
		"ring_hash,all,interval_half_ms,all:latency_p50_ms,":                             "",
		"ring_hash,all,interval_least_ms,all:latency_p50_ms,":                            "inf",
		"ring_hash,all,difference_mean_ms,all:latency_p50_ms against round_robin,":       "",
		"ring_hash,all,difference_verdict_sign,all:latency_p50_ms against round_robin,":  "-1",
		"ring_hash,all,difference_verdict_sign,ok:latency_p50_ms against round_robin,":   "",
		"ring_hash,all,difference_identical_flag,all:error_ratio against round_robin,":   "",
		"ring_hash,all,difference_mean_ratio,all:error_ratio against round_robin,":       "1",
		"ring_hash,all,difference_verdict_sign,all:latency_mean_ms against round_robin,": "",
		"ring_hash,all,difference_verdict_sign,all:error_ratio against round_robin,":     "-1",
		"round_robin,all,interval_mean_ratio,all:error_ratio,":                           "0",
	} {
		if value[key] != want {
			t.Errorf("%s %q, want %q", key, value[key], want)
		}
	}
}

// A precision is hopeless where a policy never answers: no more runs are made, and the text says
// why. It is not where two runs are as yet too far apart for a mean.
func TestPrecisionOfNever(t *testing.T) {
	for _, row := range []struct {
		name, precision string
		p90             []float64
		hopeless        bool
		short           string
	}{
		{"never", "p90 ± 5%", []float64{math.Inf(1), 7}, true,
			"of p it is 7.00–never, for RPCs that failed were never answered"},
		{"far apart", "p90 ± 5%", []float64{7, 21}, false,
			"of p it is 7.00–21.00, which are too far apart for a mean"},
		{"too wide", "p90 ± 5%", []float64{20, 21, 22}, false,
			"of p it is 21.00 ±2.48, which takes some 17 seeds"}, // 3·(2.484/1.05)²
	} {
		p, err := analysis.ParsePrecision(row.precision)
		if err != nil {
			t.Fatal(err)
		}
		var runs []*experiments.Measures
		for i := range row.p90 {
			runs = append(runs,
				&experiments.Measures{LatencyAll: analysis.Percentiles{P90: &row.p90[i]}})
		}
		met, hopeless := p.Met(runs)
		short := p.Shortfall(&analysis.PolicyResults{Policy: "p", Runs: runs})
		if met || hopeless != row.hopeless || short != row.short {
			t.Errorf("%s: met %v, hopeless %v, %q; want hopeless %v, %q", row.name, met, hopeless,
				short, row.hopeless, row.short)
		}
	}
}

// Two results of which RPCs failed in one alone are compared by the mean of those that ended OK,
// and by that of all where none failed in either.
func TestMeansThatAreCompared(t *testing.T) {
	calm := concluded(t, failsFast, "policies={round_robin={}}").Points[0]
	hasty := concluded(t, failsFast, "policies={round_robin={}}",
		"clients.web.timeout=3ms").Points[0]
	for _, row := range []struct {
		name       string
		p, against *analysis.PointResults
		hidden     string // the scope of the mean that is left out
	}{
		{"none failed", calm, calm, "ok"}, {"in the first", calm, hasty, "all"},
		{"in the second", hasty, calm, "all"},
	} {
		out := row.p.Against(row.against)
		for k := range out.Metrics {
			f := &out.Metrics[k]
			if f.Name == analysis.MeanMetric && out.Hides(f) != (f.Scope == row.hidden) {
				t.Errorf("%s: the mean of scope %s is left out: %v", row.name, f.Scope,
					out.Hides(f))
			}
		}
	}
}
