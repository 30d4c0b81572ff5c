package policytest

import (
	"fmt"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// Host is the channel of a balancer under test. Its SubConns have no network: the test decides when
// one connects, fails or breaks. The Host records what the balancer asks for, and does it when the
// balancer has returned, as the channel does.
type Host struct {
	*sim.Kernel // the clock and AfterFunc

	Balancer policies.Balancer
	// State and Picker are what the balancer reported last; Picker is nil before the first report.
	State  policies.Connectivity
	Picker policies.Picker
	// Header is the header that carries the key of RPCs, "" for none, and Key the key of the next
	// RPC; the one after that has Key + 1.
	Header string
	Key    uint64
	// Health reports whether clients check the health of backends.
	Health bool

	rand     *sim.Rand
	subConns []subConn
	calls    []Call
	picks    uint64
	directory
}

type subConn struct {
	name    string // of its address; the second SubConn of address a is called a#2
	address *policies.Address
	state   policies.Connectivity
}

// Call is something that the balancer asked of its Host.
type Call struct {
	At   sim.Time
	Text string // such as "connect a" or "report READY"
}

// NewHost builds the balancer of a policy, whose draws are those of the seed.
func NewHost(p policies.Policy, seed uint64) *Host {
	h := &Host{Kernel: sim.New(seed), rand: sim.NewRand(seed, "policy")}
	h.Balancer = p.Build(h)
	return h
}

// Rand is the source of the policy's draws. A test may look at it, or set it.
func (h *Host) Rand() *sim.Rand { return h.rand }

// NewSubConn makes a SubConn. This and the following methods are those of a [policies.Host].
func (h *Host) NewSubConn(a *policies.Address) policies.SubConn {
	name, n := a.Text, 1
	for _, s := range h.subConns {
		if s.address == a {
			n++
			name = fmt.Sprintf("%s#%d", a.Text, n)
		}
	}
	h.subConns = append(h.subConns, subConn{name: name, address: a})
	h.record("new %s", name)
	return policies.SubConn(len(h.subConns) - 1)
}

// Connect makes a SubConn that is IDLE go to CONNECTING, and no further.
func (h *Host) Connect(sc policies.SubConn) {
	h.record("connect %s", h.live(sc).name)
	h.AfterFunc(0, func() {
		if h.subConns[sc].state == policies.Idle {
			h.Deliver(sc, policies.Connecting, nil)
		}
	})
}

// Shutdown ends a SubConn.
func (h *Host) Shutdown(sc policies.SubConn) {
	h.record("shutdown %s", h.live(sc).name)
	h.live(sc).state = policies.Shutdown
	h.AfterFunc(0, func() { h.Balancer.SubConnState(sc, policies.Shutdown, nil) })
}

// WatchHealth returns Health.
func (h *Host) WatchHealth(sc policies.SubConn) bool {
	if h.Health {
		h.record("watch %s", h.live(sc).name)
	}
	return h.Health
}

// WatchLoad brings no report: a test calls the balancer's LoadReport.
func (h *Host) WatchLoad(sc policies.SubConn, every time.Duration) {
	if every == 0 {
		h.record("watch load of %s no more", h.live(sc).name)
		return
	}
	h.record("watch load of %s every %v", h.live(sc).name, every)
}

// Follower is none.
func (h *Host) Follower() sim.Follower { return nil }

// Method is that of no service.
func (h *Host) Method() string { return "/s/m" }

// ResolveNow is recorded, and nothing follows.
func (h *Host) ResolveNow() { h.record("resolve now") }

// UpdateState takes a report.
func (h *Host) UpdateState(c policies.Connectivity, p policies.Picker) {
	h.record("report %v", c)
	h.State, h.Picker = c, p
}

func (h *Host) record(format string, args ...any) {
	h.calls = append(h.calls, Call{h.Now(), fmt.Sprintf(format, args...)})
}

// Calls returns what the balancer has asked for since the last call of Calls.
func (h *Host) Calls() []Call {
	calls := h.calls
	h.calls = nil
	return calls
}

// live returns a SubConn that the balancer may still use.
func (h *Host) live(sc policies.SubConn) *subConn {
	s := &h.subConns[sc]
	if s.state == policies.Shutdown {
		panic(fmt.Sprintf("use of SubConn %d (%s), which was shut down", sc, s.name))
	}
	return s
}
