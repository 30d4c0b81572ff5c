package record

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lbsim/sim"
)

// shapes are ways in which latencies are spread.
var shapes = []struct {
	name string
	draw func(r *rand.Rand) time.Duration
}{
	{"exponential, 10ms", func(r *rand.Rand) time.Duration {
		return time.Duration(r.ExpFloat64() * 1e7)
	}},
	{"lognormal over nine decades", func(r *rand.Rand) time.Duration {
		return time.Duration(math.Exp(3*r.NormFloat64()) * 1e6)
	}},
	{"few nanoseconds", func(r *rand.Rand) time.Duration { return time.Duration(r.IntN(20)) }},
	{"all equal", func(*rand.Rand) time.Duration { return 12_345_678 }},
	{"two values far apart", func(r *rand.Rand) time.Duration {
		return time.Duration(1+r.IntN(2)*1_000_003) * time.Microsecond
	}},
	{"up to the longest", func(r *rand.Rand) time.Duration {
		return time.Duration(r.Int64N(int64(mostLatency)))
	}},
}

// A histogram beside the sorted latencies. A quantile is the latency of the nearest rank, n q, and
// 3 digits mean that a bucket is at most 1/1024 wide: within 0.1 %, and never below.
func TestLatencyBesideSortedLatencies(t *testing.T) {
	for i, shape := range shapes {
		for _, n := range []int{1, 2, 3, 10, 1000, 20_000} {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			l := newLatency()
			var sorted []time.Duration
			var sum float64
			for range n {
				d := shape.draw(r)
				l.add(d)
				sorted = append(sorted, d)
				sum += float64(d)
			}
			slices.Sort(sorted)
			if got := l.Count(); got != int64(n) {
				t.Errorf("%s, %d drawn: count %d", shape.name, n, got)
			}
			if got, want := l.Mean(), sum/float64(n); math.Abs(float64(got)-want) > 1+want*1e-12 {
				t.Errorf("%s, %d drawn: mean %d ns, want %.1f", shape.name, n, got, want)
			}
			if got := l.Max(); got != sorted[n-1] {
				t.Errorf("%s, %d drawn: max %v, want %v", shape.name, n, got, sorted[n-1])
			}
			for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.99, 0.999, 1} {
				rank := min(max(int(q*float64(n)+0.5), 1), n)
				want := sorted[rank-1]
				got := l.Quantile(q)
				if got < want || float64(got) > float64(want)*1.001 {
					t.Errorf("%s, %d drawn: quantile %v is %v, want %v to 0.1 %% more",
						shape.name, n, q, got, want)
				}
			}
		}
	}
}

// The share of the latencies up to some length beside the sorted ones: those in the same bucket, up
// to 0.1 % above, may be counted too, and none that is further above or below is missed.
func TestSharesBesideSortedLatencies(t *testing.T) {
	for i, shape := range shapes {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		l := newLatency()
		var sorted []time.Duration
		for range 20_000 {
			d := shape.draw(r)
			l.add(d)
			sorted = append(sorted, d)
		}
		slices.Sort(sorted)
		ascending := []time.Duration{0, sorted[0], sorted[100], sorted[10_000], sorted[19_980],
			sorted[19_999], sorted[19_999] * 2}
		upTo := func(d float64) float64 {
			n, _ := slices.BinarySearchFunc(sorted, d, func(x time.Duration, d float64) int {
				if float64(x) <= d {
					return -1
				}
				return 1
			})
			return float64(n) / 20_000
		}
		for i, got := range l.Shares(ascending) {
			d := float64(ascending[i])
			if least, most := upTo(d), upTo(d*1.001); got < least || got > most {
				t.Errorf("%s: up to %v: %v, want %v to %v",
					shape.name, ascending[i], got, least, most)
			}
		}
	}
}

func TestMergedLatenciesAreThoseOfBoth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][2]int{{1000, 10}, {10, 1000}, {0, 5}, {5, 0}, {0, 0}} {
		both, one, two := newLatency(), newLatency(), newLatency()
		for i, l := range []*Latency{one, two} {
			for range sizes[i] {
				d := shapes[i].draw(r)
				l.add(d)
				both.add(d)
			}
		}
		one.Merge(two)
		if one.Count() != both.Count() || one.Mean() != both.Mean() || one.Max() != both.Max() {
			t.Errorf("%v merged: count %d, mean %v, max %v, want %d, %v, %v", sizes, one.Count(),
				one.Mean(), one.Max(), both.Count(), both.Mean(), both.Max())
		}
		for q := range 101 {
			share := float64(q) / 100
			if got, want := one.Quantile(share), both.Quantile(share); got != want {
				t.Errorf("%v merged: quantile %d %% is %v, want %v", sizes, q, got, want)
			}
		}
	}
}

