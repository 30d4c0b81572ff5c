package record

import (
	"math"
	"math/bits"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latency holds the distribution of a length of time in a histogram: a quantile lies within 0.1 %
// of the exact one. Mean, least and greatest are exact.
type Latency struct {
	hist  *hdrhistogram.Histogram
	sum   sum
	least int64
	most  int64
}

// sum is a sum of nanoseconds in 128 bits. 63 bits hold 292 years, and ten million RPCs of an
// overloaded run that wait for twenty minutes each are more.
type sum struct{ high, low uint64 }

func (s *sum) add(other sum) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, other.low, 0)
	s.high += other.high + carry
}

// mostLatency is the longest latency that the histogram resolves. A longer one counts as this.
const mostLatency = 1000 * time.Hour

func newLatency() *Latency {
	const digits = 3
	return &Latency{hist: hdrhistogram.New(1, int64(mostLatency), digits)}
}

func (l *Latency) add(d time.Duration) {
	v := min(int64(d), int64(mostLatency))
	if l.hist.RecordValue(v) != nil {
		panic("record: latency " + d.String() + " outside of the histogram")
	}
	if n := l.hist.TotalCount(); n == 1 || v < l.least {
		l.least = v
	}
	l.most = max(l.most, v)
	l.sum.add(sum{low: uint64(v)})
}

func (l *Latency) reset() {
	l.hist.Reset()
	l.sum, l.least, l.most = sum{}, 0, 0
}

// Count is how many were recorded.
func (l *Latency) Count() int64 { return l.hist.TotalCount() }

// Mean returns the mean, 0 where nothing was recorded.
func (l *Latency) Mean() time.Duration {
	if l.Count() == 0 {
		return 0
	}
	mean, _ := bits.Div64(l.sum.high, l.sum.low, uint64(l.Count()))
	return time.Duration(mean)
}

// Max returns the greatest, 0 where nothing was recorded.
func (l *Latency) Max() time.Duration { return time.Duration(l.most) }

// Quantile returns what a share q of the recorded does not exceed, 0 where nothing was recorded.
func (l *Latency) Quantile(q float64) time.Duration {
	v := l.hist.ValueAtQuantile(100 * q)
	return time.Duration(min(max(v, l.least), l.most))
}

// Never is the latency of an RPC that was never answered: longer than any.
const Never time.Duration = math.MaxInt64

// QuantileAmong returns what a share q of all does not exceed, where the recorded are those of all
// that were answered and the others never were: Never where fewer than q of all were answered. It
// is 0 where there are none at all.
func (l *Latency) QuantileAmong(all int64, q float64) time.Duration {
	if all == l.Count() {
		return l.Quantile(q)
	}
	rank := max(1, int64(float64(q*float64(all))+0.5))
	if rank > l.Count() {
		return Never
	}
	return l.Quantile(float64(rank) / float64(l.Count()))
}

// Shares returns for each of some lengths, in ascending order, which share of the recorded does not
// exceed it, 0 to 1: those within 0.1 % above it may be among them. Something must be recorded.
func (l *Latency) Shares(ascending []time.Duration) []float64 {
	shares := make([]float64, 0, len(ascending))
	below := int64(0)
	for _, bar := range l.hist.Distribution() {
		for len(shares) < len(ascending) && int64(ascending[len(shares)]) < bar.From {
			shares = append(shares, float64(below)/float64(l.Count()))
		}
		below += bar.Count
	}
	for len(shares) < len(ascending) {
		shares = append(shares, 1)
	}
	return shares
}

// Merge adds what other has recorded.
func (l *Latency) Merge(other *Latency) {
	if other.Count() == 0 {
		return
	}
	if l.Count() == 0 || other.least < l.least {
		l.least = other.least
	}
	l.hist.Merge(other.hist)
	l.sum.add(other.sum)
	l.most = max(l.most, other.most)
}
