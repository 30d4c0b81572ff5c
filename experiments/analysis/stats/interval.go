// Package stats has the statistics by which runs are judged: confidence intervals, the sign test,
// and for a series its warm-up, its stability and whether its halves differ. All are pure functions
// of numbers.
package stats

import "math"

// Interval is the mean of a metric over runs with several seeds, and its confidence interval at
// 95 %.
type Interval struct {
	Mean float64
	// Half is the half-width; NaN with fewer than two runs.
	Half float64
	Runs int
}

// IntervalOf returns the interval of the mean of independent replications. By the central limit
// theorem their mean has a t distribution, whatever the distribution of the values.
func IntervalOf(values []float64) Interval {
	n := float64(len(values))
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	mean := sum / n
	if len(values) < 2 {
		return Interval{mean, math.NaN(), len(values)}
	}
	squares := 0.0
	for _, x := range values {
		d := x - mean
		squares += float64(d * d)
	}
	return Interval{mean, HalfWidth(math.Sqrt(squares/(n-1)), len(values)), len(values)}
}

// HalfWidth returns the half-width of the confidence interval of a mean over runs with this
// standard deviation.
func HalfWidth(deviation float64, runs int) float64 {
	return student95(runs-1) * (deviation / math.Sqrt(float64(runs)))
}

// Deviation returns the standard deviation of the values.
func (v Interval) Deviation() float64 {
	return v.Half / student95(v.Runs-1) * math.Sqrt(float64(v.Runs))
}

// student95 returns the half-width of a 95 % confidence interval in standard errors: the 0.975
// quantile of Student's t distribution, exact to 1e-7.
//
// Source: tables; above them the first terms of the Cornish-Fisher expansion (Abramowitz and Stegun
// 26.7.5).
func student95(degrees int) float64 {
	if degrees <= len(student95Table) {
		return student95Table[degrees-1]
	}
	const z = 1.959963984540054
	const (
		z3 = z * z * z
		z5 = z3 * z * z
		z7 = z5 * z * z
	)
	n := float64(degrees)
	return z + (z3+z)/4/n + (5*z5+16*z3+3*z)/96/n/n + (3*z7+19*z5+17*z3-15*z)/384/n/n/n
}

var student95Table = [...]float64{
	12.7062047, 4.30265273, 3.18244631, 2.77644511, 2.57058184, 2.44691185,
	2.36462425, 2.30600414, 2.26215716, 2.22813885, 2.20098516, 2.17881283,
	2.16036866, 2.14478669, 2.13144955, 2.1199053, 2.10981558, 2.10092204,
	2.09302405, 2.08596345, 2.07961384, 2.07387307, 2.06865761, 2.06389856,
	2.05953855, 2.05552944, 2.05183052, 2.04840714, 2.04522964, 2.04227246,
}
