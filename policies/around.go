package policies

// around is what policies have in common that are around a single one and put a picker of their own
// around its picker. It is the Host of the child, whose reports wait while an Update is going on.
type around struct {
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
func (a *around) UpdateState(s Connectivity, p Picker) {
	a.state, a.picker = s, p
	if a.held {
		a.changed = true
		return
	}
	a.self.publish()
}

// ResolverError goes to the child, as do the following.
func (a *around) ResolverError(err *Status)      { a.child.ResolverError(err) }
func (a *around) LoadReport(sc SubConn, l *Load) { a.child.LoadReport(sc, l) }
func (a *around) ExitIdle()                      { a.child.ExitIdle() }
