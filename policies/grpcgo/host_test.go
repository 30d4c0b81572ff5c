package grpcgo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// fakeHost is the channel of a balancer, port or original. It has no network: a script says when a
// SubConn connects, fails or breaks. What the balancer asks for is written down, and done when the
// balancer has come to rest.
type fakeHost struct {
	*sim.Kernel
	b       policies.Balancer
	rand    *sim.Rand
	making  order  // of the SubConns that it makes
	healthy bool   // nobody checks health: what is READY is healthy
	clock   *Clock // of an original

	orders *orders // of children, that a port is to have
	sweeps *sweeps // of outlier_detection

	subConns []fakeSubConn
	asked    []policies.SubConn // to connect or to shut down, which is to be done
	state    policies.Connectivity
	picker   policies.Picker
	open     []openRPC
	log      []line
}

type fakeSubConn struct {
	name    string // address#1, address#2 and so on, in the order in which they were made
	address string
	state   policies.Connectivity
	down    bool // it was shut down
	health  bool // is watched
	load    bool // is watched
}

type openRPC struct {
	policies.Pick
	picker policies.Picker
}

// line is something that the balancer did.
type line struct {
	at    sim.Time
	order order
	text  string
}

// order says which lines of one moment come first. Those that are equal in it keep their order, but
// for those that are unordered, which are sorted.
type order uint8

const (
	inTurn    order = iota // reports of a state, answers to picks
	newOnes                // SubConns made for a list, in its order
	unordered              // what may come of going through a Go map
)

func (h *fakeHost) write(o order, format string, args ...any) {
	h.log = append(h.log, line{h.Now(), o, fmt.Sprintf(format, args...)})
}

// take returns what was written down, in the order that counts.
func (h *fakeHost) take() []line {
	log := withoutMootEnds(h.log)
	h.log = nil
	slices.SortStableFunc(log, func(a, b line) int {
		if c := cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)); c != 0 {
			return c
		}
		if a.order == unordered {
			return strings.Compare(a.text, b.text)
		}
		return 0
	})
	return log
}

// withoutMootEnds leaves out that a watch ends of a SubConn that is shut down at that moment.
func withoutMootEnds(log []line) []line {
	return slices.DeleteFunc(slices.Clone(log), func(l line) bool {
		name, ends := strings.CutSuffix(l.text, " every 0s")
		name = strings.TrimPrefix(name, "watch load of ")
		return ends && slices.ContainsFunc(log, func(o line) bool {
			return o.at == l.at && o.text == "shutdown "+name
		})
	})
}

func (h *fakeHost) Rand() *sim.Rand { return h.rand }

func (h *fakeHost) NewSubConn(a *policies.Address) policies.SubConn {
	n := 1
	for _, s := range h.subConns {
		if s.address == a.Text {
			n++
		}
	}
	name := fmt.Sprintf("%s#%d", a.Text, n)
	h.subConns = append(h.subConns, fakeSubConn{name: name, address: a.Text})
	h.write(h.making, "new %s", name)
	return policies.SubConn(len(h.subConns) - 1)
}

func (h *fakeHost) Connect(sc policies.SubConn) {
	h.write(unordered, "connect %s", h.subConns[sc].name)
	h.asked = append(h.asked, sc)
}

func (h *fakeHost) Shutdown(sc policies.SubConn) {
	s := &h.subConns[sc]
	if s.down {
		return
	}
	h.write(unordered, "shutdown %s", s.name)
	s.down = true
	h.asked = append(h.asked, sc)
}

// AddressesOf finds none: no policy that plays against its original asks for backends by name.
func (h *fakeHost) AddressesOf(string) []*policies.Address { return nil }

func (h *fakeHost) WatchHealth(sc policies.SubConn) bool {
	h.write(unordered, "watch health of %s", h.subConns[sc].name)
	h.subConns[sc].health = !h.healthy
	return !h.healthy
}

func (h *fakeHost) WatchLoad(sc policies.SubConn, every time.Duration) {
	h.write(unordered, "watch load of %s every %v", h.subConns[sc].name, every)
	h.subConns[sc].load = every > 0
}

func (h *fakeHost) Method() string { return "/s/m" }

func (h *fakeHost) ResolveNow() { h.write(unordered, "resolve now") }

func (h *fakeHost) UpdateState(c policies.Connectivity, p policies.Picker) {
	h.write(inTurn, "report %v", c)
	h.state, h.picker = c, p
}

// settle does what the balancer has asked for, until it asks for nothing more. What it has asked
// for at one time is done in the order of the names.
func (h *fakeHost) settle() {
	for {
		h.rest()
		asked := h.asked
		h.asked = nil
		if asked == nil {
			return
		}
		slices.SortStableFunc(asked, func(a, b policies.SubConn) int {
			return strings.Compare(h.subConns[a].name, h.subConns[b].name)
		})
		for _, sc := range asked {
			switch s := &h.subConns[sc]; {
			case s.down && s.state != policies.Shutdown:
				h.deliver(sc, policies.Shutdown, nil)
			case s.state == policies.Idle:
				h.deliver(sc, policies.Connecting, nil)
			}
		}
	}
}

// rest lets the balancer do what it has put off, without time going on.
func (h *fakeHost) rest() {
	if h.clock != nil {
		h.clock.rest()
	}
	const limit = 1e5
	if !h.Run(h.Now(), limit) {
		panic("the balancer does not come to rest")
	}
}

// advance lets time pass.
func (h *fakeHost) advance(d time.Duration) {
	for until := h.Now().Add(d); !h.Run(until, 1); {
		h.settle()
	}
	h.settle()
}

// deliver tells the balancer of a state.
func (h *fakeHost) deliver(sc policies.SubConn, c policies.Connectivity, err *policies.Status) {
	s := &h.subConns[sc]
	s.state, s.health, s.load = c, false, false
	h.b.SubConnState(sc, c, err)
	h.rest()
}

// live lists the SubConns in use that are as wanted, by name.
func (h *fakeHost) live(wanted func(s fakeSubConn) bool) []policies.SubConn {
	var scs []policies.SubConn
	for i, s := range h.subConns {
		if !s.down && wanted(s) {
			scs = append(scs, policies.SubConn(i))
		}
	}
	slices.SortFunc(scs, func(a, b policies.SubConn) int {
		return strings.Compare(h.subConns[a].name, h.subConns[b].name)
	})
	return scs
}

// pick asks the picker where to send an RPC, keeps it open if it is sent, and tells where it went.
func (h *fakeHost) pick(c policies.Call) string {
	if h.picker == nil {
		return "no picker"
	}
	p := h.picker.Pick(c)
	switch p.Verdict {
	case policies.Queued:
		return "queue"
	case policies.Failed:
		return fmt.Sprintf("fail %v: %s", p.Status.Code, p.Status.Text)
	case policies.Dropped:
		return fmt.Sprintf("drop %v: %s", p.Status.Code, p.Status.Text)
	}
	s := h.subConns[p.SubConn]
	if s.state != policies.Ready {
		h.picker.Done(p, policies.Outcome{})
		return s.name + ", which is not READY"
	}
	h.open = append(h.open, openRPC{p, h.picker})
	return s.name
}

// done ends an open RPC.
func (h *fakeHost) done(i int, o policies.Outcome) {
	rpc := h.open[i]
	h.open = slices.Delete(h.open, i, i+1)
	rpc.picker.Done(rpc.Pick, o)
}
