package stats

const mserBatch = 5 // steps of a series in a batch

// MSER returns the warm-up of a series: the number of steps to cut off at its beginning so that the
// standard error of the mean of the others, as if they were independent, is least. settled is false
// if that is more than half of the series, which is too short then.
//
// Source: MSER-5 (K. P. White, "An effective truncation heuristic for bias reduction in simulation
// output", Simulation 69:6, 1997).
func MSER(series []float64) (cut int, settled bool) {
	n := len(series) / mserBatch
	batches := make([]float64, n)
	for i := range n {
		for _, x := range series[i*mserBatch:][:mserBatch] {
			batches[i] += x / mserBatch
		}
	}
	best, least := 0, 0.0
	// From the end on, so that mean and squares of the rest grow by one batch each time.
	count, mean, squares := 0.0, 0.0, 0.0
	for i := n - 1; i >= 0; i-- {
		count++
		d := batches[i] - mean
		mean += d / count
		squares += float64(d * (batches[i] - mean))
		spread := squares / count / count
		if n-i == mserBatch || n-i > mserBatch && spread <= least {
			best, least = i, spread
		}
	}
	if n < 2*mserBatch || best > n/2 {
		return n / 2 * mserBatch, false
	}
	return best * mserBatch, true
}
