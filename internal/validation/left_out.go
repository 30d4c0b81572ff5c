package validation

// leftOut lists what theory knows and no experiment is made of, by family, and why.
var leftOut = []struct{ what, why string }{
	{"join the shortest queue, join an idle queue, two distinct choices, least work",
		"no policy does so: each client knows its own RPCs only, and least_request draws with " +
			"replacement"},
	{"mean field of d choices, n → ∞", "a limit; the values of 100 and 500 backends are there"},
	{"random with other weights than equal ones", "`random` has no weights"},
	{"patience that is exponential (Erlang A)", "a group of clients has one timeout"},
	{"priorities", "a backend knows none"},
	{"bursts, servers that speed up and slow down at random (modulated queues)",
		"rates are constant, and failures come when the file says"},
	{"stations in series", "a backend calls no other"},
	{"fan-out, fork and join", "an RPC goes to one backend"},
	{"copies to d of n > d, tied requests", "hedging takes what the policy picks, which may be " +
		"the same backend twice, and a backend that begins one copy does not stop the others"},
	{"hedging over a shifted mixture", "distributions have no shift"},
	{"quantiles and standard deviations of the wait, P(wait)",
		"latencies are recorded, waits only as a mean"},
	{"latency by size of the work", "the record does not part RPCs by their work"},
	{"quantiles within a percentage point of an atom (p50 of M/D/1 at load 0.5)",
		"they jump, so replications do not scatter around them"},
	{"means and p99.9 of M/G/1 with Pareto service, α = 2.5; lognormal with σ = 2",
		"the third moment is infinite or enormous: no affordable number of RPCs makes " +
			"replications scatter normally"},
	{"loads of 0.95 and above, but for M/M/1; preemptive LIFO at 0.9",
		"a billion RPCs and more for one interval of use"},
	{"probabilities of failure below 1e-4; M/D/50 at load 0.5, whose mean wait is 2.5e-7",
		"events so rare do not scatter normally over replications"},
	{"retry budgets, throttles, backoffs, weights, scores",
		"arithmetic without chance: tested where the code is"},
	{"ring hash, subsets, balls in bins", "nothing is simulated over time: tested in policies"},
	{"published figures of whole systems (C3, Prequal, Tail at Scale, Maglev)",
		"their loads and antagonists are not published to the figure: orders of magnitude at best"},
}
