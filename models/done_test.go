package models_test

import (
	"math"
	"testing"

	"lbsim/policies"
	"lbsim/sim"

	"pgregory.net/rapid"
)

// counted is a policy of which each pick that sends an RPC is counted until it is Done. It numbers
// the picks in their Note.
type counted struct {
	policies.Policy
	t    *rapid.T
	open map[uint64]sentPick
	last uint64
}

type sentPick struct {
	policies.Pick
	picker policies.Picker
	at     sim.Time
}

func (c *counted) Build(h policies.Host) policies.Balancer {
	return c.Policy.Build(&frontHost{h, func(p policies.Picker) policies.Picker {
		return &countedPicker{p, c, h}
	}})
}

// frontHost puts another picker in front of each of a policy's.
type frontHost struct {
	policies.Host
	front func(policies.Picker) policies.Picker
}

func (h *frontHost) UpdateState(s policies.Connectivity, p policies.Picker) {
	h.Host.UpdateState(s, h.front(p))
}

type countedPicker struct {
	policies.Picker
	c    *counted
	host policies.Host
}

func (p *countedPicker) Pick(call policies.Call) policies.Pick {
	pick := p.Picker.Pick(call)
	if pick.Verdict == policies.Sent {
		p.c.last++
		p.c.open[p.c.last] = sentPick{pick, p.Picker, p.host.Now()}
		pick.Note = p.c.last
	}
	return pick
}

func (p *countedPicker) Done(pick policies.Pick, o policies.Outcome) {
	sent, open := p.c.open[pick.Note]
	switch {
	case !open:
		p.c.t.Fatalf("pick %d is Done, but is not open", pick.Note)
	case sent.SubConn != pick.SubConn || sent.picker != p.Picker:
		p.c.t.Fatalf("pick %d was of SubConn %d, its Done is of %d (same picker: %v)",
			pick.Note, sent.SubConn, pick.SubConn, sent.picker == p.Picker)
	case o.Latency != p.host.Now().Sub(sent.at):
		p.c.t.Fatalf("pick %d of %v is Done at %v with a latency of %v",
			pick.Note, sent.at, p.host.Now(), o.Latency)
	}
	delete(p.c.open, pick.Note)
	p.Picker.Done(sent.Pick, o)
}

// Each pick is Done exactly once, by the picker that made it and with the time since then, whatever
// becomes of the RPC.
func TestEachPickIsDoneOnce(t *testing.T) {
	check(t, func(t *rapid.T) {
		cfg := draw(t)
		c := &counted{Policy: cfg.Policy, t: t, open: make(map[uint64]sentPick)}
		cfg.Policy = c
		run, _ := run(cfg, math.MaxInt)
		if len(c.open) > 0 || c.last < run.Codes[policies.OK] {
			t.Fatalf("%d of %d picks are not Done at rest; %d RPCs ended OK",
				len(c.open), c.last, run.Codes[policies.OK])
		}
	})
}
