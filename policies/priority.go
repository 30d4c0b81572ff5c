package policies

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Priority sends all RPCs to one child, the first in the order of priorities that works. A child
// has the endpoints whose path begins with its name. A child that fails gives way at once, one that
// is CONNECTING after 10 s. It takes over again as soon as it is READY. Children below the one in
// use are stopped, and keep their connections for 15 min.
//
// Source: grpc-go v1.85.0, internal/xds/balancer/priority (gRFC A56, A115).
//
// Reacts to: the states of its children, and how long they take to connect.
//
// Traps: a child that is READY remains in use however few of its endpoints work. While it connects
// again RPCs wait for it, for up to 10 s. IDLE is as good as READY. Stopped children get no calls
// until they are used again, not even when they leave the configuration. Where several children
// fail in one update, the order of names decides which is handled first; in grpc-go chance does.
// What follows from an update is part of the update here; grpc-go's priority reports it from a
// goroutine of its own, so for a policy above it is chance whether it is part of the update.
type Priority struct {
	// Children are the children by name.
	Children map[string]PriorityChild `toml:"children" json:"children"`
	// Priorities are their names, the one to use first at the front.
	Priorities []string `toml:"priorities" json:"priorities"`
}

// PriorityChild is a child of [Priority].
type PriorityChild struct {
	// Child is its policy.
	Child Policy `toml:"child" json:"config"`
	// IgnoreReresolutionRequests keeps the child from hinting to the resolver.
	IgnoreReresolutionRequests bool `toml:"ignore_reresolution" json:"ignoreReresolutionRequests"`
}

const (
	priorityTimeout = 10 * time.Second // in which a child must connect
	priorityParking = 15 * time.Minute // for which a stopped child keeps its connections
)

// Doc describes the policy in a line.
func (Priority) Doc() string {
	return "the first child that works, the next if it fails or is not connected in 10s"
}

// Check refuses names that are not in both fields. Names that stand twice, and children without a
// policy, are Unworkable: grpc-go's parser accepts them, and its channel loops or panics.
func (p Priority) Check() error {
	for _, name := range p.Priorities {
		if _, found := p.Children[name]; !found {
			return fmt.Errorf("priorities: %q is not in children", name)
		}
	}
	for _, name := range sortedNames(p.Children) {
		if !slices.Contains(p.Priorities, name) {
			return fmt.Errorf("children: %q is not in priorities", name)
		}
	}
	for i, name := range p.Priorities {
		if slices.Contains(p.Priorities[:i], name) {
			return Unworkable(fmt.Sprintf("priorities: %q stands twice", name))
		}
		if p.Children[name].Child == nil {
			return Unworkable(fmt.Sprintf("children.%s.child: must be a policy", name))
		}
	}
	return nil
}

// Build makes the balancer of one channel.
func (p Priority) Build(h Host) Balancer {
	return &priority{group: newGroup(h), policy: p}
}

type priority struct {
	group
	policy     Priority
	priorities []string
	children   []*ranked // in the order of their names
	inUse      string    // name of the child that gets the RPCs; "" for none
	parked     []*worker // of stopped children

	// Reports of children are handled at the end of the outermost call into priority, since what
	// follows from a report can stop or start children.
	reports []priorityReport
	busy    int  // depth of calls into priority
	called  bool // handleReports is scheduled, for a report outside of any call
	muted   bool // sync does nothing, until all children are updated
}

// priorityReport is a report of a child.
type priorityReport struct {
	name   string
	state  Connectivity
	picker Picker
}

// Update brings each child its endpoints and options; those that are stopped get them when they
// start.
func (p *priority) Update(s State) error {
	if policy, ok := s.Policy.(Priority); ok {
		p.policy = policy
	}
	p.busy++
	shares := divide(sortedNames(p.policy.Children), s.Endpoints)
	for _, s := range inOrder(&p.group, shares, share.of) {
		p.updateChild(s)
	}
	p.children = slices.DeleteFunc(p.children, func(c *ranked) bool {
		_, kept := p.policy.Children[c.name]
		if !kept {
			p.stop(c, true)
		}
		return !kept
	})
	p.priorities = p.policy.Priorities
	if len(p.priorities) == 0 {
		p.inUse = ""
		p.UpdateState(TransientFailure, fixed(Fail(errNoPriorities)))
	} else {
		p.muted = true
		p.handleReports()
		p.muted = false
		p.sync(p.inUse)
	}
	p.done()
	return nil
}

