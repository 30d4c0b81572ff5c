package policies_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

type (
	config      = policies.OutlierDetection
	successRate = policies.SuccessRateEjection
	share       = policies.FailurePercentageEjection
)

// outlierRun is an outlier_detection with round_robin over n endpoints, "0" to n-1, all READY.
type outlierRun struct {
	*policytest.Host
	policy config
	n      int
}

func newOutlierRun(p config, n int) *outlierRun {
	p.Child = policies.RoundRobin{}
	return &outlierRun{readyHost(p, n, 1), p, n}
}

// knows returns what the balancer knows.
func (r *outlierRun) knows() policies.Outliers { return policies.OutliersOf(r.Balancer) }

// outlierCount is how many RPCs of an endpoint end well and how many do not.
type outlierCount struct{ good, bad int }

// sweep lets RPCs of each endpoint end, and the interval with them.
func (r *outlierRun) sweep(counts ...outlierCount) {
	failed := &policies.Status{Code: policies.Internal}
	for i, c := range counts {
		sc := r.SubConn(strconv.Itoa(i))
		for range c.good {
			r.Picker.Done(policies.Send(sc), policies.Outcome{})
		}
		for range c.bad {
			r.Picker.Done(policies.Send(sc), policies.Outcome{Status: failed})
		}
	}
	r.Advance(r.policy.Interval)
}

// picked says which endpoints the picker has now, in order.
func (r *outlierRun) picked() string {
	var seen []string
	for range 2 * r.n {
		if p := r.Pick(); p.Verdict == policies.Sent {
			seen = append(seen, p.String())
		}
	}
	slices.Sort(seen)
	return strings.Join(slices.Compact(seen), " ")
}

// change brings new options with the list as it is.
func (r *outlierRun) change(f func(p *config)) {
	f(&r.policy)
	var names []string
	for i := range r.n {
		names = append(names, strconv.Itoa(i))
	}
	list := r.Endpoints(names...)
	if err := r.Update(policies.State{Endpoints: list, Policy: r.policy}); err != nil {
		panic(err)
	}
}

// enforced are the defaults with one or both ejections, over round_robin.
func enforced(s *successRate, f *share) config {
	p := policies.Catalog["outlier_detection"].(config)
	p.Child = policies.RoundRobin{}
	p.SuccessRateEjection, p.FailurePercentageEjection = s, f
	return p
}

// Rows of grpc-go's tests: who is ejected after one sweep. All have request_volume RPCs or more.
func TestOutlierDetectionEjects(t *testing.T) {
	good, bad := outlierCount{5, 0}, outlierCount{0, 5}
	failures := func(enforcement, percent uint32) config {
		p := enforced(nil, &share{50, enforcement, 3, 3})
		p.MaxEjectionPercent = percent
		return p
	}
	rate := func(factor, percent uint32) config {
		p := enforced(&successRate{factor, 100, 3, 3}, nil)
		p.MaxEjectionPercent = percent
		return p
	}
	for _, row := range []struct {
		name   string
		p      config
		counts []outlierCount
		left   string
	}{
		{"failure percentage", failures(100, 10), []outlierCount{good, good, bad}, "0 1"},
		{"nobody fails", failures(100, 10), []outlierCount{good, good, good}, "0 1 2"},
		{"not enforced", failures(0, 10), []outlierCount{good, good, bad}, "0 1 2"},
		{"nobody may be ejected", failures(100, 0), []outlierCount{good, good, bad}, "0 1 2"},
		{"exactly the threshold", failures(100, 100),
			[]outlierCount{good, {2, 2}, {1, 2}}, "0 1"},
		{"too few hosts with volume", failures(100, 100), []outlierCount{good, {2, 0}, bad},
			"0 1 2"},
		{"no RPC, and none asked for", enforced(nil, &share{50, 100, 0, 0}),
			[]outlierCount{{}, bad}, "0"},
		{"two may be", failures(100, 34), []outlierCount{bad, bad, bad}, "2"},
		{"success rate", rate(500, 10), []outlierCount{good, good, bad}, "0 1"},
		{"all alike", rate(1900, 100), []outlierCount{good, good, good}, "0 1 2"},
		{"success rate, far off", rate(1900, 10), []outlierCount{good, good, bad}, "0 1 2"},
		{"1 1 1 0", rate(1900, 10), []outlierCount{good, good, good, bad}, "0 1 2 3"},
		{"1 1 1 1 0", rate(1900, 10), []outlierCount{good, good, good, good, bad}, "0 1 2 3"},
		{"1 1 1 1 .9", rate(1900, 10), []outlierCount{{10, 0}, {10, 0}, {10, 0}, {10, 0}, {9, 1}},
			"0 1 2 3"},
		{"nine 1 and one 0", rate(1900, 10),
			[]outlierCount{good, good, good, good, good, good, good, good, good, bad},
			"0 1 2 3 4 5 6 7 8"},
		{"an idle host makes the mean no number", enforced(&successRate{500, 100, 3, 0},
			nil), []outlierCount{good, {}, bad}, "0 1 2"},
		{"who has too few RPCs is not compared", rate(500, 100),
			[]outlierCount{good, good, bad, {0, 2}}, "0 1 3"},
	} {
		r := newOutlierRun(row.p, len(row.counts))
		r.sweep(row.counts...)
		if got := r.picked(); got != row.left {
			t.Errorf("%s: picks %s, want %s", row.name, got, row.left)
		}
	}
}

