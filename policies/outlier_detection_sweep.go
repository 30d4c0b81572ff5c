package policies

import (
	"math"
	"slices"
	"time"

	"lbsim/sim"
)

// shortestInterval keeps the clock going where the options say 0.
const shortestInterval = time.Millisecond

func (o *outlierDetection) interval() time.Duration {
	return max(o.options.Interval, shortestInterval)
}

// nextInterval begins the first interval, or sets the timer of the present one, whose length may be
// another now.
func (o *outlierDetection) nextInterval() {
	left := o.interval()
	if o.running {
		left = max(0, left-o.Now().Sub(o.began))
	} else {
		o.running, o.began = true, o.Now()
		for _, e := range o.endpoints {
			e.now, e.last = outlierCount{}, outlierCount{}
		}
	}
	o.timer = o.AfterFunc(left, o.sweep)
}

// noIntervals ends the intervals and lets all endpoints back.
func (o *outlierDetection) noIntervals() {
	o.running = false
	for _, e := range o.endpoints {
		if e.ejected {
			o.letBack(e)
		}
		e.multiplier = 0
	}
	o.reportEjections()
}

func (o *outlierDetection) stopTimer() {
	if o.timer != nil {
		o.timer.Stop()
		o.timer = nil
	}
}

// sweep ends an interval: it ejects, lets back and begins the next.
func (o *outlierDetection) sweep() {
	o.began = o.Now()
	for _, e := range o.endpoints {
		e.last, e.now = e.now, outlierCount{}
	}
	if o.options.SuccessRateEjection != nil {
		o.bySuccessRate(o.options.SuccessRateEjection)
	}
	if o.options.FailurePercentageEjection != nil {
		o.byFailurePercentage(o.options.FailurePercentageEjection)
	}
	for _, e := range o.endpoints {
		if !e.ejected && e.multiplier > 0 {
			e.multiplier--
		}
	}
	for _, e := range o.matching(o.isOver) {
		o.letBack(e)
	}
	o.timer = o.AfterFunc(o.interval(), o.sweep)
	o.reportEjections()
}

// isOver reports whether the ejection of an endpoint is over.
func (o *outlierDetection) isOver(e *outlierEndpoint) bool {
	base := o.options.BaseEjectionTime
	length := min(sim.Times(int(e.multiplier), base), max(base, o.options.MaxEjectionTime))
	return e.ejected && o.Now().Sub(e.since) > length
}

// bySuccessRate ejects endpoints whose success rate is far below the mean.
func (o *outlierDetection) bySuccessRate(p *SuccessRateEjection) {
	n, least := o.leastRate(p)
	o.eject(n, p.MinimumHosts, p.EnforcementPercentage, func(e *outlierEndpoint) bool {
		return e.last.volume() >= p.RequestVolume && e.last.rate() < least
	})
}

// leastRate returns the number of endpoints that are compared, and the least success rate without
// an ejection. With a request volume of 0 and an endpoint without RPCs the rate is NaN, and no
// endpoint is ejected.
func (o *outlierDetection) leastRate(p *SuccessRateEjection) (n int, least float64) {
	sum, squares := 0.0, 0.0
	for _, e := range o.endpoints {
		if e.last.volume() >= p.RequestVolume {
			n++
			sum += e.last.rate()
		}
	}
	mean := sum / float64(n)
	for _, e := range o.endpoints {
		if e.last.volume() >= p.RequestVolume {
			d := e.last.rate() - mean
			squares += float64(d * d)
		}
	}
	deviation := math.Sqrt(squares / float64(n))
	return n, mean - float64(deviation*(float64(p.StdevFactor)/1000))
}

// byFailurePercentage ejects endpoints of whose RPCs too many fail.
func (o *outlierDetection) byFailurePercentage(p *FailurePercentageEjection) {
	n := 0
	for _, e := range o.endpoints {
		if e.last.volume() >= p.RequestVolume {
			n++
		}
	}
	o.eject(n, p.MinimumHosts, p.EnforcementPercentage, func(e *outlierEndpoint) bool {
		failed := float64(e.last.bad) / float64(e.last.volume()) * 100
		return e.last.volume() >= p.RequestVolume && failed > float64(p.Threshold)
	})
}

func (c outlierCount) volume() uint32 { return c.good + c.bad }

// rate is the share of RPCs that ended OK; NaN where there were none.
func (c outlierCount) rate() float64 { return float64(c.good) / float64(c.volume()) }

// eject ejects outliers, ejected already or not, as far as the limit and the enforcement percentage
// allow, if at least least endpoints were compared.
func (o *outlierDetection) eject(n int, least, percent uint32, out func(*outlierEndpoint) bool) {
	if n < int(least) {
		return
	}
	for _, e := range o.matching(out) {
		share := float64(o.ejected) / float64(len(o.endpoints)) * 100
		if share >= float64(o.options.MaxEjectionPercent) || uint32(o.draw()) >= percent {
			continue
		}
		o.ejected++
		e.ejected, e.since = true, o.began
		e.multiplier++
		for _, sc := range e.subConns {
			o.changes = append(o.changes, ejectionChange{sc, true})
		}
	}
}

func (o *outlierDetection) letBack(e *outlierEndpoint) {
	o.ejected--
	e.ejected = false
	for _, sc := range e.subConns {
		o.changes = append(o.changes, ejectionChange{sc, false})
	}
}

// matching returns the endpoints for which are returns true.
func (o *outlierDetection) matching(are func(*outlierEndpoint) bool) (some []*outlierEndpoint) {
	for _, e := range o.endpoints {
		if are(e) {
			some = append(some, e)
		}
	}
	if o.decider != nil {
		o.reorder(some)
	}
	return some
}

// reorder puts endpoints into the order that the decider wants.
func (o *outlierDetection) reorder(some []*outlierEndpoint) {
	ids := make([]int32, len(some))
	for i, e := range some {
		ids[i] = e.id
	}
	o.decider.OrderEjections(ids)
	slices.SortFunc(some, func(a, b *outlierEndpoint) int {
		return slices.Index(ids, a.id) - slices.Index(ids, b.id)
	})
}

// draw returns a number of [0, 100).
func (o *outlierDetection) draw() int {
	if o.decider != nil {
		return o.decider.DrawEjection()
	}
	return o.Rand().IntN(100)
}
