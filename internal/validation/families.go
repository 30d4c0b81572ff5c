package validation

import (
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// family is a kind of system in the table.
type family struct {
	name, title, source string
	// build makes the stations of a system: each is an experiment for the same values.
	build func(p params) []station
}

func just(s station) []station { return []station{s} }

// families are those of the table, in its order.
var families = []family{
	{"mm1_fifo", "M/M/1", "Kleinrock, Queueing Systems 1 (1975), ch. 3", mm1},
	{"mmc_fifo", "M/M/c", "Erlang C; Kleinrock 1, 3.5",
		func(p params) []station {
			return just(open(p.number("lambda"), exponential).workers(p.integer("c"), 0))
		}},
	{"mm1k_fifo", "M/M/1/K", "birth and death; Kleinrock 1, 3.6", rooms},
	{"mmck_fifo", "M/M/c/K", "birth and death; Kleinrock 1, 3.6", rooms},
	{"erlang_b", "M/G/c/c", "Erlang B (1917), the same for all service times", lossSystems},
	{"mm1_d_deadline", "M/M/1 that drops what has waited too long",
		"Barrer (1957); Baccelli and Hebuterne (1981)", deadlines},
	{"md1_fifo", "M/D/1", "Erlang (1909); Pollaczek and Khinchine",
		func(p params) []station { return just(open(p.number("lambda"), "constant 1")) }},
	{"mg1_fifo", "M/G/1", "Pollaczek and Khinchine; Kleinrock 1, ch. 5",
		func(p params) []station { return just(open(p.number("rho"), p.text("S"))) }},
	{"mg1_ps", "M/G/1, processor sharing", "Kleinrock 2, 4.4: the same for all service times",
		func(p params) []station {
			return just(open(p.number("rho"), p.text("S")).served(models.ProcessorSharing))
		}},
	{"mg1_lifo_preemptive_resume", "M/G/1, preemptive LIFO",
		"Kleinrock 2: the same for all service times",
		func(p params) []station {
			return just(stacked(open(p.number("rho"), p.text("S"))))
		}},
	{"mm1_ps", "M/M/1, processor sharing", "Coffman, Muntz and Trotter (1970)",
		func(p params) []station {
			return just(open(p.number("lambda"), exponential).served(models.ProcessorSharing))
		}},
	{"mm1_lifo_preemptive_resume", "M/M/1, preemptive LIFO", "busy period; Takács",
		func(p params) []station { return just(stacked(open(p.number("lambda"), exponential))) }},
	{"mm1_lifo_nonpreemptive", "M/M/1, LIFO", "Takács",
		func(p params) []station {
			return just(open(p.number("lambda"), exponential).served(models.LIFO))
		}},
	{"closed_repairman", "closed loop of N callers",
		"machine repairman; Lavenberg and Reiser (1980)", callers},
	{"random_split", "random over n backends", "Bernoulli splitting of a Poisson process",
		func(p params) []station { return just(spread(p, policies.Random{})) }},
	{"round_robin_split", "round_robin over n backends, one client",
		"GI/M/1 with Erlang arrivals; Kleinrock 1, ch. 6",
		func(p params) []station { return just(spread(p, policies.RoundRobin{})) }},
	{"dm1_fifo", "D/M/1: even arrivals", "GI/M/1; Kleinrock 1, ch. 6",
		func(p params) []station {
			s := open(p.number("rho"), exponential)
			s.config.Clients[0].Arrivals = models.EvenArrivals
			return just(s)
		}},
	{"mdn_fifo", "M/D/n", "Crommelin (1932); round_robin over n backends is the same", constants},
	{"hetero_random_split", "random over unequal backends", "n independent M/M/1", unequal},
	{"po2_with_replacement", "least_request of two, n backends, one client",
		"Markov chain of n queues, solved numerically",
		func(p params) []station { return just(spread(p, policies.LeastRequest{ChoiceCount: 2})) }},
	{"redundancy_d_cancel_on_complete", "hedged at once over n backends",
		"Gardner et al., Operations Research 65(4), 2017", redundant},
	{"hedge_independent", "hedged after a delay, no queues",
		"independence; Dean and Barroso, CACM 56(2), 2013", hedged},
	{"retry_attempts", "retried", "geometric number of attempts", retried},
	{"po2_distinct", "the shorter of two different queues of n",
		"Markov chain of n queues, solved numerically; Mitzenmacher, IEEE TPDS 12(10), 2001",
		func(p params) []station { return just(spread(p, leastOf{2})) }},
	{"jsq", "the shortest of n queues", "Markov chain of n queues, solved numerically",
		func(p params) []station { return just(spread(p, leastOf{})) }},
	{"mc_supermarket", "the shortest of d queues, many backends, one client",
		"another simulator: uniformised Markov chain; Mitzenmacher, IEEE TPDS 12(10), 2001",
		supermarket},
	{"mc_client_local", "many clients, each with what it knows",
		"another simulator: Lindley's recursion",
		func(p params) []station {
			s := open(10*p.number("rho"), p.text("S")).to(10, policyOf(p))
			s.config.Clients[0].Count = p.integer("C")
			return just(s)
		}},
	{"mc_policy_fifo", "n backends, one client, other service times",
		"another simulator: Lindley's recursion",
		func(p params) []station {
			n := p.integer("n")
			s := open(p.number("rho")*float64(n), p.text("S"))
			return just(s.to(n, policyOf(p)))
		}},
}

// mm1 has one more experiment: with a deadline of three times the mean latency and work that goes
// on, the share of RPCs that miss it is that of the latencies above it.
func mm1(p params) []station {
	late := open(p.number("lambda"), exponential)
	late.label, late.metric = "deadline of 3 mean T", "prob_T_gt_3meanT"
	late.config.Clients[0].Timeout = time.Duration(3 / (1 - late.load) * float64(unit))
	return []station{open(p.number("lambda"), exponential), late}
}

func rooms(p params) []station {
	return just(open(p.number("lambda"), exponential).workers(p.integer("c"), p.integer("K")))
}

func lossSystems(p params) []station {
	c := p.integer("c")
	one := open(p.number("a"), exponential).workers(c, c)
	two := open(p.number("a"), "constant 1").workers(c, c)
	one.label, two.label = "exponential service", "constant service"
	return []station{one, two}
}

func deadlines(p params) []station {
	s := open(p.number("lambda"), exponential)
	s.load = min(s.load, 0.8) // those that wait long are dropped
	s.config.Clients[0].Timeout = time.Duration(p.number("queue_deadline") * float64(unit))
	s.config.Backends[0].OnExpired = models.DropExpired
	return just(s)
}

func stacked(s station) station { return s.served(models.PreemptiveLIFO) }

func callers(p params) []station {
	n, z, c := p.number("N"), p.number("Z"), p.number("c")
	s := open(min(c, n/(z+1)), exponential).workers(int(c), 0)
	s.config.Clients[0].Rate = 0
	s.config.Clients[0].Callers = int(n)
	s.config.Clients[0].Think = exponentialOf(z)
	s.load = min(s.load, 0.8)
	return just(s)
}

// spread is a station of n backends, exponential service and load rho.
func spread(p params, by policies.Policy) station {
	n := p.integer("n")
	return open(p.number("rho")*float64(n), exponential).to(n, by)
}

func constants(p params) []station {
	n := p.integer("n")
	one := open(p.number("rho")*float64(n), "constant 1").workers(n, 0)
	if n == 1 {
		return just(one)
	}
	two := open(p.number("rho")*float64(n), "constant 1").to(n, policies.RoundRobin{})
	one.label, two.label = "one backend of n workers", "round_robin over n backends"
	return []station{one, two}
}

func unequal(p params) []station {
	s := open(p.number("lambda"), exponential).to(5, policies.Random{})
	s.config.Backends = append(s.config.Backends, s.config.Backends[0])
	s.config.Backends[0].Speed = 2
	s.config.Backends[1].Name = "slow"
	s.load = 0.9 // of the slow ones
	return just(s)
}

// redundant sends each RPC to two backends; when one is done the other stops.
func redundant(p params) []station {
	s := open(p.number("rho")*p.number("n"), exponential).to(p.integer("n"), policies.RoundRobin{})
	s.config.Clients[0].Hedging = &serviceconfig.Hedging{MaxAttempts: p.integer("d")}
	s.config.Backends[0].OnCancel = models.StopCancelled
	return just(s)
}

func hedged(p params) []station {
	s := open(1, p.text("X")).endless()
	h := &serviceconfig.Hedging{MaxAttempts: 2}
	switch {
	case p.has("no hedge"):
		return just(s)
	case !p.has("two copies at once"):
		h.Delay = time.Duration(p.after("(d=") * float64(unit))
	}
	s.config.Clients[0].Hedging = h
	return just(s)
}

func retried(p params) []station {
	s := open(1, exponential).endless()
	s.config.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: p.integer("m"), InitialBackoff: time.Millisecond,
		MaxBackoff: time.Millisecond, Multiplier: 1, Codes: 1 << policies.Unavailable,
	}
	s.config.Failures = []models.Failure{failures.Errors{
		Backends: []string{"b"}, Ratio: p.number("p"), Code: policies.Unavailable.String(),
	}}
	return just(s)
}

// policyOf is the policy that the table describes.
func policyOf(p params) policies.Policy {
	switch {
	case p.has("round robin"):
		return policies.RoundRobin{}
	case p.has("2 distinct random servers"):
		return leastOf{2}
	case p.has("random ties"):
		return leastOf{}
	}
	panic("validation: no policy for " + string(p))
}

// supermarket needs fewer RPCs than one queue would: the mean over many scatters less. Near its
// fixed point the mean number m in a queue goes back at the rate dλ/dm, and with two choices
// m = Σ λ^(2ⁱ-1), whose derivative is 2/(1-λ) at most.
func supermarket(p params) []station {
	n, d := p.integer("n"), p.integer("d")
	var policy policies.Policy = policies.LeastRequest{ChoiceCount: uint32(d)}
	if p.has("distinct") {
		policy = leastOf{d}
	}
	s := open(p.number("lambda")*float64(n), exponential).to(n, policy)
	s.work, s.relax = 0.02, 2/(1-s.load)
	return just(s)
}
