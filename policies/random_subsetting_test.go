package policies

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestRandomSubsettingConfig(t *testing.T) {
	for _, row := range []struct {
		config RandomSubsetting
		want   string
	}{
		{RandomSubsetting{}, "subset_size: must be greater than 0"},
		{RandomSubsetting{Child: RoundRobin{}}, "subset_size: must be greater than 0"},
		{RandomSubsetting{SubsetSize: 3}, "child: must be specified"},
		{RandomSubsetting{SubsetSize: 3, Child: RoundRobin{}}, ""},
	} {
		err := row.config.Check()
		if row.want == "" && err != nil || row.want != "" && err == nil ||
			err != nil && !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %q", row.config, err, row.want)
		}
	}
}

// The rows of grpc-go's tests (balancer/randomsubsetting, v1.85.0), and what it made of further
// seeds when it was run.
func TestSubset(t *testing.T) {
	h := newFakeHost(Random{}, 1)
	numbered := func(format string, from, n int) (list []*Endpoint) {
		for i := range n {
			list = append(list, h.endpoint(fmt.Sprintf(format, from+i)))
		}
		return list
	}
	ten := numbered("endpoint-%d", 0, 10)
	empty := slices.Concat([]*Endpoint{{ID: 99}}, ten[:3])
	eight := numbered("10.0.0.%d:80", 1, 8)
	for _, row := range []struct {
		list []*Endpoint
		size uint32
		seed uint64
		want []int // places in the list
	}{
		{nil, 3, 0, nil},
		{ten[:5], 10, 0, []int{0, 1, 2, 3, 4}},
		{ten[:5], 5, 0, []int{0, 1, 2, 3, 4}},
		{ten, 5, 0, []int{6, 0, 1, 7, 3}},
		{ten, 5, 1, []int{4, 3, 6, 5, 0}},
		{ten, 5, 42, []int{9, 7, 1, 5, 0}},
		{eight, 3, 7, []int{7, 2, 0}},
		{empty, 3, 0, []int{1, 2, 3}},
		{empty, 2, 0, []int{1, 2}},
		{ten[:3], math.MaxUint32, 0, []int{0, 1, 2}},
	} {
		before := slices.Clone(row.list)
		got := subset(row.list, row.size, row.seed)
		same := len(got) == len(row.want) && slices.Equal(before, row.list)
		for i, place := range row.want {
			same = same && got[i] == row.list[place]
		}
		if !same {
			t.Errorf("%d of %d with seed %d: %v, want %v", row.size, len(row.list), row.seed, got,
				row.want)
		}
	}
}

// An endpoint that comes or goes changes one of the part at most.
func TestSubsetHardlyChanges(t *testing.T) {
	h := newFakeHost(Random{}, 1)
	var list []*Endpoint
	for i := range 50 {
		list = append(list, h.endpoint(fmt.Sprint("b/", i)))
	}
	for seed := range uint64(20) {
		all := subset(list, 10, seed)
		for gone := range list {
			less := subset(slices.Delete(slices.Clone(list), gone, gone+1), 10, seed)
			n := 0
			for _, e := range less {
				if !slices.Contains(all, e) {
					n++
				}
			}
			if want := slices.Contains(all, list[gone]); n > 1 || (n == 1) != want {
				t.Errorf("seed %d without %d: %d others, in the part: %v", seed, gone, n, want)
			}
		}
	}
}

// A channel draws one word, when it is built, and keeps its part.
func TestRandomSubsettingDrawsOnce(t *testing.T) {
	p := RandomSubsetting{SubsetSize: 2, Child: PickFirst{}}
	h := newFakeHost(p, 3)
	twin := *newFakeHost(RoundRobin{}, 3).rand
	seed := twin.Uint64()
	list := h.singles("a", "b", "c", "d", "e")
	h.resolve(list...)
	h.resolve(list...)
	want := subset(list, 2, seed)[0].Addresses[0]
	if got := h.subConns[0].address; got != want || twin != *h.rand {
		t.Errorf("first address %s, want %s; drew as wanted: %v", got.Text, want.Text,
			twin == *h.rand)
	}
}

// Options that change take effect with the next list: another size, another policy inside.
func TestRandomSubsettingConfigures(t *testing.T) {
	h := newFakeHost(RandomSubsetting{SubsetSize: 2, Child: RoundRobin{}}, 3)
	list := h.singles("a", "b", "c", "d", "e")
	update := func(p Policy) int {
		if err := h.b.Update(State{Endpoints: list, Policy: p}); err != nil {
			t.Fatal(err)
		}
		h.settle()
		h.connectAll()
		return h.subConnsReady()
	}
	for _, row := range []struct {
		policy Policy
		want   int
	}{
		{nil, 2}, {RandomSubsetting{SubsetSize: 4, Child: RoundRobin{}}, 4}, {nil, 4},
		{RandomSubsetting{SubsetSize: 4, Child: PickFirst{}}, 1}, {nil, 1},
	} {
		if got := update(row.policy); got != row.want {
			t.Errorf("%+v: %d connections, want %d", row.policy, got, row.want)
		}
	}
}

// Each endpoint is in the same share of the parts. The bound is five standard deviations of a
// binomial count: one endpoint in 1.7 million misses it.
func TestSubsetsAreFair(t *testing.T) {
	const parts, n, size = 10000, 30, 9
	h := newFakeHost(Random{}, 1)
	var list []*Endpoint
	for i := range n {
		list = append(list, h.endpoint(fmt.Sprint("b/", i)))
	}
	count := make([]float64, n)
	for range parts {
		for _, e := range subset(list, size, h.rand.Uint64()) {
			count[e.ID]++
		}
	}
	share := float64(size) / n
	for i, c := range count {
		if off := (c - parts*share) / math.Sqrt(parts*share*(1-share)); math.Abs(off) > 5 {
			t.Errorf("endpoint %d is in %v of %d parts, off by %.1f deviations", i, c, parts, off)
		}
	}
}
