package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"lbsim/sim"
)

func TestStudent95(t *testing.T) {
	for degrees := 1; degrees <= 2000; degrees++ {
		want := distuv.StudentsT{Sigma: 1, Nu: float64(degrees)}.Quantile(0.975)
		if got := student95(degrees); math.Abs(got-want) > 1e-6*want {
			t.Errorf("with %d degrees of freedom: got %.9f, want %.9f", degrees, got, want)
		}
	}
}

// Of intervals at 95 % about 95 % hold the true mean. 10,000 intervals of 5 values each: how many
// hold it is binomial with a standard deviation of 22, of which 4 are allowed.
func TestIntervalsHoldTheMean(t *testing.T) {
	r := sim.NewRand(1, "intervals")
	held := 0
	for range 10000 {
		values := make([]float64, 5)
		for i := range values {
			values[i] = 3 + sim.NormalQuantile(r.Unit())
		}
		if v := IntervalOf(values); math.Abs(v.Mean-3) <= v.Half {
			held++
		}
	}
	if held < 9500-88 || held > 9500+88 {
		t.Errorf("%d of 10000 intervals hold the mean, want 9500 ± 88", held)
	}
}

func TestIntervalOfOneRun(t *testing.T) {
	v := IntervalOf([]float64{7})
	if v.Mean != 7 || !math.IsNaN(v.Half) || v.Runs != 1 {
		t.Errorf("got %+v, want a mean of 7 and no width", v)
	}
}
