package policies_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

func TestRandomSubsettingConfig(t *testing.T) {
	for _, row := range []struct {
		config policies.RandomSubsetting
		want   string
	}{
		{policies.RandomSubsetting{}, "subset_size: must be greater than 0"},
		{policies.RandomSubsetting{Child: policies.RoundRobin{}},
			"subset_size: must be greater than 0"},
		{policies.RandomSubsetting{SubsetSize: 3}, "child: must be specified"},
		{policies.RandomSubsetting{SubsetSize: 3, Child: policies.RoundRobin{}}, ""},
	} {
		err := row.config.Check()
		if row.want == "" && err != nil || row.want != "" && err == nil ||
			err != nil && !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %q", row.config, err, row.want)
		}
	}
}

// An endpoint that comes or goes changes one of the part at most.
func TestSubsetHardlyChanges(t *testing.T) {
	h := policytest.NewHost(policies.Random{}, 1)
	var list []*policies.Endpoint
	for i := range 50 {
		list = append(list, h.Endpoint(fmt.Sprint("b/", i)))
	}
	for seed := range uint64(20) {
		all := policies.Subset(list, 10, seed)
		for gone := range list {
			less := policies.Subset(slices.Delete(slices.Clone(list), gone, gone+1), 10, seed)
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
	p := policies.RandomSubsetting{SubsetSize: 2, Child: policies.PickFirst{}}
	h := policytest.NewHost(p, 3)
	twin := *policytest.NewHost(policies.RoundRobin{}, 3).Rand()
	seed := twin.Uint64()
	list := h.Endpoints("a", "b", "c", "d", "e")
	h.Resolve(list...)
	h.Resolve(list...)
	want := policies.Subset(list, 2, seed)[0].Addresses[0]
	if got := h.AddressOf(0); got != want || twin != *h.Rand() {
		t.Errorf("first address %s, want %s; drew as wanted: %v", got.Text, want.Text,
			twin == *h.Rand())
	}
}

// Options that change take effect with the next list: another size, another policy inside.
func TestRandomSubsettingConfigures(t *testing.T) {
	part := func(size uint32, child policies.Policy) policies.RandomSubsetting {
		return policies.RandomSubsetting{SubsetSize: size, Child: child}
	}
	h := policytest.NewHost(part(2, policies.RoundRobin{}), 3)
	list := h.Endpoints("a", "b", "c", "d", "e")
	update := func(p policies.Policy) int {
		if err := h.Balancer.Update(policies.State{Endpoints: list, Policy: p}); err != nil {
			t.Fatal(err)
		}
		h.Settle()
		h.ConnectAll()
		return subConnsReady(h)
	}
	for _, row := range []struct {
		policy policies.Policy
		want   int
	}{
		{nil, 2}, {part(4, policies.RoundRobin{}), 4}, {nil, 4},
		{part(4, policies.PickFirst{}), 1}, {nil, 1},
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
	h := policytest.NewHost(policies.Random{}, 1)
	var list []*policies.Endpoint
	for i := range n {
		list = append(list, h.Endpoint(fmt.Sprint("b/", i)))
	}
	count := make([]float64, n)
	for range parts {
		for _, e := range policies.Subset(list, size, h.Rand().Uint64()) {
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
