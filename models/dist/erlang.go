package dist

// parseErlang makes a [Gamma] from a number of stages k and the mean of all or, as scale, of one.
func parseErlang(c call) (Distribution, error) {
	a, err := c.args()
	if err != nil {
		return nil, err
	}
	k := a.number("k", 1, maxGammaShape)
	if k != float64(int(k)) {
		a.fail("k must be a whole number (is %s)", numberText(k))
	}
	return newGamma(a, k)
}
