// Package analysis computes the measures of each run, and over several runs means with confidence
// intervals, paired differences from a baseline with verdicts, and warnings. Its input is the
// [models.Config] and the record of each run. It does not read or write files.
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

// Measures are the metrics of a finished run. They are one element of summary.json, where every
// field is always present; a metric without a value, such as a percentile without RPCs, is null.
type Measures struct {
	Policy string            `json:"policy"`
	Seed   uint64            `json:"seed"`
	Point  map[string]string `json:"point"` // the swept keys and their values

	// WarmupS is the warm-up in seconds, given or found.
	WarmupS float64 `json:"warmup_s"`

	Digest string `json:"digest"` // of all events, hexadecimal
	Events uint64 `json:"events"`

	RPCs  RPCs              `json:"rpcs"`
	Codes map[string]uint64 `json:"codes"` // RPCs by status code, after the warm-up
	// Failed has the RPCs that did not end OK, by code and reason.
	Failed []Failed `json:"failed"`

	// Values are the metrics of the run as a whole by their names, such as "error_ratio"; nil for
	// no value. See RunMetrics.
	Values Values `json:"values"`

	// LatencyOK covers the RPCs that ended OK, LatencyAll all that ended, after the warm-up. A
	// latency runs from the intended start to the final answer; that of an RPC that failed is
	// infinite.
	LatencyOK  Percentiles `json:"latency_ok"`
	LatencyAll Percentiles `json:"latency_all"`

	// Skew is the skew of the load ratios of the backends, AttemptsSkew that of their attempts,
	// whatever their capacities. Backends without capacity count in neither.
	Skew         Skew `json:"skew"`
	AttemptsSkew Skew `json:"attempts_skew"`

	Backends []BackendMeasures `json:"backends"`
	Warnings []Warning         `json:"warnings"`

	failure error    // why the run has no metrics; nil if it has
	stack   []string // of a panic in lbsim

	// Curves are the latencies by quantile: of the RPCs that ended OK, and of all.
	Curves []LatencyCurve `json:"-"`
	// Series has the steps of the run.
	Series []record.Bin `json:"-"`
	// Windows are the windows of the failures.
	Windows []FailureWindow `json:"-"`
}

// RPCs counts over the whole run: started = ended + open.
type RPCs struct {
	Started uint64 `json:"started"`
	Ended   uint64 `json:"ended"`
	Open    uint64 `json:"open"`
}

// Percentiles of a latency, in milliseconds. A percentile without a value is nil; one that RPCs
// without an answer reach is infinite. In JSON both are null, and no_value has the reason.
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

// BackendMeasures are the metrics of one backend over the measured time.
type BackendMeasures struct {
	Name     string   `json:"name"`
	Attempts uint64   `json:"attempts"`
	Served   uint64   `json:"served"` // requests that it served to the end
	Wasted   uint64   `json:"wasted"` // those of them whose client had given up
	Share    *float64 `json:"share"`
	// CapacityS is the work that it could have done for clients, in seconds of work at speed 1:
	// workers × speed ÷ slow-down factors, over the time in which it was up and some client's
	// resolver listed it.
	CapacityS float64 `json:"capacity_s"`
	// CapacityShare is its share of the requests that all backends could have served; null if no
	// backend had capacity.
	CapacityShare *float64 `json:"capacity_share"`
	// LoadRatio is its offered load, attempts × mean service time, over CapacityS. Above 1 it was
	// offered more than it could do. Null without capacity, and for all backends if the mean
	// service time of one is 0 or infinite.
	LoadRatio    *float64 `json:"load_ratio"`
	Utilization  float64  `json:"utilization"`
	InFlight     float64  `json:"inflight_mean"`
	InFlightPeak int64    `json:"inflight_peak"`
	Queue        float64  `json:"queue_mean"`
	QueuePeak    int64    `json:"queue_peak"`
}

// FailureWindow is the window of a failure.
type FailureWindow struct {
	Name     string
	From, To time.Duration
}

// Milliseconds returns a latency in milliseconds, infinite for [record.Never].
func Milliseconds(d time.Duration) float64 {
	if d == record.Never {
		return math.Inf(1)
	}
	return float64(d) / 1e6
}

// RunInfo is what the measures of a run depend on, beside its record.
type RunInfo struct {
	Policy string
	Seed   uint64
	Point  map[string]string // the swept keys and their values
	Config *models.Config
	// Failures has the name of each failure of Config.
	Failures []string
	// ConfigByName reports whether name resolution may bring service configs.
	ConfigByName bool
	// Unsettled reports that no warm-up was found because the run is too short.
	Unsettled bool
	// Unrepeatable is why another run with the same seed may differ, or "".
	Unrepeatable string
}

// Measure computes the measures of a run.
func (r *RunInfo) Measure(run *record.Run) *Measures {
	m := &Measures{
		Policy: r.Policy, Seed: r.Seed, Point: r.Point, WarmupS: r.Config.Warmup.Seconds(),
		Digest: fmt.Sprintf("%016x", run.Digest), Events: run.Events,
		RPCs:     RPCs{run.In, run.Ended, run.Open},
		Codes:    map[string]uint64{},
		Failed:   failuresOf(run.Failures),
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
	m.Backends = backendsOf(r, run)
	d := &runData{r, run, ended, m}
	m.Values = valuesOf(d)
	setLoads(d)
	warnOfRun(d)
	for i, f := range r.Config.Failures {
		from, to := f.Window()
		if to == 0 || to > r.Config.Duration {
			to = r.Config.Duration
		}
		if from < to {
			m.Windows = append(m.Windows, FailureWindow{r.Failures[i], from, to})
		}
	}
	return m
}

// backendsOf returns the measures of the backends without those about their load.
func backendsOf(r *RunInfo, run *record.Run) (list []BackendMeasures) {
	var total uint64
	for i := range run.Backends {
		total += run.Backends[i].Attempts
	}
	for i, name := range r.Config.BackendNames() {
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

// Failure returns why the run failed and has no measures, or nil.
func (m *Measures) Failure() error { return m.failure }

// FailedRun returns the description of a run that failed.
func (m *Measures) FailedRun() FailedRun {
	return FailedRun{m.Policy, m.Seed, m.Point, m.failure.Error(), m.stack}
}

// unstable reports whether latencies depend on when the run ends.
func (m *Measures) unstable() bool {
	return slices.ContainsFunc(m.Warnings, func(w Warning) bool { return w.Kind == Unstable })
}

// Buggy reports whether the run violated an invariant.
func (m *Measures) Buggy() bool {
	return slices.ContainsFunc(m.Warnings, func(w Warning) bool { return w.Kind == Bug })
}

// warn adds a warning about the run.
func (m *Measures) warn(kind WarningKind, format string, args ...any) {
	m.Warnings = append(m.Warnings, Warning{kind, fmt.Sprintf(format, args...)})
}
