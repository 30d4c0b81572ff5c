package policies

import (
	"errors"
	"slices"
	"time"

	"lbsim/sim"
)

// PickFirst sends every RPC to one address: the first of the list that connects. It stays there
// until the connection breaks or the address leaves the list.
//
// Source: grpc-go v1.85.0, balancer/pickfirst (gRFC A61 happy eyeballs, A62 sticky
// TRANSIENT_FAILURE and shuffling, A113 weights in the shuffle).
//
// Reacts to: the loss of its connection, and a list without its address. To nothing else: not to
// load, not to latency, not to health.
//
// Traps: all clients with one list, unshuffled, end up on one backend, and stay there when others
// come. In TRANSIENT_FAILURE a new address in the list makes it CONNECTING for a moment, so RPCs
// wait that would have failed.
type PickFirst struct {
	// ShuffleAddressList shuffles the endpoints of each list that the resolver brings. Which comes
	// first has chances in proportion to their weights.
	ShuffleAddressList bool `toml:"shuffle_address_list" json:"shuffleAddressList"`
}

// connectionDelay is how long an attempt to connect runs before the next address is tried too.
const connectionDelay = 250 * time.Millisecond

// Doc says what the policy does.
func (PickFirst) Doc() string {
	return "all RPCs to the first address that connects"
}

// Build makes the balancer of one channel.
func (p PickFirst) Build(h Host) Balancer {
	return &pickFirstAlone{Host: h, pickFirst: newPickFirst(), shuffle: p.ShuffleAddressList}
}

// pickFirstAlone is pick_first as the policy of a channel, its own parent.
type pickFirstAlone struct {
	Host
	pickFirst
	shuffle bool
}

func (a *pickFirstAlone) report(*pickFirst)                            { a.UpdateState(a.state, a) }
func (a *pickFirstAlone) newSubConn(_ *pickFirst, ad *Address) SubConn { return a.NewSubConn(ad) }
func (a *pickFirstAlone) ExitIdle()                                    { a.exitIdle(a) }
func (a *pickFirstAlone) Close()                                       { a.close(a) }
func (a *pickFirstAlone) ResolverError(err *Status)                    { a.resolverError(a, err) }
func (a *pickFirstAlone) Pick(Call) Pick                               { return a.pick(a) }
func (a *pickFirstAlone) Done(Pick, Outcome)                           {}
func (a *pickFirstAlone) HealthState(SubConn, Connectivity, *Status)   {} // it never asks
func (a *pickFirstAlone) LoadReport(SubConn, *Load)                    {} // nor for this
func (a *pickFirstAlone) SubConnState(sc SubConn, c Connectivity, err *Status) {
	a.subConnState(a, sc, c, err)
}

func (a *pickFirstAlone) Update(s State) error {
	endpoints := s.Endpoints
	if p, ok := s.Policy.(PickFirst); ok {
		a.shuffle = p.ShuffleAddressList
	}
	if len(endpoints) == 0 {
		a.empty(a)
		return errors.New(errNoAddresses.Text)
	}
	if a.shuffle {
		endpoints = shuffled(endpoints, a.Rand())
	}
	n := 0
	for _, e := range endpoints {
		n += len(e.Addresses)
	}
	addresses := make([]*Address, 0, n)
	for _, e := range endpoints {
		addresses = append(addresses, e.Addresses...)
	}
	a.update(a, addresses, make([]candidate, 0, n))
	return nil
}

// pickFirst is the state machine of pick_first, for a channel or for one endpoint among many. It is
// kept small, and its parent is passed in at each call, because a thousand clients of a thousand
// endpoints have a million of them.
type pickFirst struct {
	list  []candidate
	timer *sim.Call // until the next address is tried too
	err   *Status   // of the reported TransientFailure

	at       int32 // index in list of the address being tried or used; len(list) after the last
	failures int32 // since the pass, modulo the number of SubConns
	state    Connectivity
	counted  Connectivity // the state in which endpointSharding counts it
	listed   bool         // by the Update of endpointSharding that is going on
	pass     bool         // the first pass over the list is on
	woken    bool         // a pick in Idle has asked for ExitIdle
	// petiole says that the parent has it listen to health: a connection is reported to be
	// CONNECTING until its health is known, or for a moment where nobody checks it.
	petiole bool
	// lazy says that it is to begin with the first exitIdle, and be Idle until then.
	lazy bool
}

func newPickFirst() pickFirst { return pickFirst{state: Connecting} }

// candidate is one address of the list and its SubConn.
type candidate struct {
	address *Address
	err     *Status // of its last failure
	sc      SubConn // noSubConn before the address is first tried
	raw     Connectivity
	failed  bool // in this pass
	sticky  bool // failed in a pass and not READY since
}

const noSubConn SubConn = -1

