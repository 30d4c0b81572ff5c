package grpcgo

import (
	"reflect"
	"runtime"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc/balancer"

	"lbsim/policies"
	"lbsim/sim"
)

// onOneCPU makes goroutines that a balancer starts begin when the call in which it does has
// returned, as they do in lbsim. With more CPUs one may be quicker, and a report be saved.
func onOneCPU(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// ringPair is ring_hash over endpoints of weights and keys.
func ringPair() *pair {
	return &pair{
		name: "ring_hash_experimental", addresses: singles, health: true, header: "x-key",
		pool: []policies.Endpoint{
			{}, {Weight: 1}, {Weight: 2}, {Weight: 7}, {HashKey: "five"}, {Weight: 3, HashKey: "6"},
			{},
		},
		configs: []pairConfig{
			{`{"requestHashHeader": "X-Key"}`, policies.RingHash{RequestHashHeader: "X-Key"}},
			{`{"requestHashHeader": "x-key", "minRingSize": 1, "maxRingSize": 7}`,
				policies.RingHash{MinRingSize: 1, MaxRingSize: 7, RequestHashHeader: "x-key"}},
			{`{"requestHashHeader": "x-other", "minRingSize": 30}`,
				policies.RingHash{MinRingSize: 30, RequestHashHeader: "x-other"}},
			{`{}`, policies.RingHash{}},
			{`{"requestHashHeader": "x-other"}`, policies.RingHash{RequestHashHeader: "x-other"}},
		},
		prepare: func(s balancer.State, r *sim.Rand) {
			if _, ok := reflect.TypeOf(s.Picker).Elem().FieldByName("randUint64"); ok {
				*field[func() uint64](s.Picker, "randUint64") = r.Uint64
			}
		},
	}
}

func TestRingHashInLockstep(t *testing.T) {
	onOneCPU(t)
	p := ringPair()
	p.calmPicks(t)
	if !t.Failed() {
		p.randomScripts(t, 2000, scripts(len(p.addresses)))
	}
}

// calmPicks compares a million picks, by keys and at random. Between any two of them both come to
// rest, since a pick may make this policy connect.
func (p *pair) calmPicks(t *testing.T) {
	t.Helper()
	const n, calm, seed = 1_000_000, 500, 1
	p.note(t, n, "picks")
	synctest.Test(t, func(*testing.T) {
		d, script := p.newDuel(seed), sim.NewRand(seed, "script")
		defer d.close()
		sent, went := 0, make(map[string]bool)
		for i := range n {
			if i%calm == 0 {
				o := op{kind: []opKind{opConnect, opConnect, opSubConn, opSubConn, opAdvance,
					opHealth, opResolve}[script.IntN(7)], a: script.IntN(100), b: script.IntN(100)}
				for range 7 {
					o.list = append(o.list, script.IntN(100))
				}
				if err := d.play(o); err != nil {
					t.Fatalf("pick %d, %v: %v", i, o, err)
				}
			}
			c := d.realW.call(script.IntN(100_000))
			c.Key = c.Luck // any of as many keys as there are words
			real, ours := d.real.pick(c), d.ours.pick(c)
			d.real.settle()
			d.ours.settle()
			if err := differ(d.real.take(), d.ours.take()); err != nil || real != ours {
				t.Fatalf("pick %d: real %s, ours %s; %v", i, real, ours, err)
			}
			for len(d.real.open) > 0 {
				d.real.done(0, policies.Outcome{})
				d.ours.done(0, policies.Outcome{})
				sent++
				went[real] = true
			}
		}
		if a, b := d.real.rand.Uint64(), d.ours.rand.Uint64(); a != b {
			t.Errorf("they have drawn differently: the next words are %x and %x", a, b)
		}
		t.Logf("%d of %d picks were sent, on %d connections", sent, n, len(went))
		if sent < n/3 || len(went) < 5*len(p.addresses) {
			t.Errorf("only %d of %d picks were sent, on %d connections", sent, n, len(went))
		}
	})
}
