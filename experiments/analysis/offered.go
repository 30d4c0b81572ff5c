package analysis

import (
	"fmt"
	"math"
	"time"

	"lbsim/internal/numtext"
	"lbsim/models"
)

// Load is the offered load at the end of a run, with the capacity of the backends.
type Load struct {
	Rate    float64 // RPCs per second of open loops that go on to the end of the run
	Callers int     // of closed loops, whose rate depends on the backends
	// Capacity is the service rate of all backends without failures, in RPCs per second: the sum of
	// workers × speed ÷ mean service time. It is infinite if one serves in no time.
	Capacity float64
}

// OfferedLoad returns the offered load of an experiment, with the capacity of the backends for
// which counts returns true; nil for all.
func OfferedLoad(c *models.Config, counts func(backend int) bool) Load {
	var load Load
	for i := range c.Clients {
		g := &c.Clients[i]
		each := float64(g.Rate) / float64(g.Count)
		end := math.Inf(1)
		if g.Requests > 0 {
			end = g.Start.Seconds() + float64(g.Requests)/each
		}
		if g.Start < c.Duration && end >= c.Duration.Seconds() {
			load.Rate += float64(g.Rate)
		}
		load.Callers += g.Count * g.Callers
	}
	number := 0
	for i := range c.Backends {
		g := &c.Backends[i]
		for range g.Count {
			if counts == nil || counts(number) {
				load.Capacity += float64(g.Workers) * g.Speed / g.Service.Mean()
			}
			number++
		}
	}
	return load
}

// Full reports whether the open loops alone offer the capacity or more.
func (l Load) Full() bool { return l.Rate > 0 && l.Rate >= l.Capacity*(1-1e-9) }

// String returns the load as a line: "offered 5000/s, capacity 5000/s: 100 %".
func (l Load) String() string {
	text := fmt.Sprintf("capacity %s/s", numtext.Rate(l.Capacity))
	if math.IsInf(l.Capacity, 1) {
		text = "capacity without bound"
	}
	switch {
	case l.Rate > 0:
		text = fmt.Sprintf("offered %s/s, %s", numtext.Rate(l.Rate), text)
		if l.Capacity > 0 && !math.IsInf(l.Capacity, 1) {
			text += fmt.Sprintf(": %s %%", numtext.Percent(100*l.Rate/l.Capacity))
		}
	case l.Callers == 0:
		text = "nothing is offered at the end of the run, " + text
	}
	if l.Callers > 0 {
		text += fmt.Sprintf("; %d callers in closed loops offer what the backends make of it",
			l.Callers)
	}
	return text
}

// NoSteadyState is the consequence of full load, for a message.
const NoSteadyState = "there is no steady state: unless deadlines or full queues turn RPCs away, " +
	"latencies grow with the length of the run"

// fullyBusy is the utilisation of all workers above which a run warns.
const fullyBusy = 0.99

// warnOfFullLoad warns if open loops offer the capacity or more, or if all workers were busy nearly
// all of the time. Unstable runs have a warning of their own.
func warnOfFullLoad(d *runData) {
	m := d.m
	used := func(i int) bool { return m.Backends[i].CapacityS > 0 || m.Backends[i].Attempts > 0 }
	load := OfferedLoad(d.Config, used)
	if m.unstable() || load.Rate == 0 || load.Capacity == 0 { // without capacity RPCs fail
		return
	}
	if load.Full() {
		m.warn(FullLoad, "%v; %s", load, NoSteadyState)
		return
	}
	least := 1.0
	for i := range m.Backends {
		if used(i) {
			least = min(least, m.Backends[i].Utilization)
		}
	}
	if groups := GroupsOf(m); least > fullyBusy {
		of := "backends"
		if len(groups) == 1 {
			of = groups[0]
		}
		measured := d.Config.Duration - d.Config.Warmup
		m.warn(FullLoad, "all workers of %s were busy for at least %.1f %% of %v; %s", of,
			100*least, measured.Round(time.Millisecond), NoSteadyState)
	}
}
