package policies

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lbsim/sim"
)

// fakeHost is the channel of a balancer under test. Its SubConns have no network behind them: the
// test says when one connects, fails or breaks. It writes down what the balancer asks for, and does
// it when the balancer has returned, as the channel does.
type fakeHost struct {
	*sim.Kernel // the clock and AfterFunc
	b           Balancer
	policy      Policy
	rand        *sim.Rand
	subConns    []fakeSubConn
	calls       []fakeCall // since the last take
	state       Connectivity
	picker      Picker // nil before the first report
	picks       uint64
	header      string // with the key of RPCs, "" for none
	key         uint64 // of the next RPC
	health      bool   // is checked

	addresses []*Address
	endpoints []string // by ID: the addresses, sorted
}

type fakeSubConn struct {
	name    string // of its address; the second of an address is called a#2
	address *Address
	state   Connectivity
}

// fakeCall is something that the balancer asked for.
type fakeCall struct {
	at   sim.Time
	text string
}

var refused = &Status{Code: Unavailable, Text: "refused"}

func newFakeHost(p Policy, seed uint64) *fakeHost {
	h := &fakeHost{Kernel: sim.New(seed), policy: p, rand: sim.NewRand(seed, "policy")}
	h.b = p.Build(h)
	return h
}

func (h *fakeHost) Rand() *sim.Rand { return h.rand }

func (h *fakeHost) NewSubConn(a *Address) SubConn {
	name, n := a.Text, 1
	for _, s := range h.subConns {
		if s.address == a {
			n++
			name = fmt.Sprintf("%s#%d", a.Text, n)
		}
	}
	h.subConns = append(h.subConns, fakeSubConn{name: name, address: a})
	h.record("new %s", name)
	return SubConn(len(h.subConns) - 1)
}

func (h *fakeHost) Connect(sc SubConn) {
	h.record("connect %s", h.live(sc).name)
	h.AfterFunc(0, func() {
		if h.subConns[sc].state == Idle {
			h.deliver(sc, Connecting, nil)
		}
	})
}

func (h *fakeHost) Shutdown(sc SubConn) {
	h.record("shutdown %s", h.live(sc).name)
	h.live(sc).state = Shutdown
	h.AfterFunc(0, func() { h.b.SubConnState(sc, Shutdown, nil) })
}

func (h *fakeHost) AddressesOf(name string) []*Address {
	for _, a := range h.addresses {
		if a.Text == name {
			return []*Address{a}
		}
	}
	return nil
}

func (h *fakeHost) WatchHealth(sc SubConn) bool {
	if h.health {
		h.record("watch %s", h.live(sc).name)
	}
	return h.health
}

func (h *fakeHost) WatchLoad(sc SubConn, every time.Duration) {
	if every == 0 {
		h.record("watch load of %s no more", h.live(sc).name)
		return
	}
	h.record("watch load of %s every %v", h.live(sc).name, every)
}

func (h *fakeHost) Follower() sim.Follower { return nil }
func (h *fakeHost) Method() string         { return "/s/m" }

func (h *fakeHost) ResolveNow() { h.record("resolve now") }

func (h *fakeHost) UpdateState(c Connectivity, p Picker) {
	h.record("report %v", c)
	h.state, h.picker = c, p
}

func (h *fakeHost) record(format string, args ...any) {
	h.calls = append(h.calls, fakeCall{h.Now(), fmt.Sprintf(format, args...)})
}

// live returns a SubConn that the balancer may still use.
func (h *fakeHost) live(sc SubConn) *fakeSubConn {
	s := &h.subConns[sc]
	if s.state == Shutdown {
		panic(fmt.Sprintf("use of SubConn %d (%s), which was shut down", sc, s.name))
	}
	return s
}

// settle does what the balancer has asked for.
func (h *fakeHost) settle() { h.advance(0) }

// advance lets time pass.
func (h *fakeHost) advance(d time.Duration) {
	const limit = 1e6
	if !h.Run(h.Now().Add(d), limit) {
		panic("the balancer does not come to rest")
	}
}

