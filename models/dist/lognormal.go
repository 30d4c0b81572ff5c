package dist

import (
	"math"
	"time"

	"lbsim/sim"
)

// Lognormal is the distribution of a duration whose logarithm is normal with standard deviation
// sigma.
type Lognormal struct {
	median float64 // ns, > 0
	sigma  float64 // >= 0
	text   string
}

const maxSigma = 20 // mean/median is e^200 then

func parseLognormal(c call) (Distribution, error) {
	a, err := c.args()
	if err != nil {
		return nil, err
	}
	var l Lognormal
	switch a.form {
	case "median,sigma":
		l.median, l.sigma = a.positiveDuration("median"), a.number("sigma", 0, maxSigma)
	case "mean,sigma":
		l.sigma = a.number("sigma", 0, maxSigma)
		l.median = a.positiveDuration("mean") / sim.Exp(l.sigma*l.sigma/2)
	case "cv,mean": // cv² = e^sigma² - 1
		l2 := sim.Log1p(square(a.number("cv", 0, 1e6)))
		l.sigma = math.Sqrt(l2)
		l.median = a.positiveDuration("mean") / sim.Exp(l2/2)
	case "p,p": // log X = log median + sigma z at both
		lo, hi := a.percentiles()
		zLo, zHi := sim.NormalQuantile(lo.share), sim.NormalQuantile(hi.share)
		l.sigma = a.within("sigma", sim.Log(hi.ns/lo.ns)/(zHi-zLo), 0, maxSigma)
		l.median = lo.ns / sim.Exp(l.sigma*zLo)
	}
	l.text = a.text()
	return l, a.err
}

// Quantile is median e^(sigma z), where z is the normal quantile at u.
func (l Lognormal) Quantile(u float64) time.Duration {
	return duration(l.median * sim.Exp(l.sigma*sim.NormalQuantile(u)))
}

// Mean is median e^(sigma²/2), in seconds.
func (l Lognormal) Mean() float64 { return l.median * sim.Exp(l.sigma*l.sigma/2) / second }

// Variance is mean² (e^sigma² - 1), in seconds².
func (l Lognormal) Variance() float64 {
	return square(l.Mean()) * sim.Expm1(l.sigma*l.sigma)
}

func (l Lognormal) String() string { return l.text }

func square(x float64) float64 { return x * x }
