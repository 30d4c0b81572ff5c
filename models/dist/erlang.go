package dist

var erlangKind = Kind{
	Doc: "the sum of k exponential stages, each of mean scale: gamma with a whole shape",
	Forms: []string{
		"erlang(k=3, mean=10ms)",
		"erlang(k=3, scale=2ms)",
	},
	Parse: parseErlang,
}

// parseErlang makes a [Gamma] from a number of stages k and the mean of all or, as scale, of one.
func parseErlang(c Call) (Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	k := a.Number("k", 1, maxGammaShape)
	if k != float64(int(k)) {
		a.Failf("k must be a whole number (is %s)", numberText(k))
	}
	return newGamma(a, k)
}
