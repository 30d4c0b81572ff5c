package policies

import (
	"fmt"
	"math"
	"slices"
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
	var children []*endpointChild
	for i, text := range []string{"10.0.0.3:80", "10.0.0.1:80", "10.0.0.2:80"} {
		children = append(children, &endpointChild{endpoint: &Endpoint{
			ID: int32(i), Addresses: []*Address{{int32(i), text}},
		}})
	}
	r := newRing(ringNodes(children), defaultMinRing, defaultMaxRing)
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
