package sim

// ExponentialQuantile returns the number below which an exponential variable of mean 1 falls with
// probability u, which is -log(1-u): 0 at u = 0, +Inf at u = 1, NaN beyond. Times another mean it
// serves an exponential variable of that mean.
func ExponentialQuantile(u float64) float64 {
	if y := 1 - u; y > 0 && u >= 0 && 1-y == u { // exact, as of every multiple of 2^-53
		return 0 - logParts(y, 0, 0)
	}
	return -Log1p(-u)
}
