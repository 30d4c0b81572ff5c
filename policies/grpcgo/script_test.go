package grpcgo

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"lbsim/policies"
)

// op is a line of a script. What it is about is a number that is taken modulo what there is.
type op struct {
	kind opKind
	a, b int
	list []int // of endpoints, by number
}

type opKind uint8

const (
	opResolve  opKind = iota // list, or again the last; a: the configuration
	opError                  // name resolution fails
	opConnect                // all that is connecting becomes READY and healthy
	opSubConn                // SubConn a goes on: to READY or failed, after b
	opHealth                 // a SubConn that is watched says how it is
	opLoad                   // a SubConn that is watched reports its load
	opAdvance                // time passes
	opPick                   // RPCs begin
	opDone                   // an RPC ends
	opExitIdle               // the channel asks to connect
)

func (o op) String() string {
	return fmt.Sprintf("%s(%d,%d,%v)", [...]string{"resolve", "error", "connect", "subconn",
		"health", "load", "advance", "pick", "done", "exitIdle"}[o.kind], o.a, o.b, o.list)
}

// often is how often each kind of op is, among all.
var often = []opKind{
	opResolve, opResolve, opConnect, opError, opExitIdle, opAdvance, opAdvance,
	opLoad, opLoad, opLoad, opHealth, opHealth,
	opSubConn, opSubConn, opSubConn, opSubConn, opSubConn, opSubConn,
	opPick, opPick, opPick, opPick, opDone, opDone, opDone, opDone,
}

// scripts draws a script over so many endpoints.
func scripts(endpoints int) *rapid.Generator[[]op] {
	one := rapid.Custom(func(t *rapid.T) op {
		o := op{
			kind: rapid.SampledFrom(often).Draw(t, "kind"),
			a:    rapid.IntRange(0, 99).Draw(t, "a"),
			b:    rapid.IntRange(0, 99).Draw(t, "b"),
		}
		if o.kind == opResolve {
			o.list = rapid.SliceOfN(rapid.IntRange(0, endpoints-1), 0, endpoints).Draw(t, "list")
		}
		return o
	})
	return rapid.Custom(func(t *rapid.T) []op {
		first := op{kind: opResolve, a: rapid.IntRange(0, 99).Draw(t, "config"),
			list: rapid.SliceOfN(rapid.IntRange(0, endpoints-1), 1, endpoints).Draw(t, "first")}
		return append([]op{first}, rapid.SliceOfN(one, 20, 120).Draw(t, "ops")...)
	})
}

// durations are those that an advance may take: about the timers of the policies.
var durations = []time.Duration{
	time.Millisecond, 100 * time.Millisecond, 249 * time.Millisecond, 250 * time.Millisecond,
	251 * time.Millisecond, time.Second, 3 * time.Second, 10 * time.Second, 40 * time.Second,
	15 * time.Minute,
}

// play does an op to the balancer of a host and returns what came of it.
func (h *fakeHost) play(o op, w *weather) []line {
	h.making = unordered
	switch o.kind {
	case opResolve:
		if !w.mapped {
			h.making = newOnes
		}
		if o.b < 50 && len(w.last) > 0 {
			o.list = w.last
		}
		w.last = o.list
		err := h.b.Update(policies.State{Endpoints: w.endpoints(o.list),
			Policy: w.configs[o.a%len(w.configs)](h)})
		h.settle() // the original has done by now what the port puts off
		h.write(inTurn, "refused: %t", err != nil)
	case opError:
		h.b.ResolverError(&policies.Status{Code: policies.Unavailable,
			Text: fmt.Sprint("resolver error ", o.a)})
	case opConnect:
		h.connectAll()
	case opSubConn:
		h.move(o)
	case opHealth:
		if scs := h.live(func(s fakeSubConn) bool { return s.health }); scs != nil {
			h.tell(scs[o.a%len(scs)], o.b)
		}
	case opLoad:
		if scs := h.live(func(s fakeSubConn) bool { return s.load }); scs != nil {
			h.b.LoadReport(scs[o.a%len(scs)], loadOf(o.b))
		}
	case opAdvance:
		h.advance(durations[o.a%len(durations)])
	case opPick:
		for i := range 1 + o.a%7 {
			h.write(inTurn, "%s", h.pick(w.call(o.b+i)))
			h.settle()
		}
	case opDone:
		if len(h.open) > 0 {
			h.done(o.a%len(h.open), outcomeOf(o.b))
		}
	case opExitIdle:
		h.b.ExitIdle()
	}
	h.settle()
	return h.take()
}

// connectAll makes all that is connecting READY, and all that is watched healthy.
func (h *fakeHost) connectAll() {
	for _, s := range []policies.Connectivity{policies.Connecting, policies.Ready} {
		for _, sc := range h.live(func(f fakeSubConn) bool { return f.state == s }) {
			if h.subConns[sc].down {
				continue
			}
			if s == policies.Connecting {
				h.deliver(sc, policies.Ready, nil)
			} else if h.subConns[sc].health {
				h.b.HealthState(sc, policies.Ready, nil)
			}
			h.settle()
		}
	}
}

// move has a SubConn go on from its state. A TRANSIENT_FAILURE is followed by IDLE alone.
func (h *fakeHost) move(o op) {
	scs := h.live(func(s fakeSubConn) bool { return s.state != policies.Idle })
	if scs == nil {
		return
	}
	sc := scs[o.a%len(scs)]
	switch {
	case h.subConns[sc].state != policies.Connecting || o.b < 5:
		h.deliver(sc, policies.Idle, nil)
	case o.b < 60:
		h.deliver(sc, policies.Ready, nil)
	default:
		h.deliver(sc, policies.TransientFailure, &policies.Status{Code: policies.Unavailable,
			Text: fmt.Sprint("refused ", o.b)})
	}
}

// tell brings news of the health of a backend.
func (h *fakeHost) tell(sc policies.SubConn, b int) {
	switch {
	case b < 60:
		h.b.HealthState(sc, policies.Ready, nil)
	case b < 90:
		h.b.HealthState(sc, policies.TransientFailure, &policies.Status{
			Code: policies.Unavailable, Text: fmt.Sprint("not serving ", b)})
	default:
		h.b.HealthState(sc, policies.Connecting, nil)
	}
}

// loadOf is the load report number b.
func loadOf(b int) *policies.Load {
	return &policies.Load{Application: float64(b%5) / 4, CPU: float64(b%3) / 2,
		Memory: float64(b%7) / 7, QPS: float64(b), EPS: float64(b % 4)}
}

// outcomeOf is the end number b of an RPC: most are OK, half bring a load report.
func outcomeOf(b int) policies.Outcome {
	o := policies.Outcome{BytesSent: true, BytesReceived: true}
	switch {
	case b < 20:
		o.Status = &policies.Status{Code: policies.Unavailable}
	case b < 25:
		o = policies.Outcome{}
	}
	if b%2 == 0 {
		o.Load = loadOf(b)
	}
	return o
}
