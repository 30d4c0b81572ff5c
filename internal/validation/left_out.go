package validation

// notExpressible lists the values of the reference that have no experiment and so are not in the
// table: what they are, how many, and why.
var notExpressible = []struct {
	what   string
	values int
	why    string
}{
	{"P(wait), quantiles and standard deviations of the wait, standard deviations of T, roots σ",
		485, "the record keeps latencies in a histogram and waits as a mean only"},
	{"mean field of d choices (n → ∞) and its expansion in 1/n", 371,
		"limits; the values of 3, 4, 100 and 500 backends are compared"},
	{"ring hash, Maglev, subsets, balls in bins, round_robin from a random start", 302,
		"nothing happens over time: what lbsim has of it is tested in `policies`"},
	{"join an idle queue", 165, "no such policy"},
	{"retry budgets, throttles, backoffs, weights, scores", 91,
		"arithmetic without chance: what lbsim has of it is tested where the code is"},
	{"planning and statistics: run lengths, relaxation times, ranks, t quantiles, buckets", 78,
		"nothing that a run could estimate"},
	{"least remaining work", 72, "no such policy: none knows the work that is to come"},
	{"fan-out, fork and join; with it The Tail at Scale's 63 % and one in five", 58,
		"an RPC goes to one backend"},
	{"hedging over, and Linkerd's scenario with, a shifted exponential service time", 57,
		"distributions have no shift"},
	{"round_robin over n backends at load 0.95", 55,
		"20 million RPCs for each of eleven n, for a formula that 56 other systems compare"},
	{"copies to d of n > d or to all of 10, without cancelling, or cancelled when one begins", 38,
		"a hedge goes where the policy picks, maybe to the same backend; at most 5 attempts; and " +
			"a backend that begins one copy does not stop the others"},
	{"rates that go up and down by themselves (modulated queues)", 15,
		"failures come when the file says"},
	{"retries to other servers of systems that reject, n → ∞; retries in layers", 13,
		"a limit; a backend calls no other"},
	{"T by size of the work (processor sharing)", 12,
		"the record does not part RPCs by their work"},
	{"priorities", 8, "a backend knows none"},
	{"random by weights", 8, "`random` has no weights"},
	{"patience that is exponential (Erlang A)", 6, "a group of clients has one timeout"},
	{"stations in series", 4, "a backend calls no other"},
	{"random over unequal backends beyond capacity", 1, "infinite"},
}

// NotExpressible returns how many values of the reference have no experiment.
func NotExpressible() (n int) {
	for _, g := range notExpressible {
		n += g.values
	}
	return n
}

// others lists where the values of the other comparisons are.
const others = `## Published tables

- Mitzenmacher (IEEE TPDS 12(10), 2001), 100 queues: his systems are the rows of ` +
	"`mc_supermarket`" + ` with
  distinct servers. His table prints means of simulations without intervals; so what is
  compared is another simulation of the same systems, whose interval is known.
- Dean and Barroso (CACM 56(2), 2013): the gain of hedging at the p95 is in ` +
	"`hedge_independent`" + `. Their
  benchmarks, and those of C3, Prequal and Maglev, have loads that are not published.

## Against grpc-go

What lbsim takes from grpc-go is compared with grpc-go itself, event by event and pick by pick:
see [conformance.md](conformance.md).`
