package policies

// child is a policy inside another, and the Host of that policy. Requests of the policy go to the
// Host of the parent. The parent knows the owner of each SubConn and the last report of the child.
type child struct {
	Host
	parent   childParent
	name     string // among its siblings; "" where children have no names
	balancer Balancer
	state    Connectivity // of the last report; CONNECTING before the first
	picker   Picker       // of the last report
	muted    bool         // it is replaced or closed: no calls between it and the parent
}

// childParent is a policy with children.
type childParent interface {
	// reported is called when a child has reported a state and a picker.
	reported(c *child)
	// resolveNow is called when a child asks for re-resolution.
	resolveNow(c *child)
	// subConnOwners returns the owners of all SubConns.
	subConnOwners() *owners
}

// newChild returns a child whose policy is to be built with it as the Host. Until the first report
// it is CONNECTING and RPCs wait.
func newChild(h Host, parent childParent) *child {
	return &child{Host: h, parent: parent, state: Connecting, picker: queue}
}

// ResolveNow asks the parent.
func (c *child) ResolveNow() { c.parent.resolveNow(c) }

// NewSubConn makes a SubConn whose owner is the child.
func (c *child) NewSubConn(a *Address) SubConn {
	sc := c.Host.NewSubConn(a)
	c.parent.subConnOwners().add(sc, c)
	return sc
}

// Shutdown ends a SubConn of the child.
func (c *child) Shutdown(sc SubConn) {
	c.parent.subConnOwners().of[sc].down = true
	c.Host.Shutdown(sc)
}

// UpdateState keeps a report of the child and passes it to the parent unless the child is muted.
func (c *child) UpdateState(s Connectivity, p Picker) {
	c.state, c.picker = s, p
	if !c.muted {
		c.parent.reported(c)
	}
}

// close closes the child and shuts down the SubConns that it has left open.
func (c *child) close() {
	c.muted = true
	c.balancer.Close()
	for i, o := range c.parent.subConnOwners().of {
		if o.child == c && !o.down {
			c.Shutdown(SubConn(i))
		}
	}
}

// owners has the owner of each SubConn, by its number. A policy with children embeds owners, whose
// methods pass a call about a SubConn to the child that owns it.
type owners struct{ of []owner }

type owner struct {
	child *child
	down  bool // the SubConn was shut down
}

func (o *owners) add(sc SubConn, c *child) {
	for int(sc) >= len(o.of) {
		o.of = append(o.of, owner{})
	}
	o.of[sc] = owner{child: c}
}

func (o *owners) subConnOwners() *owners { return o }

// SubConnState goes to the owner, unless that is muted, as do the following.
func (o *owners) SubConnState(sc SubConn, s Connectivity, err *Status) {
	if c := o.of[sc].child; !c.muted {
		c.balancer.SubConnState(sc, s, err)
	}
}

// HealthState goes to the owner.
func (o *owners) HealthState(sc SubConn, s Connectivity, err *Status) {
	if c := o.of[sc].child; !c.muted {
		c.balancer.HealthState(sc, s, err)
	}
}

// LoadReport goes to the owner.
func (o *owners) LoadReport(sc SubConn, l *Load) {
	if c := o.of[sc].child; !c.muted {
		c.balancer.LoadReport(sc, l)
	}
}

// fixed is a picker that returns the same Pick for every RPC. The verdict is not Sent.
type fixed Pick

// DropAll returns a picker that ends every RPC with a status, wait-for-ready RPCs too.
func DropAll(s *Status) Picker { return fixed{Verdict: Dropped, Status: s} }

// queue makes all RPCs wait for the next picker.
var queue Picker = fixed(Queue())

// Pick returns f.
func (f fixed) Pick(Call) Pick { return Pick(f) }

// Done is never called, for no RPC is sent.
func (fixed) Done(Pick, Outcome) {}
