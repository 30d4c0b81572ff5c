package analysis

import (
	"math"

	"lbsim/models"
)

// Skew measures how unevenly something is spread over backends with weights. If it is even, the
// three values are 1, 0 and 1. Means count each backend by its weight.
type Skew struct {
	MaxOverMean *float64 `json:"max_over_mean"`
	// CV is the coefficient of variation: the standard deviation over the mean.
	CV *float64 `json:"cv"`
	// Jain is Jain's index of fairness: from 1/n, all on one of n equal backends, to 1.
	Jain *float64 `json:"jain"`
}

// skewOf returns the skew of amount per weight over backends. Backends of weight 0 do not count.
// Without any amount there is no skew.
func skewOf(amounts, weights []float64) Skew {
	var sum, weight, squares, most float64
	for i, w := range weights {
		if w > 0 {
			per := amounts[i] / w
			sum += amounts[i]
			weight += w
			squares += float64(amounts[i] * per)
			most = max(most, per)
		}
	}
	if sum == 0 {
		return Skew{}
	}
	mean := sum / weight
	variance := max(0, squares/weight-float64(mean*mean))
	return Skew{
		MaxOverMean: new(most / mean),
		CV:          new(math.Sqrt(variance) / mean),
		Jain:        new(mean * sum / squares),
	}
}

// worksOf returns the mean service time of each backend, in seconds. known is false if the mean of
// some group is 0 or infinite.
func worksOf(c *models.Config) (seconds []float64, known bool) {
	for i := range c.Backends {
		g := &c.Backends[i]
		mean := g.Service.Mean()
		if !(mean > 0) || math.IsInf(mean, 0) {
			return nil, false
		}
		for range g.Count {
			seconds = append(seconds, mean)
		}
	}
	return seconds, true
}

// setLoads sets capacities, load ratios and skews. If mean service times are not known, each
// request counts as the same work.
func setLoads(d *runData) {
	m := d.m
	works, known := worksOf(d.Config)
	n := len(m.Backends)
	work, capacity, share := make([]float64, n), make([]float64, n), make([]float64, n)
	attempts, listed := make([]float64, n), make([]float64, n)
	total := 0.0
	for i := range m.Backends {
		b := &m.Backends[i]
		b.CapacityS = d.record.Backends[i].Capacity
		capacity[i] = b.CapacityS
		attempts[i] = float64(b.Attempts)
		work[i], share[i] = attempts[i], capacity[i]
		if known {
			work[i] = float64(attempts[i] * works[i])
			share[i] = capacity[i] / works[i]
		}
		total += share[i]
		if capacity[i] > 0 {
			listed[i] = 1
			if known {
				b.LoadRatio = new(work[i] / capacity[i])
			}
		}
	}
	for i := range m.Backends {
		if total > 0 {
			m.Backends[i].CapacityShare = new(share[i] / total)
		}
	}
	m.Skew = skewOf(work, capacity)
	m.AttemptsSkew = skewOf(attempts, listed)
}
