package policies

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// ringOf makes a ring of endpoints with the names a, b, … and the given weights.
func ringOf(least, most uint64, weights ...uint32) ring {
	return newRing(nodesOf(weights...), least, most)
}

func nodesOf(weights ...uint32) []ringNode {
	var children []*endpointChild
	for i, w := range weights {
		a := &Address{int32(i), string(rune('a' + i))}
		e := &Endpoint{ID: a.ID, Addresses: []*Address{a}, Weight: w}
		children = append(children, &endpointChild{endpoint: e})
	}
	return ringNodes(children)
}

// counts returns how many points each node has.
func (r *ring) counts(nodes int) []int {
	count := make([]int, nodes)
	for _, n := range r.nodes {
		count[n]++
	}
	return count
}

// How many points each endpoint gets. The rows are what grpc-go v1.85.0 made when it was run.
func TestRingSizes(t *testing.T) {
	abc := []uint32{3, 3, 4}
	for _, row := range []struct {
		least, most uint64
		weights     []uint32
		want        []int
	}{
		{3, 20, abc, []int{1, 1, 2}},
		{4, 20, abc, []int{2, 2, 3}},
		{6, 20, abc, []int{2, 2, 3}},
		{8, 20, abc, []int{3, 3, 4}},
		{8, 8, abc, []int{3, 2, 3}},
		{1024, 4096, abc, []int{308, 308, 411}},
		{1024, 4096, []uint32{1, 1, 2}, []int{256, 256, 512}},
		{1024, 4096, []uint32{1, 1, 1}, []int{342, 342, 342}},
		{1024, 4096, []uint32{0, 1, 0}, []int{342, 342, 342}}, // 0 counts as 1
		{1024, 4096, []uint32{1, 1, 1, 1, 1, 1, 1}, slices.Repeat([]int{147}, 7)},
		{1024, 4096, []uint32{1, 1000}, []int{2, 2000}},
		{1024, 4096, []uint32{1, 10000}, []int{1, 4095}},
		{1, 10, []uint32{1, 2}, []int{1, 2}},
		{1024, 4096, []uint32{math.MaxUint32, math.MaxUint32}, []int{512, 512}},
	} {
		r := ringOf(row.least, row.most, row.weights...)
		if got := r.counts(len(row.weights)); !slices.Equal(got, row.want) {
			t.Errorf("weights %v, sizes %d to %d: %v points, want %v", row.weights, row.least,
				row.most, got, row.want)
		}
	}
}

// A whole ring, and where hashes lead on it, as grpc-go v1.85.0 has it.
func TestRingPoints(t *testing.T) {
	r := ringOf(10, 20, 3, 3, 4)
	points := []uint64{
		4148279810343392165, 4189641231046734040, 5051629784258667479, 5637671355026233228,
		6560897439782492108, 7866922100246443948, 8142612688290817183, 14554126711339088812,
		14801583559950740418, 18017992814255492179,
	}
	nodes := []int32{0, 1, 2, 1, 1, 0, 2, 2, 2, 0}
	if !slices.Equal(r.points, points) || !slices.Equal(r.nodes, nodes) {
		t.Fatalf("ring %v of nodes %v, want %v of %v", r.points, r.nodes, points, nodes)
	}
	for _, row := range []struct {
		hash uint64
		want int
	}{
		{xxHash(0, []byte("1")), 7}, {xxHash(0, []byte("2")), 5}, {xxHash(0, []byte("3")), 0},
		{xxHash(0, []byte("4")), 7}, {0, 0}, {math.MaxUint64, 0}, {points[3], 3},
		{points[3] + 1, 4},
	} {
		if got := r.find(row.hash); got != row.want {
			t.Errorf("hash %d: point %d, want %d", row.hash, got, row.want)
		}
	}
}

// The share of each of three equal endpoints, by keys and by arcs, as in grpc-go v1.85.0.
func TestRingShares(t *testing.T) {
	h := newFakeHost(RingHash{}, 1)
	h.resolve(h.singles("10.0.0.3:80", "10.0.0.1:80", "10.0.0.2:80")...)
	r := &h.b.(*ringHash).ring
	var keys [3]int
	for i := range 10000 {
		keys[r.nodes[r.find(xxHash(0, fmt.Appendf(nil, "key-%d", i)))]]++
	}
	if keys != [3]int{3380, 3362, 3258} {
		t.Errorf("of 10,000 keys %v, want 3380, 3362 and 3258", keys)
	}
	var arcs [3]float64
	last := r.points[len(r.points)-1]
	for i, p := range r.points {
		arcs[r.nodes[i]] += float64(p-last) / math.Ldexp(1, 64)
		last = p
	}
	for i, want := range []float64{.33177, .33553, .33271} {
		if math.Abs(arcs[i]-want) > 5e-6 {
			t.Errorf("arc %d: %.5f of the ring, want %v", i, arcs[i], want)
		}
	}
}