var errNoPriorities = &Status{
	Code: Unavailable, Reason: NoChildren,
	Text: "no priority is provided, all priorities are removed",
}

func (p *priority) updateChild(s share) {
	want := p.policy.Children[s.name]
	i, found := slices.BinarySearchFunc(p.children, s.name, func(c *ranked, name string) int {
		return strings.Compare(c.name, name)
	})
	if !found {
		c := &ranked{name: s.name, ignoreReresolution: new(bool), state: Connecting, picker: queue}
		p.children = slices.Insert(p.children, i, c)
	}
	c := p.children[i]
	if found && !sameKind(c.policy, want.Child) {
		p.stop(c, true)
		c.ignoreReresolution = new(bool)
	}
	c.policy, c.endpoints = want.Child, s.endpoints
	c.ignores = want.IgnoreReresolutionRequests
	if c.work != nil {
		p.send(c)
	}
}

// child returns the child of a name.
func (p *priority) child(name string) *ranked {
	for _, c := range p.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// sync finds the child to use, and reports its state if another child was in use or it has changed.
func (p *priority) sync(changed string) {
	if p.muted {
		return
	}
	for i, name := range p.priorities {
		c := p.child(name)
		if c == nil || !c.usable() && i < len(p.priorities)-1 {
			continue
		}
		if p.inUse != name || name == changed {
			p.UpdateState(c.state, c.picker)
		}
		p.use(c, i)
		return
	}
}

// use makes the child of a rank the one in use, and stops those below.
func (p *priority) use(c *ranked, rank int) {
	for _, name := range p.priorities[rank+1:] {
		if below := p.child(name); below != nil {
			p.stop(below, false)
		}
	}
	p.inUse = c.name
	if c.work == nil {
		p.start(c)
	}
}

// handle takes a report of a child.
func (p *priority) handle(r priorityReport) {
	c := p.child(r.name)
	if c == nil || c.work == nil {
		return
	}
	before := c.state
	c.state, c.picker = r.state, r.picker
	switch {
	case r.state != Connecting:
		c.failed = r.state == TransientFailure
		c.stopTimer()
	case !c.failed && before != Connecting:
		p.startTimer(c)
	}
	p.sync(c.name)
}

func (p *priority) startTimer(c *ranked) {
	if c.timer == nil {
		c.timer = p.AfterFunc(priorityTimeout, func() {
			c.timer = nil
			p.busy++
			p.sync("")
			p.done()
		})
	}
}

// reported keeps a report of a child until the present call into priority is over.
func (p *priority) reported(c *child) {
	p.reports = append(p.reports, priorityReport{c.name, c.state, c.picker})
	if p.busy == 0 && !p.called {
		p.called = true
		p.AfterFunc(0, func() {
			p.called = false
			p.handleReports()
		})
	}
}

// done ends a call into priority. The end of the outermost handles the reports.
func (p *priority) done() {
	if p.busy == 1 {
		p.handleReports()
	}
	p.busy--
}

// handleReports handles the reports, and those that come meanwhile.
func (p *priority) handleReports() {
	p.busy++
	for i := 0; i < len(p.reports); i++ {
		p.handle(p.reports[i])
	}
	clear(p.reports)
	p.reports = p.reports[:0]
	p.busy--
}

// SubConnState goes to the owner, as does HealthState.
func (p *priority) SubConnState(sc SubConn, c Connectivity, err *Status) {
	p.busy++
	p.group.SubConnState(sc, c, err)
	p.done()
}

func (p *priority) HealthState(sc SubConn, c Connectivity, err *Status) {
	p.busy++
	p.group.HealthState(sc, c, err)
	p.done()
}

// ResolverError goes to all children that are not stopped.
func (p *priority) ResolverError(err *Status) {
	p.busy++
	p.group.ResolverError(err)
	p.done()
}

// ExitIdle goes to all children that are not stopped.
func (p *priority) ExitIdle() {
	p.busy++
	p.group.ExitIdle()
	p.done()
}

// Close closes all children, stopped ones too.
func (p *priority) Close() {
	for _, c := range p.children {
		c.stopTimer()
	}
	p.group.Close()
	for _, k := range p.parked {
		k.until.Stop()
		k.close()
	}
	p.children, p.parked, p.reports = nil, nil, nil
	p.priorities = nil
}
