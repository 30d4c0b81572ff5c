package validation

import (
	"fmt"
	"math"

	"lbsim/sim"
)

// Whether a value is compared is decided here, from the value and the plan of its experiment alone,
// before there is any run.

// leastSeen is the least number of nearly independent RPCs on which a metric must rest, over all
// replications. A count of M rare things has a skewness of 1/√M, and that makes the lower
// tail of a t interval z(2z²+1)/6√M of itself heavier, and the upper one as much lighter (the first
// term of Edgeworth's expansion; P. Hall, The Bootstrap and Edgeworth Expansion, 1992, 2.6). With
// z = 4.5, the normal quantile of a row of a thousand, M = 1000 makes that 1: one tail is doubled,
// the other empty, and the chance of both together is about as planned.
const leastSeen = 1000

// most is how many RPCs an experiment may have, all replications and warm-ups together.
func (s *Suite) most() float64 {
	if s.Quick {
		return 15e6
	}
	return 200e6
}

// plan returns how many RPCs an experiment needs to measure for one of its values, all replications
// together, or why the value is not compared.
func (s *Suite) plan(st *station, x entry) (rpcs float64, why string) {
	rpcs = Replications * st.length()
	_, isCount := counts[x.metric]
	weight := st.weight(x.metric)
	switch {
	case isCount && st.apart: // the interval is exact
	case weight == 0:
		return 0, "has no variance: a moment of the service time is infinite"
	default:
		rpcs = max(rpcs, leastSeen*st.alike(x.metric)/st.rarity(x)/weight)
	}
	all := rpcs + Replications*st.warmup(rpcs/Replications)
	if all > s.most() {
		return 0, fmt.Sprintf("needs %.2g RPCs", all)
	}
	return rpcs, ""
}

// rarity returns the share of the RPCs that determine a metric.
func (s *station) rarity(x entry) float64 {
	if q := quantileOf(x.metric); q > 0 {
		return min(q, 1-q)
	}
	if _, isCount := counts[x.metric]; isCount {
		return min(x.value, 1-x.value)
	}
	switch {
	case x.metric == "extra_requests_fraction":
		return x.value
	case x.metric == "mean_attempts":
		return min(x.value-1, 1)
	case x.metric == "mean_W":
		return s.waiting(x.value)
	case x.metric == "mean_T" && s.variation() == 0: // T varies as far as there is a wait
		return s.waiting(x.value - 1)
	}
	return 1
}

// waiting is the share of RPCs that wait, by the mean wait of all. One that waits does so for
// (1+cv²)/2c(1-ρ): exactly if the service time is exponential, and about that long if not.
func (s *station) waiting(mean float64) float64 {
	b := &s.config.Backends[0]
	workers := float64(b.Count * b.Workers)
	return min(1, mean*2*workers*(1-s.load)/(1+s.variation()))
}

// alike is how many RPCs in a row fare alike as to a metric: once there is a queue of some length,
// about as many as a busy period has. Those beyond a quantile are so many times as many as waits
// are longer than with exponential service times, whose E[S³]/3E[S²] is 1: that is what the second
// moment of the wait in M/G/1 has over its first.
func (s *station) alike(metric string) float64 {
	if quantileOf(metric) > 0 && !s.apart && !s.config.Backends[0].Discipline.StartsAtOnce() {
		return s.busy() * moment(s.service, 3) / (3 * moment(s.service, 2))
	}
	return s.busy()
}

// busy is about how many RPCs a busy period has.
func (s *station) busy() float64 {
	if s.places > 0 { // what is full is full for a while
		return min(s.places, 1/math.Abs(1-s.rpcs/float64(s.config.Backends[0].Workers)))
	}
	return 1 / (1 - s.load)
}

// weight is what part of all RPCs a mean rests on in effect, as the service times differ: Kish's
// E[X]²/E[X²]. One of length s holds up others for a time of s²/2 in all; where workers are shared
// it is only there for longer, by s. Where E[X²] is infinite the mean has no variance, and the
// weight is 0 (D. J. Daley, Z. Wahrscheinlichkeitstheorie 10, 1968). A quantile needs the third
// moment, as alike has it.
func (s *station) weight(metric string) float64 {
	order := 2
	switch {
	case quantileOf(metric) > 0:
		if math.IsInf(moment(s.service, 3), 1) {
			return 0
		}
		return 1
	case s.apart, s.config.Backends[0].Discipline.StartsAtOnce():
		order = 1
	}
	m := moment(s.service, order)
	return m * m / moment(s.service, 2*order)
}

// moment returns E[Sᵏ] of a service time, whose mean is 1.
func moment(text string, k int) float64 {
	p := params(text)
	switch shape(text) {
	case "Exp":
		return math.Gamma(float64(k + 1))
	case "Lognormal":
		sigma := p.after("sigma=")
		return sim.Exp(sigma * sigma * float64(k*(k-1)) / 2)
	case "Pareto":
		a := p.after("alpha=")
		if float64(k) >= a {
			return math.Inf(1)
		}
		return power((a-1)/a, k) * a / (a - float64(k))
	case "H2": // balanced means: each part has half of the work
		first, second := hyper(p.after("cv2="))
		g := math.Gamma(float64(k + 1))
		return float64(g*first*power(0.5/first, k)) + float64(g*second*power(0.5/second, k))
	case "Bimodal":
		q, short, long := bimodal(p)
		return float64(q*power(short, k)) + float64((1-q)*power(long, k))
	}
	return 1 // constant
}

func power(x float64, k int) float64 {
	y := 1.0
	for range k {
		y *= x
	}
	return y
}
