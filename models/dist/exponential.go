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

var exponentialKind = Kind{
	Aliases: []string{"exp"},
	Doc:     "without memory: the textbook's service and the time between random arrivals",
	Forms: []string{
		"exponential(mean=10ms)",
		"exponential(p99=40ms)",
	},
	Parse: parseExponential,
}

func parseExponential(c Call) (Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	var e Exponential
	switch a.Form() {
	case "mean":
		e.mean = a.PositiveDuration("mean")
	case "p":
		p := a.Percentile(0)
		e.mean = p.Nanoseconds / sim.ExponentialQuantile(p.Share)
	}
	e.text = a.String()
	return e, a.Err()
}

// Quantile is -mean log(1-u).
func (e Exponential) Quantile(u float64) time.Duration {
	return Round(e.mean * sim.ExponentialQuantile(u))
}

// Mean is the mean, in seconds.
func (e Exponential) Mean() float64 { return e.mean / second }

// Variance is the square of the mean, in seconds².
func (e Exponential) Variance() float64 { return e.mean * e.mean / second2 }

func (e Exponential) String() string { return e.text }
