package experiments

import (
	"fmt"
	"math"
	"time"

	"lbsim/models"
)

// offered is the load that clients offer at the end of a run, beside what the backends can do.
type offered struct {
	rate    float64 // RPCs per second of open loops that go on to the end of the run
	callers int     // of closed loops, whose rate is what the backends make of it
	// capacity is how many RPCs per second the backends can serve in health, however they are
	// spread: the sum of workers × speed ÷ mean service. Infinite where one serves in no time.
	capacity float64
}

// offeredLoad returns the load that an experiment offers, with the capacity of those backends of
// which counts says, by number, that they count; nil: of all.
func offeredLoad(c *models.Config, counts func(backend int) bool) offered {
	var o offered
	for i := range c.Clients {
		g := &c.Clients[i]
		each := float64(g.Rate) / float64(g.Count)
		end := math.Inf(1)
		if g.Requests > 0 {
			end = g.Start.Seconds() + float64(g.Requests)/each
		}
		if g.Start < c.Duration && end >= c.Duration.Seconds() {
			o.rate += float64(g.Rate)
		}
		o.callers += g.Count * g.Callers
	}
	number := 0
	for i := range c.Backends {
		g := &c.Backends[i]
		for range g.Count {
			if counts == nil || counts(number) {
				o.capacity += float64(g.Workers) * g.Speed / g.Service.Mean()
			}
			number++
		}
	}
	return o
}

// full says whether the open loops alone ask for all that the backends can do, or more.
func (o offered) full() bool { return o.rate > 0 && o.rate >= o.capacity*(1-1e-9) }

// String says it in a line: "offered 5000/s, capacity 5000/s: 100 %".
func (o offered) String() string {
	text := fmt.Sprintf("capacity %s/s", rateText(o.capacity))
	if math.IsInf(o.capacity, 1) {
		text = "capacity without bound"
	}
	switch {
	case o.rate > 0:
		text = fmt.Sprintf("offered %s/s, %s", rateText(o.rate), text)
		if o.capacity > 0 && !math.IsInf(o.capacity, 1) {
			text += fmt.Sprintf(": %s %%", percentText(100*o.rate/o.capacity))
		}
	case o.callers == 0:
		text = "nothing is offered at the end of the run, " + text
	}
	if o.callers > 0 {
		text += fmt.Sprintf("; %d callers in closed loops offer what the backends make of it",
			o.callers)
	}
	return text
}

// noSteadyState is what full load means.
const noSteadyState = "there is no steady state: unless deadlines or full queues turn RPCs away, " +
	"latencies grow with the length of the run"

// fullyBusy is the share of the time for which all workers must be busy to warn.
const fullyBusy = 0.99

// warnOfFullLoad warns where open loops ask for all that the backends can do, or where all workers
// were busy nearly all of the time. That queues grow without bound is said elsewhere.
func (m *Measures) warnOfFullLoad(v *runInfo) {
	used := func(i int) bool { return m.Backends[i].CapacityS > 0 || m.Backends[i].Attempts > 0 }
	o := offeredLoad(v.config, used)
	if m.unstable() || o.rate == 0 || o.capacity == 0 { // where nobody can be sent to, RPCs fail
		return
	}
	if o.full() {
		m.warn(FullLoad, "%v; %s", o, noSteadyState)
		return
	}
	least := 1.0
	for i := range m.Backends {
		if used(i) {
			least = min(least, m.Backends[i].Utilization)
		}
	}
	if groups := groupsOf(m); least > fullyBusy {
		of := "backends"
		if len(groups) == 1 {
			of = groups[0]
		}
		measured := v.config.Duration - v.config.Warmup
		m.warn(FullLoad, "all workers of %s were busy for at least %.1f %% of %v; %s", of,
			100*least, measured.Round(time.Millisecond), noSteadyState)
	}
}