// The ring is built anew only where that changes it; the report comes in any case.
func TestRingIsKept(t *testing.T) {
	h := newFakeHost(RingHash{MinRingSize: 1, MaxRingSize: 10}, 1)
	b := h.b.(*ringHash)
	weighted := func(name string, w uint32, key string) *Endpoint {
		e := *h.endpoint(name)
		e.Weight, e.HashKey = w, key
		return &e
	}
	for i, row := range []struct {
		list    string
		policy  Policy
		rebuilt bool
		points  int
	}{
		{"a1 b2", nil, true, 3},
		{"a1 b2", nil, false, 3},
		{"b2 a1", nil, false, 3},
		{"a1 b2", RingHash{MinRingSize: 1, MaxRingSize: 10, RequestHashHeader: "x"}, false, 3},
		{"a1 b3", nil, true, 4},
		{"a0 b3", nil, false, 4},
		{"a1 b3 c1", nil, true, 5},
		{"a1 b3", nil, true, 4},
		{"a1 b3k", nil, true, 4},
		{"a1 b3k", RingHash{MinRingSize: 1, MaxRingSize: 2}, true, 2},
	} {
		var list []*Endpoint
		for _, text := range strings.Fields(row.list) {
			list = append(list, weighted(text[:1], uint32(text[1]-'0'), text[2:]))
		}
		var before *uint64
		if len(b.ring.points) > 0 {
			before = &b.ring.points[0]
		}
		h.take()
		if err := b.Update(State{Endpoints: list, Policy: row.policy}); err != nil {
			t.Fatal(err)
		}
		if rebuilt := &b.ring.points[0] != before; rebuilt != row.rebuilt ||
			len(b.ring.points) != row.points || len(h.take()) != 1 {
			t.Errorf("row %d, %s: ring built: %v, want %v; %d points, want %d", i, row.list,
				rebuilt, row.rebuilt, len(b.ring.points), row.points)
		}
	}
}

// Endpoints that come and go move only the keys that they get or leave.
func TestRingMovesFewKeys(t *testing.T) {
	before, after := ringOf(100, 100, 1, 1, 1, 1), ringOf(125, 125, 1, 1, 1, 1, 1)
	for k := range 10000 {
		h := xxHash(0, fmt.Append(nil, k))
		from, to := before.nodes[before.find(h)], after.nodes[after.find(h)]
		if from != to && to != 4 {
			t.Fatalf("key %d moves from node %d to %d, which are old", k, from, to)
		}
	}
}

// Endpoints with one key are one to the picker: it sees the state of the last of them.
func TestRingOfCollidingKeys(t *testing.T) {
	nodes := nodesOf(1, 1)
	nodes[0].key, nodes[1].key = "k", "k"
	if r := newRing(nodes, 4, 4); !slices.Equal(r.counts(2), []int{0, 4}) ||
		r.points[0] != r.points[1] {
		t.Errorf("ring %v", r)
	}
}

func TestRingRemarks(t *testing.T) {
	for _, row := range []struct {
		policy Policy
		n      int
		want   string
	}{
		{RingHash{}, 0, ""},
		{RingHash{}, 3, "ring of 1026 points, 342 to 342 an endpoint: shares are off by about 5%"},
		{RingHash{MaxRingSize: 4, MinRingSize: 4}, 5,
			"ring of 4 points, 0 to 1 an endpoint: some get no keys"},
		{RandomSubsetting{SubsetSize: 2, Child: RingHash{}}, 5,
			"ring of 1024 points, 512 to 512 an endpoint: shares are off by about 4%"},
		{RandomSubsetting{SubsetSize: 2, Child: RoundRobin{}}, 5, ""},
	} {
		h := newFakeHost(row.policy, 1)
		h.resolve(h.singles([]string{"a", "b", "c", "d", "e"}[:row.n]...)...)
		if got := h.b.(Remarker).Remark(); got != row.want {
			t.Errorf("%+v of %d: %q, want %q", row.policy, row.n, got, row.want)
		}
	}
	if got := newFakeHost(RandomSubsetting{}, 1).b.(Remarker).Remark(); got != "" {
		t.Errorf("before any list: %q, want nothing", got)
	}
}