// The success rate that endpoints must have, as in grpc-go, of these rates in thousandths.
func TestOutlierDetectionLeastRate(t *testing.T) {
	for _, row := range []struct {
		rates []int
		least float64
	}{
		{[]int{1000, 1000, 0}, -.229},
		{[]int{1000, 1000, 1000, 0}, -.0727},
		{[]int{1000, 1000, 1000, 1000, 0}, .04},
		{[]int{1000, 1000, 1000, 1000, 900}, .904},
		{[]int{1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 0}, .33},
	} {
		r := newOutlierRun(enforced(nil, new(share)), len(row.rates))
		var counts []outlierCount
		for _, g := range row.rates {
			counts = append(counts, outlierCount{g, 1000 - g})
		}
		r.sweep(counts...)
		least := policies.LeastRate(r.Balancer, &successRate{1900, 0, 0, 1})
		if d := least - row.least; d < -.0005 || d > .0005 {
			t.Errorf("rates %v: least %v, want %v", row.rates, least, row.least)
		}
	}
}

// Both algorithms count an ejection, ejected or not; a return gives back one, a removal none.
func TestOutlierDetectionCountDrifts(t *testing.T) {
	p := enforced(&successRate{1900, 100, 5, 5}, &share{50, 100, 5, 5})
	p.MaxEjectionPercent, p.BaseEjectionTime = 100, 5*time.Second
	r := newOutlierRun(p, 10)
	failing := slices.Repeat([]outlierCount{{5, 0}}, 10)
	failing[0] = outlierCount{0, 5}
	for i, row := range []struct {
		counts     []outlierCount
		ejected    int
		multiplier int64
	}{
		{failing, 2, 2}, // 10 s
		{failing, 4, 4}, // late RPCs; until 40 s
		{nil, 4, 4},
		{nil, 4, 4}, // not after 40 s
		{nil, 3, 4},
		{nil, 3, 3},
		{nil, 3, 2},
		{failing, 5, 4},
	} {
		r.sweep(row.counts...)
		if o := r.knows(); o.Ejected != row.ejected || o.Multiplier != row.multiplier {
			t.Errorf("sweep %d: %d ejected, multiplier %d, want %d and %d", i+1, o.Ejected,
				o.Multiplier, row.ejected, row.multiplier)
		}
	}
	rest := r.Endpoints("1", "2", "3", "4", "5", "6", "7", "8", "9")
	err := r.Resolve(rest...)
	if o := r.knows(); err != nil || o.Ejected != 5 || o.Endpoints != 9 {
		t.Errorf("without the endpoint %d of %d are ejected, want 5 of 9", o.Ejected, o.Endpoints)
	}
}

