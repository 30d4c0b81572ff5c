package policies_test

import (
	"math"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

const ringHashByKey = `ring_hash request_hash_header="x-key"`

// The rows of grpc-go's tests of ring_hash (balancer/ringhash, v1.85.0), restated.

func TestRingHashConfig(t *testing.T) {
	for _, row := range []struct {
		config      policies.RingHash
		least, most uint64 // both 0 where it is refused
	}{
		{policies.RingHash{}, 1024, 4096},
		{policies.RingHash{MinRingSize: 1, MaxRingSize: 2}, 1, 2},
		{policies.RingHash{MaxRingSize: 2000}, 1024, 2000},
		{policies.RingHash{MinRingSize: 2000}, 2000, 4096},
		{policies.RingHash{MinRingSize: 10, MaxRingSize: 2}, 0, 0},
		{policies.RingHash{MaxRingSize: 2}, 0, 0},
		{policies.RingHash{MinRingSize: 5000}, 0, 0},
		{policies.RingHash{MinRingSize: 6000, MaxRingSize: 5000}, 0, 0},
		{policies.RingHash{MinRingSize: 1, MaxRingSize: 6000}, 1, 4096},
		{policies.RingHash{MinRingSize: 5000, MaxRingSize: 6000}, 4096, 4096},
		{policies.RingHash{MinRingSize: 5000, MaxRingSize: 6000, RingSizeCap: 8000}, 5000, 6000},
		{policies.RingHash{MinRingSize: 10000, MaxRingSize: 10000, RingSizeCap: 8000}, 8000, 8000},
		{policies.RingHash{MinRingSize: 8388608, MaxRingSize: 8388608}, 4096, 4096},
		{policies.RingHash{MinRingSize: 8388610, MaxRingSize: 8388610}, 0, 0},
		{policies.RingHash{MaxRingSize: 8388610}, 0, 0},
		{policies.RingHash{RingSizeCap: 8388610}, 0, 0},
		{policies.RingHash{RequestHashHeader: "x-FOO"}, 1024, 4096},
		{policies.RingHash{RequestHashHeader: ":path"}, 1024, 4096},
		{policies.RingHash{RequestHashHeader: "!invalid"}, 0, 0},
		{policies.RingHash{RequestHashHeader: "in valid"}, 0, 0},
		{policies.RingHash{RequestHashHeader: "header-with-bin"}, 0, 0},
		{policies.RingHash{RequestHashHeader: "x-BIN"}, 0, 0},
	} {
		err := row.config.Check()
		if refused := row.most == 0; refused != (err != nil) {
			t.Errorf("%+v: %v, want it refused: %v", row.config, err, refused)
		}
		least, most := row.config.Sizes()
		if err == nil && (least != row.least || most != row.most) {
			t.Errorf("%+v: sizes %d to %d, want %d to %d", row.config, least, most, row.least,
				row.most)
		}
	}
	h := policytest.NewHost(policies.RingHash{RequestHashHeader: "x-KEY"}, 1)
	if policies.HeaderOf(h.Balancer) != keyed {
		t.Error("the name of a header has small letters")
	}
}

// set2 is a ring_hash of two endpoints, the first at the beginning of the ring, in given states.
func set2(states ...policies.Connectivity) *policytest.Host {
	h := policytest.NewHost(policies.RingHash{RequestHashHeader: keyed}, 1)
	h.Resolve(h.Endpoints("a", "b")...)
	policies.SetRing(h.Balancer, []uint64{0, math.MaxUint64}, []int32{0, 1})
	policies.SetChildren(h.Balancer, states...)
	return h
}

func TestRingHashPick(t *testing.T) {
	const C, R, I, F = policies.Connecting, policies.Ready, policies.Idle, policies.TransientFailure
	wait, send := policies.Queue(), policies.Send
	fail := func(text string) policies.Pick {
		return policies.Fail(&policies.Status{Code: policies.Unavailable, Text: text})
	}
	for _, row := range []struct {
		rule   string
		states states
		any    bool // without a key
		want   policies.Pick
		wakes  int // the endpoint that it wakes, or -1
	}{
		{"ready", states{R, I}, false, send(0), -1},
		{"connecting: wait", states{C, R}, false, wait, -1},
		{"idle: connect and wait", states{I, R}, false, wait, 0},
		{"failed, next ready", states{F, R}, false, send(1), -1},
		{"failed, next connecting", states{F, C}, false, wait, -1},
		{"failed, next idle", states{F, I}, false, wait, 1},
		{"both failed: why the first did", states{F, F}, false, fail("a"), -1},
		{"any: ready", states{R, I}, true, send(0), -1},
		{"any: idle is woken on the way", states{I, R}, true, send(1), 0},
		{"any: one is connecting", states{C, I}, true, wait, -1},
		{"any: one is connecting after the idle one", states{I, C}, true, wait, -1},
		{"any: failed, next idle", states{F, I}, true, wait, 1},
		{"any: only one is woken", states{I, I}, true, wait, 0},
		{"any: both failed", states{F, F}, true, fail("a"), -1},
	} {
		h := set2(row.states...)
		got := policies.PickHash(h.Balancer, 0, !row.any)
		wakes := policies.Woken(h.Balancer)
		sameStatus := got.Status == row.want.Status ||
			got.Status != nil && row.want.Status != nil && *got.Status == *row.want.Status
		got.Status = row.want.Status
		if got != row.want || !sameStatus || wakes != row.wakes {
			t.Errorf("%s: %+v and %d woken, want %+v and %d", row.rule, got, wakes, row.want,
				row.wakes)
		}
	}
}

// Where an RPC has no key the hash is one random word; where it has one nothing is drawn.
func TestRingHashDraws(t *testing.T) {
	h := set2(policies.Ready, policies.Ready)
	policies.SetRing(h.Balancer, []uint64{1 << 62, 1 << 63}, []int32{0, 1})
	twin := *h.Rand()
	for range 100 {
		want := policies.SubConn(0)
		if word := twin.Uint64(); word > 1<<62 && word <= 1<<63 {
			want = 1
		}
		if got := h.Picker.Pick(policies.Call{Header: "x-other", Key: 1}).SubConn; got != want {
			t.Fatalf("SubConn %d, want %d", got, want)
		}
	}
	for key := range uint64(100) {
		want := policies.SubConn(0)
		text := []byte{byte('0' + key/10), byte('0' + key%10)}
		if key < 10 {
			text = text[1:]
		}
		if hash := policies.XXHash(0, text); hash > 1<<62 && hash <= 1<<63 {
			want = 1
		}
		if got := h.Picker.Pick(policies.Call{Header: keyed, Key: key}).SubConn; got != want {
			t.Fatalf("key %d: SubConn %d, want %d", key, got, want)
		}
	}
	if twin != *h.Rand() {
		t.Error("a pick with a key draws")
	}
}
