package dist

// Entry describes a kind of distribution.
type Entry struct {
	Name    string
	Aliases []string // other names for it in a text

	// Forms are the ways to write it, one example each, all of which parse. They decide which
	// parameters belong together, and the order in which String writes them. A percentile such as
	// p99 stands for any other.
	Forms []string
	Doc   string // what it is good for, in one line

	parse func(c call) (Distribution, error)
}

// Catalog lists all kinds, sorted by name. A new kind is one file and one entry here.
func Catalog() []Entry {
	return []Entry{
		{Name: "constant", parse: parseConstant,
			Doc:   "always the same; may be written as the bare duration",
			Forms: []string{"constant(10ms)"}},
		{Name: "erlang", parse: parseErlang,
			Doc:   "the sum of k exponential stages, each of mean scale: gamma with a whole shape",
			Forms: []string{"erlang(k=3, mean=10ms)", "erlang(k=3, scale=2ms)"}},
		{Name: "exponential", Aliases: []string{"exp"}, parse: parseExponential,
			Doc:   "without memory: the textbook's service and the time between random arrivals",
			Forms: []string{"exponential(mean=10ms)", "exponential(p99=40ms)"}},
		{Name: "file", parse: parseFile,
			Doc:   "measured durations: a line each with unit, or the JSON report of a ghz run",
			Forms: []string{"file(latencies.csv)"}},
		{Name: "gamma", parse: parseGamma,
			Doc:   "between erlang's: steadier than exponential for shape > 1, wilder below",
			Forms: []string{"gamma(shape=2, mean=10ms)", "gamma(shape=0.5, scale=5ms)"}},
		{Name: "lognormal", parse: parseLognormal,
			Doc: "a product of many small factors: the usual fit to measured latencies",
			Forms: []string{"lognormal(p50=5ms, p99=40ms)", "lognormal(median=5ms, sigma=0.5)",
				"lognormal(mean=10ms, sigma=1)", "lognormal(mean=10ms, cv=1.5)"}},
		{Name: "mixture", Aliases: []string{"mix"}, parse: parseMixture,
			Doc:   "one of several distributions, each with a weight; the weights sum to 1",
			Forms: []string{"mixture(0.9 exponential(mean=5ms), 0.1 exponential(mean=80ms))"}},
		{Name: "pareto", parse: parsePareto,
			Doc: "a power law: no finite variance for alpha <= 2, no mean for alpha <= 1",
			Forms: []string{"pareto(alpha=1.5, min=1ms)", "pareto(alpha=2.5, mean=10ms)",
				"pareto(p50=5ms, p99=40ms)"}},
		{Name: "uniform", parse: parseUniform,
			Doc:   "anything from min to max, equally likely",
			Forms: []string{"uniform(min=1ms, max=3ms)"}},
		{Name: "weibull", parse: parseWeibull,
			Doc: "heavy tail for shape < 1, exponential at 1, bell above",
			Forms: []string{"weibull(shape=0.5, scale=10ms)", "weibull(shape=2, mean=10ms)",
				"weibull(p50=5ms, p99=40ms)"}},
	}
}

// find returns the entry with this name or alias.
func find(name string) (Entry, bool) {
	for _, e := range Catalog() {
		if e.Name == name {
			return e, true
		}
		for _, alias := range e.Aliases {
			if alias == name {
				return e, true
			}
		}
	}
	return Entry{}, false
}