// A new interval counts from where the present one began.
func TestOutlierDetectionIntervalChanges(t *testing.T) {
	r := newOutlierRun(enforced(nil, &share{50, 0, 5, 50}), 1)
	interval := func(d time.Duration) {
		r.change(func(p *config) { p.Interval = d })
	}
	var began []string
	for range 40 {
		r.Advance(500 * time.Millisecond)
		switch r.Now() {
		case 5e9:
			interval(9 * time.Second)
		case 12e9:
			interval(2 * time.Second) // over already: at once
		}
		if s := fmt.Sprint(r.knows().Began); !slices.Contains(began, s) {
			began = append(began, s)
		}
	}
	const want = "0s 9s 12s 14s 16s 18s 20s"
	if got := strings.Join(began, " "); got != want {
		t.Errorf("intervals begin at %s, want %s", got, want)
	}
	r.change(func(p *config) { p.FailurePercentageEjection = nil })
	if n := r.Pending(); n > 0 {
		t.Errorf("%d timers are left without an ejection, want none", n)
	}
}

// For how long the first, second … ejection lasts, with sweeps of 10 s: strictly more than the
// time, which is 30 s times the number, at most 100 s or the base.
func TestOutlierDetectionEjectionTimes(t *testing.T) {
	for _, row := range []struct {
		base, most time.Duration
		want       string
	}{
		{30 * time.Second, 100 * time.Second, "40s 1m10s 1m40s 1m50s 1m50s"},
		{30 * time.Second, 0, "40s 40s 40s 40s 40s"},
		{25 * time.Second, 300 * time.Second, "30s 1m0s 1m20s 1m50s 2m10s"},
		{0, 0, "10s 10s 10s 10s 10s"},
	} {
		p := enforced(nil, &share{50, 100, 1, 5})
		p.BaseEjectionTime, p.MaxEjectionTime = row.base, row.most
		r := newOutlierRun(p, 1)
		var got []string
		for range 5 {
			r.sweep(outlierCount{0, 5})
			since := r.Now()
			for r.knows().FirstEjected {
				r.sweep()
			}
			got = append(got, r.Now().Sub(since).String())
		}
		if s := strings.Join(got, " "); s != row.want {
			t.Errorf("base %v, at most %v: ejected for %s, want %s", row.base, row.most, s,
				row.want)
		}
	}
}

// Of many outliers with an enforcement of 30 % about that many are ejected: of 2000 draws 600, ±82
// are 4 standard deviations.
func TestOutlierDetectionEnforcement(t *testing.T) {
	p := enforced(nil, &share{50, 30, 1, 5})
	p.MaxEjectionPercent = 100
	r := newOutlierRun(p, 2000)
	r.sweep(slices.Repeat([]outlierCount{{0, 5}}, 2000)...)
	if n := r.knows().Ejected; n < 600-82 || n > 600+82 {
		t.Errorf("%d of 2000 are ejected, want 600 ± 82", n)
	}
}

// An endpoint is ejected with all its addresses; with other addresses it is another endpoint.
func TestOutlierDetectionIsByEndpoint(t *testing.T) {
	playAll(t, "outlier_detection child=round_robin\nfailure_percentage_ejection = "+
		"{enforcement_percentage = 100, minimum_hosts = 1, request_volume = 5}", []step{
		{"resolve e=(bad,good) c", "new bad; connect bad; new c; connect c; report CONNECTING"},
		{"subconn bad READY", "report READY"},
		{"subconn c READY", "report READY"},
		{"serve 20 failing=bad", "bad 10, c 10"},
		{"advance 10s", "at 10s: report READY"},
		{"subconn bad IDLE", "report READY; report READY; connect bad"},
		{"fail bad", "new good; connect good"},
		{"subconn good READY", "shutdown bad"},
		{"serve 20", "c 20"},
		{"resolve e=(good,better) c", "new good#2; connect good#2; shutdown good; report READY"},
		{"subconn good#2 READY", "report READY"},
		{"serve 20", "c 10, good#2 10"},
	})
}
