package analysis

import (
	"math"

	"lbsim/models"
)

// Skew says how unevenly something was spread over the backends, each of which has a weight: all 1,
// 0 and 1 where evenly. The mean and the others count each backend by its weight.
type Skew struct {
	MaxOverMean *float64 `json:"max_over_mean"`
	// CV is the coefficient of variation: the standard deviation over the mean.
	CV *float64 `json:"cv"`
	// Jain is Jain's index of fairness: from 1/n, all on one of n equal backends, to 1.
	Jain *float64 `json:"jain"`
}

// skewOf returns how unevenly amounts are spread over backends with these weights, as amounts per
// weight. Those of weight 0 do not count. There is no skew where nothing is spread.
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

// worksOf returns the mean work of a request at each backend, in seconds. Where that of some group
// is 0 or infinity it says nothing, and none is known.
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

// setLoads sets what the load of the backends says: work offered against capacity. Where the mean
// work is not known every request counts alike.
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
