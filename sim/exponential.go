package sim

// ExponentialQuantile returns the number below which an exponential variable of mean 1 falls with
// probability u, which is -log(1-u): 0 at u = 0, +Inf at u = 1, NaN beyond. Times another mean it
// serves an exponential variable of that mean.
func ExponentialQuantile(u float64) float64 {
	return -Log1p(-u)
}