// pickFirstParent is what a pickFirst needs of its surroundings: a Host that knows whose SubConn is
// whose, and is told of each report.
type pickFirstParent interface {
	Host
	newSubConn(p *pickFirst, a *Address) SubConn
	report(p *pickFirst)
}

// empty takes the news that there are no endpoints.
func (p *pickFirst) empty(up pickFirstParent) {
	p.stopTimer()
	p.closeSubConns(up)
	p.list = nil
	p.resolverError(up, errNoAddresses)
}

// update takes a new list of addresses, to be kept in space, which is empty and has room for them.
// The list itself is empty if the endpoints have no addresses: then it is CONNECTING for good.
func (p *pickFirst) update(up pickFirstParent, list []*Address, space []candidate) {
	p.stopTimer()
	old := p.list
	var used *Address
	if int(p.at) < len(old) && old[p.at].sc != noSubConn && old[p.at].raw == Ready {
		used = old[p.at].address
	}
	p.list = interleaved(list, space)
	p.at = 0
	kept := false
	for i := range p.list {
		c := &p.list[i]
		if k := indexOf(old, c.address); k >= 0 {
			*c = old[k]
			old[k].sc = noSubConn
		}
		if c.address == used {
			p.at, kept = int32(i), true
		}
	}
	for i := range old { // what is left of the old list
		p.shut(up, &old[i])
	}
	if kept {
		return // it goes on as before, wherever in the list its address is now
	}
	if p.lazy {
		p.err = nil
		return
	}
	switch {
	case used != nil || p.state == Connecting || len(old) == 0:
		p.set(up, Connecting, nil)
		p.startPass(up)
	case p.state == TransientFailure:
		p.startPass(up)
	}
}

func indexOf(list []candidate, a *Address) int {
	return slices.IndexFunc(list, func(c candidate) bool { return c.address == a })
}

// startPass tries the addresses in order, each given a head start before the next.
func (p *pickFirst) startPass(up pickFirstParent) {
	p.pass, p.failures, p.at = true, 0, 0
	for i := range p.list {
		p.list[i].failed = false
	}
	p.request(up)
}

// request connects to the current address, or the first after it that is not in backoff.
func (p *pickFirst) request(up pickFirstParent) {
	if len(p.list) == 0 {
		return
	}
	var last *Status
	for ; int(p.at) < len(p.list); p.at++ {
		c := &p.list[p.at]
		if c.sc == noSubConn {
			c.sc, c.raw = up.newSubConn(p, c.address), Idle
		}
		switch c.raw {
		case Idle, Connecting:
			if c.raw == Idle {
				up.Connect(c.sc)
			}
			p.startTimer(up)
			return
		case TransientFailure:
			c.failed = true
			last = c.err
		}
	}
	p.endPass(up, last)
}

func (p *pickFirst) startTimer(up pickFirstParent) {
	p.stopTimer()
	if int(p.at)+1 < len(p.list) {
		p.timer = up.AfterFunc(connectionDelay, func() {
			p.timer = nil
			p.at++
			p.request(up)
		})
	}
}

func (p *pickFirst) stopTimer() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}

// endPass ends the first pass when every address has failed in it. From then on all connect again
// as their backoff allows, in no order.
func (p *pickFirst) endPass(up pickFirstParent, last *Status) {
	if int(p.at) < len(p.list) {
		return
	}
	for i := range p.list {
		if c := &p.list[i]; c.sc != noSubConn && !c.failed {
			return
		}
	}
	p.pass = false
	p.set(up, TransientFailure, last)
	for i := range p.list {
		if c := &p.list[i]; c.sc != noSubConn && c.raw == Idle {
			up.Connect(c.sc)
		}
	}
}

// set reports a state.
func (p *pickFirst) set(up pickFirstParent, c Connectivity, err *Status) {
	p.state, p.err, p.woken = c, err, false
	up.report(p)
}

// change reports a state unless it is reported already. A failure is always reported: its reason
// may be new.
func (p *pickFirst) change(up pickFirstParent, c Connectivity, err *Status) {
	if p.state != c || c == TransientFailure {
		p.set(up, c, err)
	}
}

func (p *pickFirst) resolverError(up pickFirstParent, err *Status) {
	if p.lazy {
		p.err = err
		return
	}
	if len(p.list) > 0 && p.state != TransientFailure {
		return
	}
	text := "name resolver error: " + err.Text
	p.set(up, TransientFailure, &Status{Code: Unavailable, Text: text, Reason: err.Reason})
}

func (p *pickFirst) pick(up pickFirstParent) Pick {
	switch p.state {
	case Ready:
		return Send(p.list[p.at].sc)
	case TransientFailure:
		return Fail(p.err)
	case Idle:
		p.wake(up)
	}
	return Queue()
}

// close ends it for good.
func (p *pickFirst) close(up pickFirstParent) {
	p.stopTimer()
	p.closeSubConns(up)
	p.state = Shutdown
}
