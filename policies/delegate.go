package policies

// delegate is the part shared by balancers with one child (outlier_detection, cluster_impl): the
// Host of the child. Reports of the child are held back until the parent's Update is over.
type delegate struct {
	Host
	self    publisher
	child   *gracefulSwitch
	state   Connectivity // of the child's last report
	picker  Picker       // of the child's last report; nil before the first
	held    bool         // the parent's Update is running: reports are kept and not passed on
	changed bool         // the child has reported while held
}

// publisher is the parent. It reports the child's state with a picker of its own.
type publisher interface{ publish() }

// UpdateState takes a report of the child.
func (d *delegate) UpdateState(s Connectivity, p Picker) {
	d.state, d.picker = s, p
	if d.held {
		d.changed = true
		return
	}
	d.self.publish()
}

// ResolverError goes to the child, as do LoadReport and ExitIdle.
func (d *delegate) ResolverError(err *Status)      { d.child.ResolverError(err) }
func (d *delegate) LoadReport(sc SubConn, l *Load) { d.child.LoadReport(sc, l) }
func (d *delegate) ExitIdle()                      { d.child.ExitIdle() }
