package validation

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

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

// Quantile is how many standard errors the interval of each row reaches to either side. By
// Bonferroni: a row whose value is right fails with a chance of FamilyError divided by the number
// of rows, so with FamilyError at most does any.
func (s *Suite) Quantile() float64 {
	rows, _ := s.Count()
	t := distuv.StudentsT{Sigma: 1, Nu: Replications - 1}
	return t.Quantile(1 - FamilyError/2/float64(rows))
}

// judge compares all rows.
func (s *Suite) judge() {
	rows, _ := s.Count()
	t := s.Quantile()
	z := distuv.UnitNormal.Quantile(1 - FamilyError/2/float64(rows))
	for i := range s.Experiments {
		for j := range s.Experiments[i].Rows {
			s.Experiments[i].Rows[j].judge(t, z/distuv.UnitNormal.Quantile(0.975))
		}
	}
}

// judge says whether the interval, of t standard errors to either side, holds the value. A value
// that is itself estimated has an interval, which is widened to the same confidence.
func (r *Row) judge(t, widen float64) {
	const n = Replications
	sum, squares := 0.0, 0.0
	for _, x := range r.values {
		sum += x
	}
	r.Estimate = sum / n
	for _, x := range r.values {
		d := x - r.Estimate
		squares += float64(d * d)
	}
	r.Half = t * math.Sqrt(squares/(n-1)/n)
	r.Known *= widen
	off := r.Estimate - r.Exact
	margin := r.Half + r.Known + rounding*r.Exact
	r.Holds = -margin <= off && off <= margin+float64(resolution(r.Metric)*r.Exact)
}

// rounding is how far the values of the table are rounded, of themselves.
const rounding = 1e-8
