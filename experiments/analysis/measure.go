// Package analysis computes what runs tell: the measures of each, and over several of them means
// with confidence intervals, paired differences from a baseline with verdicts, and warnings. It
// knows a run by its [models.Config] and its record, and nothing of files.
package analysis

import (
	"fmt"
	"math"
	"slices"
	"time"

	"lbsim/models"
	"lbsim/models/record"
	"lbsim/policies"
)

// Measures is what is known of a finished run. It is one element of summary.json, where every field
// is always present; what has no value, such as a percentile of nothing, is null.
type Measures struct {
	Policy string            `json:"policy"`
	Seed   uint64            `json:"seed"`
	Point  map[string]string `json:"point"` // the swept keys and their values

	// WarmupS is how many seconds were not measured, as the file says or as was found.
	WarmupS float64 `json:"warmup_s"`

	Digest string `json:"digest"` // of all events, hexadecimal
	Events uint64 `json:"events"`

	RPCs  RPCs              `json:"rpcs"`
	Codes map[string]uint64 `json:"codes"` // RPCs by status code, after the warm-up
	// Failed has those that did not end OK by code and reason.
	Failed []Failed `json:"failed"`

	// Values are the metrics of the run as a whole by their names, such as "error_ratio"; nil for
	// no value. See RunMetrics.
	Values Values `json:"values"`

	// LatencyOK covers the RPCs that ended OK, LatencyAll all that ended, after the warm-up. Both
	// run from the moment an RPC was meant to start to its answer, which those that failed never
	// had.
	LatencyOK  Percentiles `json:"latency_ok"`
	LatencyAll Percentiles `json:"latency_all"`

	// Skew is of the work offered to the backends over what they could do, AttemptsSkew of the
	// attempts sent to them, however much they can do. Backends without capacity count in neither.
	Skew         Skew `json:"skew"`
	AttemptsSkew Skew `json:"attempts_skew"`

	Backends []BackendMeasures `json:"backends"`
	Warnings []Warning         `json:"warnings"`

	failure error    // why there are no measures
	stack   []string // where lbsim itself broke

	// Curves are the latencies by quantile: of the RPCs that ended OK, and of all.
	Curves []LatencyCurve `json:"-"`
	// Series is what happened in each step of the run.
	Series []record.Bin `json:"-"`
	// Windows are when failures last.
	Windows []FailureWindow `json:"-"`
}

// RPCs counts over the whole run: started = ended + open.
type RPCs struct {
	Started uint64 `json:"started"`
	Ended   uint64 `json:"ended"`
	Open    uint64 `json:"open"`
}

// Percentiles of a latency, in milliseconds. What has no value is nil, and is infinite where an RPC
// was never answered: in JSON both are null, and no_value says which.
type Percentiles struct {
	Count int64    `json:"count"`
	Mean  *float64 `json:"mean_ms"`
	P50   *float64 `json:"p50_ms"`
	P75   *float64 `json:"p75_ms"`
	P90   *float64 `json:"p90_ms"`
	P95   *float64 `json:"p95_ms"`
	P99   *float64 `json:"p99_ms"`
	P999  *float64 `json:"p99.9_ms"`
	P9999 *float64 `json:"p99.99_ms"`
	Max   *float64 `json:"max_ms"`
}

// BackendMeasures is what happened at one backend in the time that is measured.
type BackendMeasures struct {
	Name     string   `json:"name"`
	Attempts uint64   `json:"attempts"`
	Served   uint64   `json:"served"` // requests that it served to the end
	Wasted   uint64   `json:"wasted"` // and of those, for a client that had given up
	Share    *float64 `json:"share"`
	// CapacityS is how much work it could have done for clients, in seconds of work at speed 1:
	// its workers × speed ÷ the factors by which it was slowed, over the time in which it was up
	// and listed by some client's resolver.
	CapacityS float64 `json:"capacity_s"`
	// CapacityShare is its part of the requests that all could have served; null where no backend
	// had capacity.
	CapacityShare *float64 `json:"capacity_share"`
	// LoadRatio is the work offered to it, attempts × mean service, over CapacityS: above 1 it was
	// offered more than it could do. Null where it had no capacity, and in all backends where the
	// mean service of one is 0 or infinite.
	LoadRatio    *float64 `json:"load_ratio"`
	Utilization  float64  `json:"utilization"`
	InFlight     float64  `json:"inflight_mean"`
	InFlightPeak int64    `json:"inflight_peak"`
	Queue        float64  `json:"queue_mean"`
	QueuePeak    int64    `json:"queue_peak"`
}

