package policies

// child is a policy inside another, and the Host that it sees: what it asks for goes on to the Host
// of its parent, which learns whose SubConn is whose and what the child reports.
type child struct {
	Host
	parent   childParent
	name     string // among its siblings, where it has one
	balancer Balancer
	state    Connectivity // as last reported, with its picker
	picker   Picker
	muted    bool // what it reports does not count, nor is it told of its SubConns
}

// childParent is a policy with children.
type childParent interface {
	// reported is told that a child has a new state and picker.
	reported(c *child)
	// resolveNow is told that a child hints to the resolver.
	resolveNow(c *child)
	// subConnOwners says whose SubConn is whose.
	subConnOwners() *owners
}

// newChild makes room for a policy inside another, which is to be built with it as its Host. Until
// it reports it is CONNECTING and RPCs wait.
func newChild(h Host, parent childParent) *child {
	return &child{Host: h, parent: parent, state: Connecting, picker: queue}
}

// ResolveNow asks the parent.
func (c *child) ResolveNow() { c.parent.resolveNow(c) }

// NewSubConn makes a SubConn that is the child's.
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

// UpdateState keeps what the child reports and tells the parent, unless the child is muted.
func (c *child) UpdateState(s Connectivity, p Picker) {
	c.state, c.picker = s, p
	if !c.muted {
		c.parent.reported(c)
	}
}

// close ends the child, and its SubConns as far as it has left them open.
func (c *child) close() {
	c.muted = true
	c.balancer.Close()
	for i, o := range c.parent.subConnOwners().of {
		if o.child == c && !o.down {
			c.Shutdown(SubConn(i))
		}
	}
}

// owners says whose SubConn is whose, by its number. A policy with children has it embedded, and
// with it what a Balancer is told of SubConns, which goes to the child that has them.
type owners struct{ of []owner }

type owner struct {
	child *child
	down  bool // it was shut down
}

func (o *owners) add(sc SubConn, c *child) {
	for int(sc) >= len(o.of) {
		o.of = append(o.of, owner{})
	}
	o.of[sc] = owner{child: c}
}

func (o *owners) subConnOwners() *owners { return o }

// SubConnState tells the child whose SubConn it is.
func (o *owners) SubConnState(sc SubConn, s Connectivity, err *Status) {
	if c := o.of[sc].child; !c.muted {
		c.balancer.SubConnState(sc, s, err)
	}
}

// HealthState tells it too.
func (o *owners) HealthState(sc SubConn, s Connectivity, err *Status) {
	if c := o.of[sc].child; !c.muted {
		c.balancer.HealthState(sc, s, err)
	}
}

// LoadReport tells it too.
func (o *owners) LoadReport(sc SubConn, l *Load) {
	if c := o.of[sc].child; !c.muted {
		c.balancer.LoadReport(sc, l)
	}
}

// fixed is a picker that gives every RPC the same answer, which sends none.
type fixed Pick

// DropAll is a picker that ends every RPC with a status, even one that waits for ready.
func DropAll(s *Status) Picker { return fixed{Verdict: Dropped, Status: s} }

// queue keeps all RPCs until there is another picker.
var queue Picker = fixed(Queue())

// Pick gives the answer.
func (f fixed) Pick(Call) Pick { return Pick(f) }

// Done is not called: nothing is sent.
func (fixed) Done(Pick, Outcome) {}
