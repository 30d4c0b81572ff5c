package cost

import (
	"math"
	"time"

	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
)

// What things take, measured on one core of a server of 2020: seconds of CPU time and bytes.
var (
	ofRPC        = cost{cpu: 0.6e-6}
	ofOpenRPC    = cost{memory: 250}
	ofTimer      = cost{cpu: 0.3e-6}
	ofSubConn    = cost{cpu: 1.3e-6, memory: 225}
	ofAddress    = cost{cpu: 0.2e-6, memory: 30} // of pick_first, which has one SubConn
	ofCaller     = cost{cpu: 1e-6, memory: 250}
	ofRingEntry  = cost{cpu: 0.3e-6, memory: 24}
	ofBackend    = cost{cpu: 40e-6, memory: 2300, disk: 1000}
	ofSample     = cost{cpu: 1e-6, memory: 80, disk: 46}
	ofRun        = cost{cpu: 3e-3, memory: 1e6, disk: 5000}
	keptOfRun    = 13e3 // bytes of memory while other runs go on
	keptPerEntry = 200. // bytes of memory for each backend
)

// cost is what something takes: seconds of CPU time, bytes of memory while it is there, bytes of
// results.
type cost struct{ cpu, memory, disk float64 }

func (c cost) times(n float64) cost { return cost{c.cpu * n, c.memory * n, c.disk * n} }

func (c *cost) add(d cost) { *c = cost{c.cpu + d.cpu, c.memory + d.memory, c.disk + d.disk} }

// demand is a number of things in a run, and the key that sets the number.
type demand struct {
	cost
	what string
	n    float64
	key  []string
}

// demands are those of a run.
type demands struct {
	c    *models.Config
	all  []demand
	rpcs float64
}

// add adds n things with the cost of each, and the key that sets n.
func (d *demands) add(each cost, n float64, what string, key ...string) {
	d.all = append(d.all, demand{each.times(n), what, n, key})
}

// demandsOf estimates what a run of a policy takes, from its config alone.
func demandsOf(c *models.Config, name string, policy policies.Policy) *demands {
	d := &demands{c: c}
	d.add(ofRun, 1, "run", "duration")
	bins := math.Ceil(float64(c.Duration) / float64(c.Bin))
	addresses, capacity, work := 0.0, 0.0, 0.0
	for i := range c.Backends {
		b := &c.Backends[i]
		count := float64(b.Count)
		addresses += float64(b.Count * max(1, len(b.Addresses)))
		mean := b.Service.Mean()
		capacity += count * float64(b.Workers) * b.Speed / mean
		work += mean / b.Speed / float64(len(c.Backends))
		d.add(ofBackend, count, "backends", "backends", b.Name, "count")
		d.add(ofSample, count*bins, "samples, one for each bin and backend", "bin")
	}
	leaf := d.leafOf(name, policy, addresses)
	offered := 0.0
	for i := range c.Clients {
		offered += d.group(&c.Clients[i], leaf, work, capacity)
	}
	if over := offered - float64(capacity*c.Duration.Seconds()); over > 0 {
		d.add(ofOpenRPC, min(over, MaxHeldRPCs), "open RPCs", "duration")
	}
	if dns, is := c.Resolver.(resolvers.DNS); is && dns.ReResolve > 0 {
		d.timers(time.Duration(dns.ReResolve), d.connected(), "resolver", "re_resolve")
	}
	return d
}

// group adds what a group of clients takes, and returns how many RPCs it begins for which nobody
// waits.
func (d *demands) group(g *models.ClientGroup, leaf cost, work, capacity float64) (open float64) {
	clients, seconds := float64(g.Count), max(0, (d.c.Duration-g.Start).Seconds())
	key, cycle := "rate", work+float64(2*d.c.Network.Delay.Mean())
	begun := clients * float64(len(g.At))
	switch {
	case g.Rate > 0:
		begun = float64(g.Rate) * seconds
	case g.Callers > 0:
		key = "callers"
		begun = clients * float64(g.Callers) * seconds / max(1e-6, cycle+g.Think.Mean())
		begun = min(begun, max(clients*float64(g.Callers), capacity*seconds))
		d.add(ofCaller, clients*float64(g.Callers), "callers", "clients", g.Name, "callers")
	}
	if g.Requests > 0 {
		begun = min(begun, clients*float64(g.Requests))
	}
	d.rpcs += float64(begun)
	d.add(ofRPC, begun, "RPCs", "clients", g.Name, key)
	d.add(leaf, min(clients, begun), "channels", "clients", g.Name, "count")
	if g.IdleTimeout > 0 && seconds > 0 {
		busy := min(1, begun*cycle/clients/seconds)
		d.timers(g.IdleTimeout, clients*busy, "clients", g.Name, "idle_timeout")
	}
	switch {
	case g.Rate == 0:
		return 0
	case g.Timeout > 0:
		return min(begun, float64(g.Rate)*g.Timeout.Seconds())
	}
	return begun
}

// connected is how many channels there are.
func (d *demands) connected() (n float64) {
	for i := range d.c.Clients {
		n += float64(d.c.Clients[i].Count)
	}
	return n
}

// timers adds what goes off again and again, for so many.
func (d *demands) timers(every time.Duration, of float64, key ...string) {
	n := float64(d.c.Duration) / float64(max(1, every)) * of
	d.add(ofTimer, n, "times that a timer goes off", key...)
}

// leafOf returns what a channel takes with a policy, which may have others inside.
func (d *demands) leafOf(name string, policy policies.Policy, addresses float64) (leaf cost) {
	leaf = ofSubConn.times(addresses)
	if _, is := policy.(policies.PickFirst); is {
		leaf = ofAddress.times(addresses)
	}
	of := func(option string) []string { return []string{"policies", name, option} }
	if s, is := policy.(policies.FromServiceConfig); is {
		policy = s.Default
	}
	options.Walk(nil, policy, func(_ []string, p policies.Policy) {
		switch p := p.(type) {
		case policies.RandomSubsetting:
			leaf = ofSubConn.times(min(addresses, float64(p.SubsetSize)))
		case policies.RingHash:
			most := float64(min(p.MaxRingSize, max(1, p.RingSizeCap)))
			n := min(most, max(addresses, float64(p.MinRingSize)))
			d.add(ofRingEntry, n*d.connected(), "entries of rings", of("min_ring_size")...)
		case policies.OutlierDetection:
			d.timers(p.Interval, d.connected(), of("interval")...)
		case policies.WeightedRoundRobin:
			period := max(p.UpdatePeriod, 100*time.Millisecond)
			d.timers(period, d.connected(), of("weight_update_period")...)
			if p.EnableOOB {
				d.reports(p.OOBPeriod, of("oob_reporting_period"))
			}
		}
	})
	return leaf
}

// reports adds the load reports that backends send to each client.
func (d *demands) reports(period time.Duration, key []string) {
	for i := range d.c.Backends {
		if b := &d.c.Backends[i]; b.LoadReport.Has(models.LoadOutOfBand) {
			d.timers(max(period, b.LoadMinInterval), float64(b.Count)*d.connected(), key...)
		}
	}
}