// FailureWindow is when a failure lasts.
type FailureWindow struct {
	Name     string
	From, To time.Duration
}

// Milliseconds returns a latency in milliseconds, infinite for that of an RPC that was never
// answered.
func Milliseconds(d time.Duration) float64 {
	if d == record.Never {
		return math.Inf(1)
	}
	return float64(d) / 1e6
}

// RunInfo is what the measures of a run are drawn up from, beside the record of the run.
type RunInfo struct {
	Policy string
	Seed   uint64
	Point  map[string]string // the swept keys and their values
	Config *models.Config
	// Failures has the name of each of the config's failures.
	Failures []string
	// configByName: the clients' service config may come by name resolution.
	ConfigByName bool
	// unsettled: no warm-up was found, for the run is too short.
	Unsettled bool
	// Unrepeatable is why another run with the same seed may differ; "" where none does.
	Unrepeatable string
}

// Measure draws up the measures of a run.
func (v *RunInfo) Measure(run *record.Run) *Measures {
	m := &Measures{
		Policy: v.Policy, Seed: v.Seed, Point: v.Point, WarmupS: v.Config.Warmup.Seconds(),
		Digest: fmt.Sprintf("%016x", run.Digest), Events: run.Events,
		RPCs:     RPCs{run.In, run.Ended, run.Open},
		Codes:    map[string]uint64{},
		Failed:   failedBy(run.Failures),
		Warnings: []Warning{},
		Series:   run.Bins,
	}
	var ended uint64
	for code, n := range run.Codes {
		m.Codes[policies.Code(code).String()] = n
		ended += n
	}
	ok, all := run.Succeeded, int64(ended)
	m.Curves = []LatencyCurve{newCurve("ok", ok, ok.Count()), newCurve("all", ok, all)}
	m.LatencyOK, m.LatencyAll = m.Curves[0].Percentiles, m.Curves[1].Percentiles
	m.Backends = backendsOf(v, run)
	d := &runData{v, run, ended, m}
	m.Values = valuesOf(d)
	setLoads(d)
	warnOfRun(d)
	for i, f := range v.Config.Failures {
		from, to := f.Window()
		if to == 0 || to > v.Config.Duration {
			to = v.Config.Duration
		}
		if from < to {
			m.Windows = append(m.Windows, FailureWindow{v.Failures[i], from, to})
		}
	}
	return m
}

// backendsOf returns the measures of the backends but for what their load says.
func backendsOf(v *RunInfo, run *record.Run) (list []BackendMeasures) {
	var total uint64
	for i := range run.Backends {
		total += run.Backends[i].Attempts
	}
	for i, name := range v.Config.BackendNames() {
		b := &run.Backends[i]
		bm := BackendMeasures{
			Name: name, Attempts: b.Attempts, Served: b.Served, Wasted: b.Wasted,
			Utilization: b.Utilization,
			InFlight:    b.InFlight, InFlightPeak: b.InFlightPeak,
			Queue: b.Queue, QueuePeak: b.QueuePeak,
		}
		if total > 0 {
			bm.Share = new(float64(b.Attempts) / float64(total))
		}
		list = append(list, bm)
	}
	return list
}

// Failure says why the run failed and has no measures; nil where it did not fail.
func (m *Measures) Failure() error { return m.failure }

// FailedRun is the run of measures that it failed to have.
func (m *Measures) FailedRun() FailedRun {
	return FailedRun{m.Policy, m.Seed, m.Point, m.failure.Error(), m.stack}
}

// unstable reports whether latencies depend on when the run ends.
func (m *Measures) unstable() bool {
	return slices.ContainsFunc(m.Warnings, func(w Warning) bool { return w.Kind == Unstable })
}

// Buggy reports whether the run broke such an invariant.
func (m *Measures) Buggy() bool {
	return slices.ContainsFunc(m.Warnings, func(w Warning) bool { return w.Kind == Bug })
}

func (m *Measures) warn(kind WarningKind, format string, args ...any) {
	m.Warnings = append(m.Warnings, Warning{kind, fmt.Sprintf(format, args...)})
}
