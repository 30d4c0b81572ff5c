package policies_test

import (
	"math"
	"slices"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
	"lbsim/sim"
)

func TestRingHashConnects(t *testing.T) {
	wait := step{"pick 1 key=1", "report CONNECTING; new b; connect b; queue"}
	for _, row := range []struct {
		rule  string
		steps []step
	}{
		{"no RPC, no connection, whoever asks", []step{
			{"exit-idle", ""}, {"resolver-error lost", "report IDLE"}, {"advance 1h", ""},
		}},
		{"a failure is followed by one more attempt, in the order of keys, without an RPC", []step{
			wait,
			{"fail b", "report CONNECTING; report CONNECTING; new a; connect a"},
			{"pick 1 key=1", "queue"},
			{"fail a", "report TRANSIENT_FAILURE; report TRANSIENT_FAILURE; new c; connect c"},
			{"subconn b IDLE", "connect b"},
			{"fail b", "report TRANSIENT_FAILURE"},
			{"subconn a IDLE", "connect a"},
			{"subconn a READY", "report CONNECTING; report READY"},
			{"subconn a IDLE", "report CONNECTING"},
			{"fail c", "report TRANSIENT_FAILURE; report TRANSIENT_FAILURE; connect a"},
		}},
		{"one that is gone and was connecting is replaced", []step{
			wait,
			{"fail b", "report CONNECTING; report CONNECTING; new a; connect a"},
			{"resolve b c", "shutdown a; report CONNECTING; report CONNECTING; new c; connect c"},
		}},
		{"without a key: one attempt, and none more while it runs", []step{
			{"pick 1", "report CONNECTING; new a; connect a; queue"},
			{"pick 3", "queue queue queue"},
			{"subconn a READY", "report READY"},
			{"pick 2", "report READY; new c; connect c; a a"},
			{"pick 2", "a a"},
		}},
		{"a lost connection comes back with the next RPC", []step{
			wait,
			{"subconn b READY", "report READY"},
			{"subconn b IDLE", "report IDLE"},
			{"pick 1 key=1", "report CONNECTING; connect b; queue"},
		}},
		{"no endpoints", []step{
			wait,
			{"resolve", "shutdown b; report TRANSIENT_FAILURE; error: no children to pick from"},
			{"pick 1 key=1", "fail(UNAVAILABLE: produced zero addresses)"},
			{"resolve a", "report IDLE"},
		}},
		{"the list of one that has not begun", []step{
			{"resolve e=(x,y)", "report IDLE"},
			{"resolve e=(y,x)", "report IDLE"},
			{"pick 1 key=1", "report CONNECTING; new y; connect y; queue"},
			{"fail y", "new x; connect x"},
			{"fail x", "report TRANSIENT_FAILURE"},
		}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			first := []step{{"resolve a b c", "report IDLE"}}
			playAll(t, ringHashByKey+" seed=3", slices.Concat(first, row.steps))
		})
	}
}

// An endpoint without addresses begins without end, unless the resolver failed later than it listed
// it: then it fails.
func TestLazyPickFirstWithoutAddresses(t *testing.T) {
	for _, row := range []struct {
		err  bool
		want policies.Connectivity
	}{{false, policies.Connecting}, {true, policies.TransientFailure}} {
		h := policytest.NewHost(policies.RingHash{RequestHashHeader: keyed}, 1)
		h.Resolve(&policies.Endpoint{ID: 0, HashKey: "k"})
		if row.err {
			h.Balancer.ResolverError(refused)
		}
		h.Header = keyed
		h.Pick()
		if h.State != row.want {
			t.Errorf("resolver error: %v; %v, want %v", row.err, h.State, row.want)
		}
		h.Balancer.ResolverError(refused)
		h.Resolve(&policies.Endpoint{ID: 0, HashKey: "k"})
	}
}

// In a ring of all endpoints in TRANSIENT_FAILURE, whichever is READY first gets all RPCs, until
// the one whose key it is is READY too.
func TestRingHashAffinity(t *testing.T) {
	h := policytest.NewHost(policies.RingHash{RequestHashHeader: keyed}, 1)
	h.Resolve(h.Endpoints("0", "1", "2")...)
	policies.SetRing(h.Balancer, []uint64{1 << 61, 1 << 62, 1 << 63}, []int32{0, 1, 2})
	h.Header = keyed
	for h.Key = 0; policies.XXHash(0, []byte{byte('0' + h.Key)})>>61 != 1; h.Key++ {
	}
	key := h.Key
	to := func() string { h.Key = key; return h.Name(h.Pick().SubConn) }
	h.Pick()
	for _, name := range []string{"1", "0", "2"} { // the others follow by themselves
		h.Set(name, policies.TransientFailure)
		h.Set(name, policies.Idle)
	}
	for _, row := range []struct{ ready, want string }{{"0", "0"}, {"2", "2"}, {"1", "1"}} {
		h.Set(row.ready, policies.Ready)
		if got := to(); got != row.want {
			t.Errorf("%s is READY: RPC to %s, want %s", row.ready, got, row.want)
		}
	}
}

// Shares of random hashes are those of the weights: 1, 1 and 2 of 4, with the 2.5 % that a ring of
// 4096 points is good for.
func TestRingHashWeights(t *testing.T) {
	h := policytest.NewHost(
		policies.RingHash{MinRingSize: 4096, RequestHashHeader: keyed}, shareSeed)
	list := h.Endpoints("a", "b", "c")
	list[2].Weight = 2
	h.Resolve(list...)
	h.Header = keyed
	for range 100 {
		h.Pick()
		h.ConnectAll()
	}
	if n := subConnsReady(h); n < 3 {
		t.Fatalf("100 keys lead to %d endpoints of 3", n)
	}
	rand, count := sim.NewRand(shareSeed, "keys"), make([]float64, 3)
	for range shareRPCs {
		p := h.Picker.Pick(policies.Call{Header: keyed, Key: rand.Uint64()})
		count[h.AddressOf(p.SubConn).ID]++
	}
	for i, want := range []float64{.25, .25, .5} {
		if got := count[i] / shareRPCs; math.Abs(got-want) > 0.025*4*want*(1-want) {
			t.Errorf("%s: a share of %.4f, want %v", list[i].Addresses[0].Text, got, want)
		}
	}
}

// subConnsReady returns how many SubConns are READY.
func subConnsReady(h *policytest.Host) (n int) {
	for sc := range h.SubConns() {
		if h.StateOf(policies.SubConn(sc)) == policies.Ready {
			n++
		}
	}
	return n
}
