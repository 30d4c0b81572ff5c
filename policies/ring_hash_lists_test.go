package policies_test

import (
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// The ring is built anew only where that changes it; the report comes in any case.
func TestRingIsKept(t *testing.T) {
	h := policytest.NewHost(policies.RingHash{MinRingSize: 1, MaxRingSize: 10}, 1)
	b := h.Balancer
	weighted := func(name string, w uint32, key string) *policies.Endpoint {
		e := *h.Endpoint(name)
		e.Weight, e.HashKey = w, key
		return &e
	}
	for i, row := range []struct {
		list    string
		policy  policies.Policy
		rebuilt bool
		points  int
	}{
		{"a1 b2", nil, true, 3},
		{"a1 b2", nil, false, 3},
		{"b2 a1", nil, false, 3},
		{"a1 b2", policies.RingHash{
			MinRingSize: 1, MaxRingSize: 10, RequestHashHeader: "x",
		}, false, 3},
		{"a1 b3", nil, true, 4},
		{"a0 b3", nil, false, 4},
		{"a1 b3 c1", nil, true, 5},
		{"a1 b3", nil, true, 4},
		{"a1 b3k", nil, true, 4},
		{"a1 b3k", policies.RingHash{MinRingSize: 1, MaxRingSize: 2}, true, 2},
	} {
		var list []*policies.Endpoint
		for _, text := range strings.Fields(row.list) {
			list = append(list, weighted(text[:1], uint32(text[1]-'0'), text[2:]))
		}
		var before *uint64
		if points, _ := policies.RingOf(b); len(points) > 0 {
			before = &points[0]
		}
		h.Calls()
		if err := b.Update(policies.State{Endpoints: list, Policy: row.policy}); err != nil {
			t.Fatal(err)
		}
		points, _ := policies.RingOf(b)
		if rebuilt := &points[0] != before; rebuilt != row.rebuilt ||
			len(points) != row.points || len(h.Calls()) != 1 {
			t.Errorf("row %d, %s: ring built: %v, want %v; %d points, want %d", i, row.list,
				rebuilt, row.rebuilt, len(points), row.points)
		}
	}
}

func TestRingRemarks(t *testing.T) {
	for _, row := range []struct {
		policy policies.Policy
		n      int
		want   string
	}{
		{policies.RingHash{}, 0, ""},
		{policies.RingHash{}, 3,
			"ring of 1026 points, 342 to 342 an endpoint: shares are off by about 5%"},
		{policies.RingHash{MaxRingSize: 4, MinRingSize: 4}, 5,
			"ring of 4 points, 0 to 1 an endpoint: some get no keys"},
		{policies.RandomSubsetting{SubsetSize: 2, Child: policies.RingHash{}}, 5,
			"ring of 1024 points, 512 to 512 an endpoint: shares are off by about 4%"},
		{policies.RandomSubsetting{SubsetSize: 2, Child: policies.RoundRobin{}}, 5, ""},
	} {
		h := policytest.NewHost(row.policy, 1)
		h.Resolve(h.Endpoints([]string{"a", "b", "c", "d", "e"}[:row.n]...)...)
		if got := h.Balancer.(policies.Remarker).Remark(); got != row.want {
			t.Errorf("%+v of %d: %q, want %q", row.policy, row.n, got, row.want)
		}
	}
	h := policytest.NewHost(policies.RandomSubsetting{}, 1)
	if got := h.Balancer.(policies.Remarker).Remark(); got != "" {
		t.Errorf("before any list: %q, want nothing", got)
	}
}