func TestNoLatencies(t *testing.T) {
	l := newLatency()
	if l.Count() != 0 || l.Mean() != 0 || l.Max() != 0 || l.Quantile(0.5) != 0 {
		t.Errorf("empty: count %d, mean %v, max %v, median %v, want 0",
			l.Count(), l.Mean(), l.Max(), l.Quantile(0.5))
	}
	l.add(time.Second)
	l.reset()
	l.add(time.Millisecond)
	if l.Count() != 1 || l.Mean() != time.Millisecond || l.Quantile(1) != time.Millisecond {
		t.Errorf("reset, then 1ms: count %d, mean %v, max %v", l.Count(), l.Mean(), l.Quantile(1))
	}
}

// What is longer than a run can be counts as the longest that the histogram resolves.
func TestTheLongestLatency(t *testing.T) {
	l := newLatency()
	l.add(math.MaxInt64)
	if l.Max() != mostLatency || l.Quantile(0.5) != mostLatency || l.Mean() != mostLatency {
		t.Errorf("longest: max %v, median %v, mean %v, want %v",
			l.Max(), l.Quantile(0.5), l.Mean(), mostLatency)
	}
}

func TestRecordingDoesNotAllocate(t *testing.T) {
	r := NewRecorder([]int{1}, 2, 0, 0, time.Hour)
	var now = int64(0)
	n := testing.AllocsPerRun(1000, func() {
		now += 1000
		r.Begin(0)
		r.Loads[0].Add(0, 1)
		r.Loads[0].Add(0, -1)
		r.End(1_000_000, 0, 1, uint8(now/1000%2), 0)
	})
	if n != 0 {
		t.Errorf("%v allocations for an RPC, want 0", n)
	}
}

// BenchmarkRecord is the end of an RPC: its latency goes into the histograms of the run and of the
// series.
func BenchmarkRecord(b *testing.B) {
	r := NewRecorder([]int{1}, 1, 0, 0, time.Second)
	now := sim.Time(0)
	for b.Loop() {
		now += sim.Time(time.Millisecond)
		r.Begin(now)
		r.End(now, now-now%sim.Time(100*time.Millisecond), 1, 0, 0)
	}
}

// Of n RPCs some were answered, after 1, 2, 3 ms and so on; the others never were. The quantile is
// the latency of the RPC of the nearest rank, n q, if so many were answered.
func TestQuantilesAmongRPCsThatWereNeverAnswered(t *testing.T) {
	for _, row := range []struct {
		answered, all int64
		q             float64
		want          time.Duration
	}{
		{100, 100, 0.9, 90 * time.Millisecond},
		{90, 100, 0.9, 90 * time.Millisecond}, // the slowest that was answered
		{89, 100, 0.9, Never},
		{90, 100, 0.91, Never},
		{90, 100, 0.5, 50 * time.Millisecond},
		{1, 100, 0, time.Millisecond},
		{1, 100, 0.01, time.Millisecond},
		{1, 100, 0.02, Never},
		{0, 100, 0, Never},
		{100, 100, 1, 100 * time.Millisecond},
		{99, 100, 1, Never},
		{0, 0, 0.5, 0},
	} {
		l := newLatency()
		for i := range row.answered {
			l.add(time.Duration(i+1) * time.Millisecond)
		}
		got := l.QuantileAmong(row.all, row.q)
		if got != row.want && (got < row.want || float64(got) > float64(row.want)*1.001) {
			t.Errorf("%d of %d answered: quantile %v is %v, want %v",
				row.answered, row.all, row.q, got, row.want)
		}
	}
}

// Where all were answered the quantile among all is that of the recorded, to the nanosecond.
func TestQuantilesAmongAllThatWereAnswered(t *testing.T) {
	for i, shape := range shapes {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		l := newLatency()
		for n := int64(1); n <= 3000; n++ {
			l.add(shape.draw(r))
			for _, q := range []float64{0, 0.04, 0.5, 0.9, 0.955, 0.99, 0.999} {
				if got, want := l.QuantileAmong(n, q), l.Quantile(q); n%7 == 0 && got != want {
					t.Fatalf("%s, %d drawn: quantile %v is %v, want %v",
						shape.name, n, q, got, want)
				}
			}
		}
	}
}
