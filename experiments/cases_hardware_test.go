package experiments_test

import (
	"testing"

	"lbsim/experiments/runner"
)

// Cases from the world, with what was seen there as pass conditions: those about backends that
// differ in what they can do.

// busiest is the utilisation of the busiest backend over the mean.
func busiest(v runner.Variant) float64 {
	most, sum, n := 0., 0., 0.
	for _, b := range runOf(v).Backends {
		most, sum, n = max(most, b.Utilization), sum+b.Utilization, n+1
	}
	return most * n / sum
}

func TestC15MixedHardware(t *testing.T) {
	// With equal counts an old backend is busier than the mean by 1/((1+0.587)/2); over so few
	// seconds the busiest of 50 is one or two percent above that.
	const equal, noise = 1.26, 0.02
	// From the 30th second on the busiest is at most 5 % above the mean.
	const even = 0.05
	stock := []string{"backends.old.min_reporting_interval=30s",
		"backends.new.min_reporting_interval=30s"}
	for _, row := range []struct {
		name            string
		policy          int // of the file
		set             []string
		from, to        string // what is measured
		want, tolerance float64
	}{
		{"equal counts", 0, nil, "30s", "60s", equal, noise},
		{"replies, in the blackout", 1, nil, "0s", "10s", equal, noise},
		{"replies", 1, nil, "30s", "60s", 1, even},
		// The report of the first moment is empty. That of 10 s begins the blackout.
		{"out of band, in the blackout", 2, nil, "0s", "20s", equal, noise},
		{"out of band", 2, nil, "30s", "60s", 1, even},
		// A stock grpc-go server sends the next after 30 s.
		{"out of band, stock server, in the blackout", 2, stock, "0s", "40s", equal, noise},
		{"out of band, stock server", 2, stock, "45s", "60s", 1, even},
		{"out of band, from backends that only reply", 2,
			[]string{"backends.old.load_report=per_call", "backends.new.load_report=per_call"},
			"30s", "60s", equal, noise},
	} {
		set := append(row.set, "seeds=2", "warmup="+row.from, "duration="+row.to)
		for _, v := range variants(t, "c15-mixed-hardware", set...)[2*row.policy:][:2] {
			near(t, row.name+": the busiest over the mean", busiest(v), row.want, row.tolerance)
		}
	}
}
