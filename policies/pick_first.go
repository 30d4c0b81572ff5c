package policies

import (
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
// Traps: all clients with the same list in the same order end up on one backend, and remain there
// when others come. In TRANSIENT_FAILURE a new address in the list makes the channel CONNECTING for
// a moment, so RPCs wait that would have failed.
type PickFirst struct {
	// ShuffleAddressList shuffles the endpoints of each list that the resolver brings. Which comes
	// first has chances in proportion to their weights.
	ShuffleAddressList bool `toml:"shuffle_address_list" json:"shuffleAddressList"`
}

// connectionDelay is the time after which an attempt to connect is joined by one to the next
// address (gRFC A61).
const connectionDelay = 250 * time.Millisecond

// Doc describes the policy in a line.
func (PickFirst) Doc() string {
	return "all RPCs to the first address that connects"
}

// Build makes the balancer of one channel.
func (p PickFirst) Build(h Host) Balancer {
	return &pickFirstAlone{Host: h, pickFirst: newPickFirst(), shuffle: p.ShuffleAddressList}
}

// pickFirst is the state machine of pick_first, for a channel or for one endpoint among many. A
// thousand clients of a thousand endpoints have a million of them. So the struct is small, and the
// parent is an argument of each method.
//
//	state               what happens                           until
//	IDLE                nothing; no SubConn is connecting      a pick or ExitIdle begins a pass
//	CONNECTING          the first pass: addresses are tried    an address connects, or all
//	                    in order, each 250 ms after the last   have failed
//	READY               RPCs go to list[at], the only SubConn  its connection is lost: IDLE
//	TRANSIENT_FAILURE   all addresses connect again as their   an address connects
//	                    backoff allows, in no order
//
// A list without the address in use begins a pass in every state but IDLE. A petiole (gRFC A61) is
// CONNECTING, and may be TRANSIENT_FAILURE, with a connection whose backend is not healthy.
type pickFirst struct {
	list  []candidate // each address of the endpoint or endpoints once
	timer *sim.Call   // starts the attempt to list[at+1]; nil where there is none
	err   *Status     // of the reported TransientFailure; while lazy, the resolver's last error

	at       int32 // index in list of the address being tried or used; len(list) after the last
	failures int32 // since the end of the pass, modulo the number of SubConns
	state    Connectivity
	counted  Connectivity // the state in which endpointSharding counts it
	listed   bool         // by the Update of endpointSharding that is running
	pass     bool         // the first pass over the list is running
	woken    bool         // a pick in IDLE has scheduled exitIdle
	petiole  bool         // the parent has it listen to health
	lazy     bool         // it has not begun: IDLE until the first exitIdle
}

func newPickFirst() pickFirst { return pickFirst{state: Connecting} }

// candidate is one address of the list and its SubConn.
type candidate struct {
	address *Address
	err     *Status      // of its last failure
	sc      SubConn      // noSubConn before the address is first tried
	raw     Connectivity // of the SubConn, whatever pick_first reports
	failed  bool         // in this pass
	sticky  bool         // failed in a pass and not READY since (gRFC A62)
}

const noSubConn SubConn = -1

// pickFirstParent is the Host of a pickFirst. It records the owner of each SubConn and takes the
// reports.
type pickFirstParent interface {
	Host
	newSubConn(p *pickFirst, a *Address) SubConn
	report(p *pickFirst)
}

// empty takes a list without endpoints.
func (p *pickFirst) empty(up pickFirstParent) {
	p.stopTimer()
	p.closeSubConns(up)
	p.list = nil
	p.resolverError(up, errNoAddresses)
}

// update takes a new list of addresses and keeps it in space, which is empty and has room for the
// list. A list is empty where the endpoints have no addresses: then the state is CONNECTING for
// good.
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
	for i := range old { // addresses that are not in the new list
		p.shut(up, &old[i])
	}
	if kept {
		return // its address is in the new list, at whatever place
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

// startPass tries the addresses in order, each with a head start before the next.
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

// endPass ends the first pass if every address has failed in it. From then on all connect again as
// their backoff allows.
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

// change reports a state that is not the one reported last. A failure is always reported, for its
// reason may be new.
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
