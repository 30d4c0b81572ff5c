package policies

// around is what policies have in common that are around a single one and put a picker of their own
// around its picker. It is the Host of the child, whose reports wait while an Update is going on.
type delegate struct {
	Host
	self    publisher
	child   *gracefulSwitch
	state   Connectivity // of the child, with its picker, nil before it has one
	picker  Picker
	held    bool // the child's reports wait for the end of an Update
	changed bool // and there was one
}

// publisher is the policy itself, which reports the child's state with a picker of its own.
type publisher interface{ publish() }

// UpdateState is a report of the child.
func (d *delegate) UpdateState(s Connectivity, p Picker) {
	d.state, d.picker = s, p
	if d.held {
		d.changed = true
		return
	}
	d.self.publish()
}

// ResolverError goes to the child, as do the following.
func (d *delegate) ResolverError(err *Status)      { d.child.ResolverError(err) }
func (d *delegate) LoadReport(sc SubConn, l *Load) { d.child.LoadReport(sc, l) }
func (d *delegate) ExitIdle()                      { d.child.ExitIdle() }
