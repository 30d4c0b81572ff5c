package policies

import (
	"math"
	"testing"
)

const (
	ringHashByKey = `ring_hash request_hash_header="x-key"`
	keyed         = "x-key"
)

// The rows of grpc-go's tests of ring_hash (balancer/ringhash, v1.85.0), restated.

func TestRingHashConfig(t *testing.T) {
	for _, row := range []struct {
		config      RingHash
		least, most uint64 // both 0 where it is refused
	}{
		{RingHash{}, 1024, 4096},
		{RingHash{MinRingSize: 1, MaxRingSize: 2}, 1, 2},
		{RingHash{MaxRingSize: 2000}, 1024, 2000},
		{RingHash{MinRingSize: 2000}, 2000, 4096},
		{RingHash{MinRingSize: 10, MaxRingSize: 2}, 0, 0},
		{RingHash{MaxRingSize: 2}, 0, 0},
		{RingHash{MinRingSize: 5000}, 0, 0},
		{RingHash{MinRingSize: 6000, MaxRingSize: 5000}, 0, 0},
		{RingHash{MinRingSize: 1, MaxRingSize: 6000}, 1, 4096},
		{RingHash{MinRingSize: 5000, MaxRingSize: 6000}, 4096, 4096},
		{RingHash{MinRingSize: 5000, MaxRingSize: 6000, RingSizeCap: 8000}, 5000, 6000},
		{RingHash{MinRingSize: 10000, MaxRingSize: 10000, RingSizeCap: 8000}, 8000, 8000},
		{RingHash{MinRingSize: 8388608, MaxRingSize: 8388608}, 4096, 4096},
		{RingHash{MinRingSize: 8388610, MaxRingSize: 8388610}, 0, 0},
		{RingHash{MaxRingSize: 8388610}, 0, 0},
		{RingHash{RingSizeCap: 8388610}, 0, 0},
		{RingHash{RequestHashHeader: "x-FOO"}, 1024, 4096},
		{RingHash{RequestHashHeader: ":path"}, 1024, 4096},
		{RingHash{RequestHashHeader: "!invalid"}, 0, 0},
		{RingHash{RequestHashHeader: "in valid"}, 0, 0},
		{RingHash{RequestHashHeader: "header-with-bin"}, 0, 0},
		{RingHash{RequestHashHeader: "x-BIN"}, 0, 0},
	} {
		err := row.config.Check()
		if refused := row.most == 0; refused != (err != nil) {
			t.Errorf("%+v: %v, want it refused: %v", row.config, err, refused)
		}
		least, most := row.config.sizes()
		if err == nil && (least != row.least || most != row.most) {
			t.Errorf("%+v: sizes %d to %d, want %d to %d", row.config, least, most, row.least,
				row.most)
		}
	}
	if h := newFakeHost(RingHash{RequestHashHeader: "x-KEY"}, 1); h.b.(*ringHash).header != keyed {
		t.Error("the name of a header has small letters")
	}
}

// set2 is a ring_hash of two endpoints, the first at the beginning of the ring, in given states.
func set2(states ...Connectivity) (*fakeHost, *ringHash) {
	h := newFakeHost(RingHash{RequestHashHeader: keyed}, 1)
	h.resolve(h.singles("a", "b")...)
	r := h.b.(*ringHash)
	r.ring = ring{[]uint64{0, math.MaxUint64}, []int32{0, 1}}
	for i, c := range r.children {
		r.count[c.state]--
		c.state, c.lazy = states[i], false
		r.count[c.state]++
		c.list[0].sc = h.NewSubConn(c.list[0].address)
		c.err = &Status{Code: Unavailable, Text: c.list[0].address.Text}
	}
	h.take()
	return h, r
}

func TestRingHashPick(t *testing.T) {
	const C, R, I, F = Connecting, Ready, Idle, TransientFailure
	fail := func(text string) Pick { return Fail(&Status{Code: Unavailable, Text: text}) }
	for _, row := range []struct {
		rule   string
		states []Connectivity
		any    bool // without a key
		want   Pick
		wakes  int // the endpoint that it wakes, or -1
	}{
		{"ready", []Connectivity{R, I}, false, Send(0), -1},
		{"connecting: wait", []Connectivity{C, R}, false, Queue(), -1},
		{"idle: connect and wait", []Connectivity{I, R}, false, Queue(), 0},
		{"failed, next ready", []Connectivity{F, R}, false, Send(1), -1},
		{"failed, next connecting", []Connectivity{F, C}, false, Queue(), -1},
		{"failed, next idle", []Connectivity{F, I}, false, Queue(), 1},
		{"both failed: why the first did", []Connectivity{F, F}, false, fail("a"), -1},
		{"any: ready", []Connectivity{R, I}, true, Send(0), -1},
		{"any: idle is woken on the way", []Connectivity{I, R}, true, Send(1), 0},
		{"any: one is connecting", []Connectivity{C, I}, true, Queue(), -1},
		{"any: one is connecting after the idle one", []Connectivity{I, C}, true, Queue(), -1},
		{"any: failed, next idle", []Connectivity{F, I}, true, Queue(), 1},
		{"any: only one is woken", []Connectivity{I, I}, true, Queue(), 0},
		{"any: both failed", []Connectivity{F, F}, true, fail("a"), -1},
	} {
		_, r := set2(row.states...)
		pick := r.pick
		if row.any {
			pick = r.pickAny
		}
		got, wakes := pick(0), -1
		for i, c := range r.children {
			if c.woken {
				wakes = i
			}
		}
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
	h, r := set2(Ready, Ready)
	r.ring = ring{[]uint64{1 << 62, 1 << 63}, []int32{0, 1}}
	twin := *h.rand
	for range 100 {
		want := SubConn(0)
		if word := twin.Uint64(); word > 1<<62 && word <= 1<<63 {
			want = 1
		}
		if got := r.Pick(Call{Header: "x-other", Key: 1}).SubConn; got != want {
			t.Fatalf("SubConn %d, want %d", got, want)
		}
	}
	for key := range uint64(100) {
		want := SubConn(0)
		text := []byte{byte('0' + key/10), byte('0' + key%10)}
		if key < 10 {
			text = text[1:]
		}
		if hash := xxHash(0, text); hash > 1<<62 && hash <= 1<<63 {
			want = 1
		}
		if got := r.Pick(Call{Header: keyed, Key: key}).SubConn; got != want {
			t.Fatalf("key %d: SubConn %d, want %d", key, got, want)
		}
	}
	if twin != *h.rand {
		t.Error("a pick with a key draws")
	}
}

func TestRingHashAggregates(t *testing.T) {
	const C, R, I, F = Connecting, Ready, Idle, TransientFailure
	for _, row := range []struct {
		states []Connectivity
		want   Connectivity
	}{
		{[]Connectivity{R}, R}, {[]Connectivity{C}, C}, {[]Connectivity{I}, I},
		{[]Connectivity{F}, F}, {[]Connectivity{R, F}, R}, {[]Connectivity{R, F, F}, R},
		{[]Connectivity{C, F}, C}, {[]Connectivity{C, F, F}, F}, {[]Connectivity{I, F}, C},
		{[]Connectivity{I, F, F}, F}, {[]Connectivity{I, C}, C}, {nil, F},
	} {
		r := &ringHash{endpointSharding: &endpointSharding{
			children: make([]*endpointChild, len(row.states)),
		}}
		for _, s := range row.states {
			r.count[s]++
		}
		if got := r.aggregate(); got != row.want {
			t.Errorf("%v: %v, want %v", row.states, got, row.want)
		}
	}
}
