package validation

import (
	"fmt"
	"math"
	"strings"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/resolvers"
	"lbsim/policies"
	"lbsim/sim"
)

// unit is the mean service time, in which the values of the table are.
const unit = 10 * time.Millisecond

// station is a system of the table: what its experiment is made of. There is no network.
type station struct {
	label   string // what sets it apart from others of the same parameters; "" if there is none
	metric  string // the only metric that it is for; "" for all that no other is for
	config  models.Config
	rpcs    float64 // how many end in a unit of time, about
	load    float64 // share of the workers that is needed, 0 to 1
	squares float64 // squared coefficient of variation of the service time
	work    float64 // factor on the number of RPCs, where estimates vary more than those of M/G/1
}

// open is a station with Poisson arrivals, rate a unit, from one client.
func open(rate float64, service string) station {
	return station{
		config: models.Config{
			Clients: []models.ClientGroup{{Name: "c", Count: 1, Rate: rate / unit.Seconds()}},
			Backends: []models.BackendGroup{{
				Name: "b", Count: 1, Workers: 1, Queue: -1, Speed: 1, Service: law(service),
				OnFull: policies.ResourceExhausted,
			}},
			Network:  models.Network{Delay: dist.Constant(0)},
			Resolver: resolvers.Static{},
			Policy:   policies.PickFirst{},
		},
		rpcs: rate, load: rate, squares: squares(service), work: 1,
	}
}

// to spreads the RPCs over n backends.
func (s station) to(n int, by policies.Policy) station {
	s.config.Policy = by
	s.config.Backends[0].Count = n
	s.load = s.rpcs / float64(n)
	return s
}

// workers gives the backend so many workers, and a queue of any length if places is 0, else so many
// places in all.
func (s station) workers(n, places int) station {
	b := &s.config.Backends[0]
	b.Workers = n
	s.load = s.rpcs / float64(n)
	if places > 0 {
		b.Queue = places - n
		s.load = 0 // no queue is long
	}
	return s
}

func (s station) served(d models.Discipline) station {
	s.config.Backends[0].Discipline = d
	return s
}

// many is a number of workers that is never reached.
const many = 1 << 20

const exponential = "Exp(mean 1)"

// law reads a service time as the table writes it.
func law(text string) dist.Distribution {
	p := params(text)
	var spec string
	switch {
	case strings.HasPrefix(text, "Exp("):
		spec = "exp(mean=10ms)"
	case strings.HasPrefix(text, "constant"), text == "1 (constant)":
		spec = "10ms"
	case strings.HasPrefix(text, "Lognormal("):
		spec = fmt.Sprintf("lognormal(mean=10ms, cv=%.12g)", math.Sqrt(squares(text)))
	case strings.HasPrefix(text, "Pareto("):
		spec = fmt.Sprintf("pareto(mean=10ms, alpha=%g)", p.after("alpha="))
	case strings.HasPrefix(text, "H2("): // balanced means: each part has half of the work
		first, second := hyper(p.after("cv2="))
		spec = fmt.Sprintf("mix(%.12g exp(mean=%.12gms), %.12g exp(mean=%.12gms))",
			first, 5/first, second, 5/second)
	case strings.HasPrefix(text, "Bimodal("):
		short, long := p.after("Bimodal("), p.after("; ")
		spec = fmt.Sprintf("mix(%g %gms, %g %gms)",
			p.after("w.p. "), 10*short, rounded(1-p.after("w.p. ")), 10*long)
	default:
		panic("validation: no law " + text)
	}
	d, err := dist.Parse(spec, nil)
	if err != nil {
		panic(err)
	}
	return d
}

// hyper returns the probabilities of the two exponential parts of a hyperexponential law with
// balanced means.
func hyper(cv2 float64) (first, second float64) {
	p := (1 + math.Sqrt((cv2-1)/(cv2+1))) / 2
	return p, 1 - p
}

// rounded takes away what binary fractions leave of a difference of decimal ones.
func rounded(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// squares returns the squared coefficient of variation of a service time.
func squares(text string) float64 {
	p := params(text)
	switch {
	case strings.HasPrefix(text, "Exp("):
		return 1
	case strings.HasPrefix(text, "Lognormal("):
		sigma := p.after("sigma=")
		return sim.Exp(sigma*sigma) - 1
	case strings.HasPrefix(text, "Pareto("):
		a := p.after("alpha=")
		return 1 / (a * (a - 2))
	case strings.HasPrefix(text, "H2("):
		return p.after("cv2=")
	case strings.HasPrefix(text, "Bimodal("):
		q, short, long := p.after("w.p. "), p.after("Bimodal("), p.after("; ")
		return float64(q*short*short) + float64((1-q)*long*long) - 1
	}
	return 0
}

// fewest RPCs have 160 above the p99.9.
const fewest = 160_000

// length is how many RPCs one replication has, so that the mean latency of M/G/1 has a standard
// deviation of about spread of itself. That of the mean number in M/M/1 after n arrivals is
// sqrt(2(1+ρ)/n)/(1-ρ) of it; other service times multiply the variance by (1+cv²)/2.
//
// Source: W. Whitt, Planning queueing simulations, Management Science 35(11), 1989.
func (s station) length(spread float64) float64 {
	n := 2 * (1 + s.load) / ((1 - s.load) * (1 - s.load) * spread * spread)
	n *= s.work * (1 + s.squares) / 2
	return max(n, fewest)
}

// exponentialOf is an exponential law with a mean of so many units.
func exponentialOf(mean float64) dist.Distribution {
	d, err := dist.Parse(fmt.Sprintf("exp(mean=%gms)", 10*mean), nil)
	if err != nil {
		panic(err)
	}
	return d
}
