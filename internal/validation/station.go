package validation

import (
	"fmt"
	"math"
	"strings"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
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
	service string  // the service time, as the table writes it
	places  float64 // in a system with room for so many, else 0
	apart   bool    // no RPC has to do with another
	relax   float64 // in what time it forgets how it began; 0 for that of M/G/1
	work    float64 // factor on the number of RPCs, where estimates scatter less than in M/G/1
}

// open is a station with Poisson arrivals, rate a unit, from one client.
func open(rate float64, service string) station {
	return station{
		config: models.Config{
			Clients: []models.ClientGroup{{
				Name: "c", Count: 1, Rate: options.Rate(rate / unit.Seconds()),
			}},
			Backends: []models.BackendGroup{{
				Name: "b", Count: 1, Workers: 1, Queue: -1,
				Speed: 1, Weight: 1, ZoneWeight: 1, Service: serviceTime(service),
			}},
			Network:  models.Network{Delay: dist.Constant(0)},
			Resolver: resolvers.Static{},
			Policy:   policies.PickFirst{},
		},
		rpcs: rate, load: rate, service: service, work: 1,
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
		b.Queue = models.QueueSize(places - n)
		s.places = float64(places)
		s.load = 0 // no queue is long
	}
	return s
}

func (s station) served(d models.Discipline) station {
	s.config.Backends[0].Discipline = d
	return s
}

// endless gives the backend as many workers as it may ever need.
func (s station) endless() station {
	s.config.Backends[0].Workers = 1_000_000
	s.load, s.apart = 0, true
	return s
}

// variation is the squared coefficient of variation of the service time.
func (s *station) variation() float64 { return float64(moment(s.service, 2)) - 1 }

const exponential = "Exp(mean 1)"

// shape is what a service time begins with, as the table writes it; "" for a constant.
func shape(text string) string {
	name, _, found := strings.Cut(text, "(mean 1")
	switch {
	case strings.HasPrefix(text, "Bimodal("):
		return "Bimodal"
	case found:
		return name
	case strings.HasPrefix(text, "Exp("), strings.HasPrefix(text, "H2("):
		return name
	case text == "constant 1", text == "1 (constant)":
		return ""
	}
	panic("validation: no service time " + text)
}

// spec writes a service time, as the table has it, as an experiment would.
func spec(text string) string {
	p := params(text)
	switch shape(text) {
	case "Exp":
		return "exp(mean=10ms)"
	case "Lognormal":
		return fmt.Sprintf("lognormal(mean=10ms, cv=%.12g)", math.Sqrt(moment(text, 2)-1))
	case "Pareto":
		return fmt.Sprintf("pareto(mean=10ms, alpha=%g)", p.after("alpha="))
	case "H2":
		first, second := hyper(p.after("cv2="))
		return fmt.Sprintf("mix(%.12g exp(mean=%.12gms), %.12g exp(mean=%.12gms))",
			first, 5/first, second, 5/second)
	case "Bimodal":
		q, short, long := bimodal(p)
		return fmt.Sprintf("mix(%g %gms, %g %gms)", q, 10*short, rounded(1-q), 10*long)
	}
	return "10ms"
}

func serviceTime(text string) dist.Distribution { return parsed(spec(text)) }

func parsed(spec string) dist.Distribution {
	d, err := dist.Parse(spec, nil)
	if err != nil {
		panic(err)
	}
	return d
}

// bimodal returns the chance of the shorter of two service times, and both.
func bimodal(p params) (q, short, long float64) {
	return p.after("w.p. "), p.after("Bimodal("), p.after("; ")
}

// hyper returns the probabilities of the two exponential parts of a hyperexponential distribution
// with balanced means.
func hyper(cv2 float64) (first, second float64) {
	p := (1 + math.Sqrt((cv2-1)/(cv2+1))) / 2
	return p, 1 - p
}

// rounded takes away what binary fractions leave of a difference of decimal ones.
func rounded(x float64) float64 { return math.Round(x*1e9) / 1e9 }

const (
	// fewest RPCs of a replication have 50 above the p99.9.
	fewest = 50_000
	// scatters is the standard deviation that the mean latency of a replication is to have, as a
	// share of itself.
	scatters = 0.05
)

// length is how many RPCs one replication has for that. The standard deviation of the mean number
// in M/M/1 after n arrivals is sqrt(2(1+ρ)/n)/(1-ρ) of it; other service times multiply the
// variance by (1+cv²)/2.
//
// Source: W. Whitt, Planning queueing simulations, Management Science 35(11), 1989.
func (s *station) length() float64 {
	free := float64(1 - s.load)
	n := 2 * (1 + s.load) / (free * free * scatters * scatters)
	n *= s.work * (1 + s.variation()) / 2
	return max(n, fewest)
}

// warmup is how many RPCs go before those that are measured: a tenth as many, or those of five
// times the time in which the system forgets how it began, if they are more. In M/M/1 that is
// 1/(1-√ρ)²; else about (a+cv²)/2 of that, where a is the squared coefficient of variation of the
// times between arrivals: 1, or 1/n where each of n backends gets every nth.
func (s *station) warmup(length float64) float64 {
	relax := s.relax
	if relax == 0 {
		d, a := 1-math.Sqrt(s.load), 1.0
		if s.config.Policy == (policies.RoundRobin{}) && s.config.Clients[0].Count == 1 {
			a /= float64(s.config.Backends[0].Count)
		}
		relax = (a + s.variation()) / 2 / (d * d)
	}
	return max(length/10, 5*relax*s.rpcs)
}

// exponentialOf is an exponential distribution with a mean of so many units.
func exponentialOf(mean float64) dist.Distribution {
	return parsed(fmt.Sprintf("exp(mean=%gms)", 10*mean))
}
