package policies

import (
	"slices"

	"lbsim/sim"
)

// ranked is a child of priority in the configuration. Its balancer comes and goes:
//
//	work    parked    the child
//	nil     no        has not begun, or was stopped more than 15 min ago
//	set     no        is in use, or stands before the child in use and does not work
//	nil     yes       is stopped and keeps its connections
type ranked struct {
	name      string
	policy    Policy
	endpoints []*Endpoint
	ignores   bool // re-resolution requests of the child, in the configuration
	// ignoreReresolution is what ignores was when the child got its last Update. The balancer that
	// is built for the child shares it.
	ignoreReresolution *bool

	work   *worker      // nil while the child is stopped
	state  Connectivity // of the last report; CONNECTING before, and while the child is stopped
	picker Picker       // of the last report
	failed bool         // it has failed since it was READY or IDLE last
	timer  *sim.Call    // of the 10 s in which it must connect; nil where they do not run
}

// worker is the balancer of a child. It is parked while the child is stopped.
type worker struct {
	*child
	policy             Policy    // with which it was built
	ignoreReresolution *bool     // of the ranked for which it was built
	until              *sim.Call // ends the parking
}

// usable reports whether priority uses the child in place of the next.
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

// start gives a child a balancer: the parked one if that is of the same kind, or a new one.
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
		c.work = &worker{
			child: p.add(p, c.name), policy: c.policy, ignoreReresolution: c.ignoreReresolution,
		}
		c.work.balancer = c.policy.Build(c.work.child)
	}
	p.startTimer(c)
	p.send(c)
}

// send brings the balancer of a child its endpoints and options. If they are of no use to it the
// child has failed.
func (p *priority) send(c *ranked) {
	// A balancer that was parked when its child left the configuration, and is used again by a
	// child of the same name, has the variable of the first child. It keeps that one's value, as in
	// grpc-go.
	*c.ignoreReresolution = c.ignores
	err := c.work.balancer.Update(State{Endpoints: c.endpoints, Policy: c.policy})
	if err != nil {
		c.failed = true
		useless := &Status{Code: Unavailable, Text: err.Error(), Reason: ZeroAddresses}
		p.handle(priorityReport{c.name, TransientFailure, fixed(Fail(useless))})
	}
}

// stop takes the balancer of a child away: it closes it for good, or parks it.
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

// unpark returns the balancer that is parked under a name and ends the parking; nil if there is
// none.
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

// resolveNow passes on the request of a child unless its requests are ignored.
func (p *priority) resolveNow(c *child) {
	is := func(w *worker) bool { return w != nil && w.child == c && *w.ignoreReresolution }
	if slices.ContainsFunc(p.parked, is) ||
		slices.ContainsFunc(p.children, func(r *ranked) bool { return is(r.work) }) {
		return
	}
	p.ResolveNow()
}

// Uses asks for a child to fall back to, and endpoints for each child.
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
