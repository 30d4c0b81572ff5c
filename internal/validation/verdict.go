package validation

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"lbsim/models/record"
)

// Row is a known value and its estimate by an experiment.
type Row struct {
	Metric string
	// Exact is the value, in units of the mean service time or without a unit; Known is how far it
	// may itself be off, with the confidence of the row: 0 where it is exact.
	Exact, Known float64
	// Estimate is that of all replications, and Low to High its interval.
	Estimate, Low, High float64
	// Holds reports whether the value lies in the interval.
	Holds bool

	of     entry
	exact  bool // the interval is that of a binomial count, which needs no replications
	values [Replications]float64
	hits   uint64 // counted, with all replications
	trials uint64
}

// Count returns how many rows there are, and how many of them fail.
func (s *Suite) Count() (rows, failed int) {
	for i := range s.Experiments {
		for _, r := range s.Experiments[i].Rows {
			rows++
			if !r.Holds {
				failed++
			}
		}
	}
	return rows, failed
}

// RowError returns the chance that a row with a correct value fails: FamilyError divided by the
// number of rows (Bonferroni), so that the chance of any failure is FamilyError at most.
func (s *Suite) RowError() float64 {
	rows, _ := s.Count()
	return FamilyError / float64(rows)
}

// quantile is how many standard errors a t interval over so many replications reaches to either
// side, so that it misses the value with a chance of alpha.
func quantile(alpha float64, replications int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(replications - 1)}.Quantile(1 - alpha/2)
}

// judge sets Holds: whether the interval holds the value. A value that is itself estimated has an
// interval of the same confidence, and the two must overlap.
func (r *Row) judge(alpha float64, all *record.Latency) {
	above := 0.0 // how far the interval may lie too high
	switch q := quantileOf(r.Metric); {
	case r.exact:
		r.Estimate, r.Low, r.High = binomial(alpha, r.hits, r.trials)
	case q > 0:
		r.ofQuantile(q, alpha, all)
		above = bucket * r.Exact
	default:
		mean, se := scatter(r.values[:])
		half := quantile(alpha, Replications) * se
		r.Estimate, r.Low, r.High = mean, mean-half, mean+half
	}
	if r.of.runs > 0 {
		r.Known = r.of.half95 * quantile(alpha, r.of.runs) / quantile(0.05, r.of.runs)
	}
	slack := r.Known + nanosecond + float64(rounding*r.Exact)
	r.Holds = r.Low-above-slack <= r.Exact && r.Exact <= r.High+slack
}

// ofQuantile estimates a quantile by turning round what is known of shares. The values are which
// share of the latencies does not exceed the exact quantile, and they scatter normally where those
// of quantiles need not, such as beside an atom. If that share is within h of q, then the quantile
// lies between those of q-h and q+h.
func (r *Row) ofQuantile(q, alpha float64, all *record.Latency) {
	_, se := scatter(r.values[:])
	h := quantile(alpha, Replications) * se
	at := func(q float64) float64 { return float64(all.Quantile(q)) / float64(unit) }
	r.Estimate, r.Low, r.High = at(q), at(max(0, q-h)), math.Inf(1)
	if q+h < 1 {
		r.High = at(q + h)
	}
}

// scatter returns the mean and its standard error.
func scatter(values []float64) (mean, se float64) {
	mean, sd := stat.MeanStdDev(values, nil)
	return mean, stat.StdErr(sd, float64(len(values)))
}

// binomial returns the share that was hit of so many that are independent, and its interval after
// Clopper and Pearson (Biometrika 26, 1934), which is exact however rare they are.
func binomial(alpha float64, hits, of uint64) (share, low, high float64) {
	k, n := float64(hits), float64(of)
	high = 1
	if hits > 0 {
		low = distuv.Beta{Alpha: k, Beta: n - k + 1}.Quantile(alpha / 2)
	}
	if hits < of {
		high = distuv.Beta{Alpha: k + 1, Beta: n - k}.Quantile(1 - alpha/2)
	}
	return k / n, low, high
}

const (
	// rounding is how far the values of the table are rounded, of themselves.
	rounding = 1e-8
	// bucket is by how much of itself a recorded quantile may be above the true one.
	bucket = 0.001
	// nanosecond is the grain of simulated time, in units of the mean service time. Latencies are
	// whole ones, and so is their mean.
	nanosecond = 1e-7
)
