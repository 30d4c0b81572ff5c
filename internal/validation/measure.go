package validation

import (
	"strconv"
	"strings"

	"lbsim/models/record"
	"lbsim/policies"
)

// quantileOf returns which quantile of the latency a metric is, such as 0.99 of p99_T; 0 if none.
func quantileOf(metric string) float64 {
	q, found := strings.CutPrefix(strings.TrimSuffix(metric, "_accepted"), "p")
	percent, err := strconv.ParseFloat(strings.TrimSuffix(q, "_T"), 64)
	if !found || err != nil {
		return 0
	}
	return percent / 100
}

// counts are the metrics that are shares: how many there are of how many.
var counts = map[string]func(r *record.Run) (hits, of uint64){
	"prob_T_gt_3meanT":   failedOnes,
	"prob_request_fails": failedOnes,
	"prob_loss": func(r *record.Run) (hits, of uint64) {
		return r.Codes[policies.ResourceExhausted], ended(r)
	},
	"prob_dropped": func(r *record.Run) (hits, of uint64) {
		attempts := attempts(r)
		served := uint64(r.Succeeded.Count())
		for _, b := range r.Backends {
			served += b.Wasted // for nobody
		}
		return attempts - min(served, attempts), attempts
	},
}

func failedOnes(r *record.Run) (hits, of uint64) { return r.Failed, ended(r) }

// ended is how many RPCs ended after the warm-up.
func ended(r *record.Run) uint64 { return uint64(r.Succeeded.Count()) + r.Failed }

// attempts is how many there were after the warm-up.
func attempts(r *record.Run) (n uint64) {
	for _, b := range r.Backends {
		n += b.Attempts
	}
	return n
}

// perRPC is the mean number of attempts of an RPC: in a steady system as many of both are made in
// some time as end in it.
func perRPC(r *record.Run) float64 { return float64(attempts(r)) / float64(ended(r)) }

// measured returns what a run says of any other metric, in units of the mean service time or
// without a unit.
func measured(metric string, r *record.Run) float64 {
	inFlight, queue := 0.0, 0.0
	for _, b := range r.Backends {
		inFlight, queue = inFlight+b.Held, queue+b.Queue
	}
	units := float64(r.Measured) / float64(unit)
	switch strings.TrimSuffix(metric, "_accepted") {
	case "mean_T", "mean_T_uniform_random":
		return float64(r.Succeeded.Mean()) / float64(unit)
	case "mean_W": // by Little's law
		return queue * units / float64(attempts(r))
	case "mean_N", "mean_N_total":
		return inFlight
	case "utilisation":
		return r.Backends[0].Utilization
	case "throughput":
		return float64(r.Succeeded.Count()) / units
	case "extra_requests_fraction":
		return perRPC(r) - 1
	case "mean_attempts":
		return perRPC(r)
	}
	panic("validation: no metric " + metric)
}
