package validation

import (
	"strconv"
	"strings"

	"lbsim/models/record"
	"lbsim/policies"
)

// measured returns what a run says of a metric, in units of the mean service time, or without unit.
func measured(metric string, r *record.Run) float64 {
	var attempts, wasted uint64
	inFlight, queue := 0.0, 0.0
	for _, b := range r.Backends {
		attempts, wasted = attempts+b.Attempts, wasted+b.Wasted
		inFlight, queue = inFlight+b.InFlight, queue+b.Queue
	}
	ok, failed := float64(r.Succeeded.Count()), float64(r.Failed.Count())
	begun := ok + failed + float64(r.Open) // since the warm-up, as attempts are
	units := float64(r.Measured) / float64(unit)
	switch strings.TrimSuffix(metric, "_accepted") {
	case "mean_T", "mean_T_uniform_random":
		return float64(r.Succeeded.Mean()) / float64(unit)
	case "mean_W": // by Little's law
		return queue * units / float64(attempts)
	case "mean_N":
		return inFlight
	case "utilisation":
		return r.Backends[0].Utilization
	case "throughput":
		return ok / units
	case "prob_T_gt_3meanT", "prob_request_fails":
		return failed / (ok + failed)
	case "prob_loss":
		return float64(r.Codes[policies.ResourceExhausted]) / (ok + failed)
	case "prob_dropped": // neither answered nor worked on for nobody
		return 1 - (ok+float64(wasted))/float64(attempts)
	case "extra_requests_fraction":
		return float64(attempts)/begun - 1
	case "mean_attempts":
		return float64(attempts) / begun
	}
	q, found := strings.CutPrefix(strings.TrimSuffix(metric, "_accepted"), "p")
	percent, err := strconv.ParseFloat(strings.TrimSuffix(q, "_T"), 64)
	if !found || err != nil {
		panic("validation: no metric " + metric)
	}
	return float64(r.Succeeded.Quantile(percent/100)) / float64(unit)
}

// resolution is by how much of itself a recorded quantile may be above the true one: the width of a
// bucket of the histogram. Other metrics are counted and summed exactly.
func resolution(metric string) float64 {
	if strings.HasPrefix(metric, "p50") || strings.HasPrefix(metric, "p9") {
		return 0.001
	}
	return 0
}
