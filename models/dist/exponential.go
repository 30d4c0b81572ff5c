package dist

import (
	"time"

	"lbsim/sim"
)

// Exponential is the memoryless distribution: P(X > x) = exp(-x/mean).
type Exponential struct {
	mean float64 // ns, > 0
	text string
}

func parseExponential(c call) (Distribution, error) {
	a, err := c.args()
	if err != nil {
		return nil, err
	}
	var e Exponential
	switch a.form {
	case "mean":
		e.mean = a.positiveDuration("mean")
	case "p":
		p := a.percentile(0)
		e.mean = p.ns / sim.ExponentialQuantile(p.share)
	}
	e.text = a.text()
	return e, a.err
}

// Quantile is -mean log(1-u).
func (e Exponential) Quantile(u float64) time.Duration {
	return duration(e.mean * sim.ExponentialQuantile(u))
}

// Mean is the mean, in seconds.
func (e Exponential) Mean() float64 { return e.mean / second }

// Variance is the square of the mean, in seconds².
func (e Exponential) Variance() float64 { return e.mean * e.mean / second2 }

func (e Exponential) String() string { return e.text }