// deliver tells the balancer of a state. A SubConn that was shut down stays so, but may have had
// another state to tell before.
func (h *fakeHost) deliver(sc SubConn, c Connectivity, err *Status) {
	if s := &h.subConns[sc]; s.state != Shutdown {
		s.state = c
	}
	h.b.SubConnState(sc, c, err)
	h.settle()
}

// set delivers a state of the SubConn with this name.
func (h *fakeHost) set(name string, c Connectivity) {
	var err *Status
	if c == TransientFailure {
		err = refused
	}
	h.deliver(h.named(name), c, err)
}

// tellHealth delivers what a backend says of its health.
func (h *fakeHost) tellHealth(sc SubConn, c Connectivity) {
	var err *Status
	if c == TransientFailure {
		err = &Status{Code: Unavailable, Text: "ill"}
	}
	h.b.HealthState(sc, c, err)
	h.settle()
}

// named returns the newest SubConn of an address, live if there is one.
func (h *fakeHost) named(name string) SubConn {
	found := noSubConn
	for i, s := range h.subConns {
		if s.name == name || s.address.Text == name {
			if found < 0 || s.state != Shutdown {
				found = SubConn(i)
			}
		}
	}
	if found < 0 {
		panic("no SubConn " + name)
	}
	return found
}

// connectAll makes every SubConn that is CONNECTING READY.
func (h *fakeHost) connectAll() {
	for i := 0; i < len(h.subConns); i++ {
		if h.subConns[i].state == Connecting {
			h.deliver(SubConn(i), Ready, nil)
		}
	}
}

// resolve brings the balancer a list of endpoints.
func (h *fakeHost) resolve(endpoints ...*Endpoint) error {
	err := h.b.Update(State{Endpoints: endpoints})
	h.settle()
	return err
}

// endpoint returns the endpoint with these addresses.
func (h *fakeHost) endpoint(addresses ...string) *Endpoint {
	key := strings.Join(slices.Sorted(slices.Values(addresses)), " ")
	id := slices.Index(h.endpoints, key)
	if id < 0 {
		id = len(h.endpoints)
		h.endpoints = append(h.endpoints, key)
	}
	e := &Endpoint{ID: int32(id)}
	for _, text := range addresses {
		e.Addresses = append(e.Addresses, h.address(text))
	}
	return placed(e)
}

func (h *fakeHost) address(text string) *Address {
	for _, a := range h.addresses {
		if a.Text == text {
			return a
		}
	}
	a := &Address{int32(len(h.addresses)), text}
	h.addresses = append(h.addresses, a)
	return a
}

// singles returns an endpoint of one address for each text.
func (h *fakeHost) singles(addresses ...string) []*Endpoint {
	es := make([]*Endpoint, len(addresses))
	for i, a := range addresses {
		es[i] = h.endpoint(a)
	}
	return es
}

// pick asks the picker where to send an RPC.
func (h *fakeHost) pick() Pick {
	h.picks++
	p := h.picker.Pick(Call{sim.Mix(h.picks, 0), h.header, h.key})
	h.key++
	h.settle()
	return p
}

// take returns what the balancer has asked for since the last time.
func (h *fakeHost) take() []fakeCall {
	calls := h.calls
	h.calls = nil
	return calls
}

// draw rewinds the balancer's chance to a place from which the draws to come are those wanted.
func (h *fakeHost) draw(wanted func(r *sim.Rand) bool) {
	for seed := uint64(0); ; seed++ {
		if r := sim.NewRand(seed, "wanted"); wanted(r) {
			*h.rand = *sim.NewRand(seed, "wanted")
			return
		}
	}
}

// drawMod makes the next words, modulo n, those wanted.
func (h *fakeHost) drawMod(n uint32, wanted ...uint32) {
	h.draw(func(r *sim.Rand) bool {
		for _, w := range wanted {
			if r.Uint32()%n != w {
				return false
			}
		}
		return true
	})
}
