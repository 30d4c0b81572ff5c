package policies

import (
	"slices"

	"lbsim/sim"
)

// ranked is a child of priority as the configuration has it.
type ranked struct {
	name               string
	policy             Policy
	endpoints          []*Endpoint
	ignores            bool  // its hints to the resolver
	ignoreReresolution *bool // that, for the balancer that will be built for it

	work   *worker // nil while it is stopped
	state  Connectivity
	picker Picker
	failed bool      // since it was READY or IDLE last
	timer  *sim.Call // while it is given time to connect
}

// worker is the balancer of a child, which is parked while the child is stopped.
type worker struct {
	*child
	policy             Policy    // of this kind
	ignoreReresolution *bool     // its hints are ignored
	until              *sim.Call // the end of its parking
}

// usable says whether there is no reason to look at the next child.
func (c *ranked) usable() bool {
	if c.work == nil || c.state == Ready || c.state == Idle {
		return true
	}
	return c.state == Connecting && c.timer != nil
}

func (c *ranked) stopTimer() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}

// start puts a child to work: with the balancer that it had, if that is parked and of its kind.
func (p *priority) start(c *ranked) {
	w := p.unpark(c.name)
	if w != nil && !sameKind(w.policy, c.policy) {
		w.close()
		w = nil
	}
	if w != nil {
		c.work = w
		p.attach(w.child)
		if w.picker != nil {
			p.reported(w.child)
		}
	} else {
		c.work = &worker{child: p.add(p, c.name), policy: c.policy, ignoreReresolution: c.ignoreReresolution}
		c.work.balancer = c.policy.Build(c.work.child)
	}
	p.startTimer(c)
	p.send(c)
}

// send brings a child at work its endpoints and options. If it has no use for them it has failed.
func (p *priority) send(c *ranked) {
	// The balancer of a child that left the configuration while it was parked, and came back, has
	// another ignoreReresolution, and keeps it.
	*c.ignoreReresolution = c.ignores
	err := c.work.balancer.Update(State{Endpoints: c.endpoints, Policy: c.policy})
	if err != nil {
		c.failed = true
		useless := &Status{Code: Unavailable, Text: err.Error(), Reason: ZeroAddresses}
		p.handle(priorityReport{c.name, TransientFailure, fixed(Fail(useless))})
	}
}

// stop ends the work of a child: for good, or for as long as it is not needed.
func (p *priority) stop(c *ranked, forGood bool) {
	if c.work == nil {
		return
	}
	c.stopTimer()
	if forGood {
		p.remove(c.work.child)
	} else {
		p.detach(c.work.child)
		p.park(c.work)
	}
	c.work, c.state, c.picker, c.failed = nil, Connecting, queue, false
}

func (p *priority) park(w *worker) {
	p.parked = append(p.parked, w)
	w.until = p.AfterFunc(priorityParking, func() {
		p.unpark(w.name)
		w.close()
	})
}

// unpark returns the balancer that is parked under a name, and is no longer; nil if none is.
func (p *priority) unpark(name string) *worker {
	i := slices.IndexFunc(p.parked, func(w *worker) bool { return w.name == name })
	if i < 0 {
		return nil
	}
	w := p.parked[i]
	w.until.Stop()
	p.parked = slices.Delete(p.parked, i, i+1)
	return w
}

// resolveNow passes on the hint of a child, unless its hints are ignored.
func (p *priority) resolveNow(c *child) {
	is := func(w *worker) bool { return w != nil && w.child == c && *w.ignoreReresolution }
	if slices.ContainsFunc(p.parked, is) ||
		slices.ContainsFunc(p.children, func(r *ranked) bool { return is(r.work) }) {
		return
	}
	p.ResolveNow()
}

// Uses says that there must be another child to fall back to, and endpoints for each.
func (p Priority) Uses() []Use {
	var uses []Use
	if len(p.Priorities) == 1 {
		uses = append(uses, Use{
			Option: "priorities", Without: "there is one child, and none to fall back to",
		})
	}
	for _, name := range p.Priorities {
		uses = append(uses, Use{
			What: Child, Option: "priorities", Name: name, Without: "RPCs never go there",
		})
		uses = append(uses, below(name, p.Children[name].Child)...)
	}
	return uses
}
