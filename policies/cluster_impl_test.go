package policies_test

import (
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
	"lbsim/sim"
)

// clusterOf is a cluster_impl over two READY backends.
func clusterOf(p policies.ClusterImpl) *policytest.Host {
	p.Child = policies.RoundRobin{}
	return readyHost(p, 2, 1)
}

// pickAll picks n times, without an end, and counts the answers.
func pickAll(h *policytest.Host, n int) (sent, dropped int, text string) {
	for range n {
		switch p := h.Pick(); p.Verdict {
		case policies.Sent:
			sent++
		case policies.Dropped:
			dropped++
			text = p.Status.Text
		}
	}
	return sent, dropped, text
}

// Rows of grpc-go's tests: requests that do not end, and a limit.
func TestClusterImplLimit(t *testing.T) {
	for _, row := range []struct {
		most          uint32
		n, sent, over int
		text          string
	}{
		{1024, 1024, 1024, 0, ""},
		{32, 64, 32, 32, "max requests 32 exceeded on service shop"},
		{3, 103, 3, 100, "max requests 3 exceeded on service shop"},
		{0, 1, 0, 1, "max requests 0 exceeded on service shop"},
	} {
		h := clusterOf(policies.ClusterImpl{Cluster: "shop", MaxRequests: row.most})
		sent, over, text := pickAll(h, row.n)
		if sent != row.sent || over != row.over || text != row.text {
			t.Errorf("limit %d, %d RPCs: %d sent, %d dropped (%s), want %d and %d (%s)", row.most,
				row.n, sent, over, text, row.sent, row.over, row.text)
		}
	}
}

// A category drops its share of those that the categories before let pass. Of 100,000 RPCs 2 % are
// 2000 ± 4·44 and so on: each bound is four standard deviations.
func TestClusterImplShares(t *testing.T) {
	const n = 100_000
	for _, row := range []struct {
		drops      []policies.DropOverload
		want, diff float64
	}{
		{nil, 0, 0},
		{[]policies.DropOverload{{"", 0, 100}}, 0, 0},
		{[]policies.DropOverload{{"", 1, 50}}, 2000, 177},
		{[]policies.DropOverload{{"", 1, 2}}, 50_000, 632},
		{[]policies.DropOverload{{"", 1, 2}, {"", 1, 2}}, 75_000, 548},
		{[]policies.DropOverload{{"", 0, 2}, {"", 3, 10}, {"", 1, 10}}, 37_000, 611},
		{[]policies.DropOverload{{"", 1, 1}}, n, 0},
	} {
		h := clusterOf(policies.ClusterImpl{MaxRequests: n, Drops: row.drops})
		_, dropped, text := pickAll(h, n)
		if d := float64(dropped); d < row.want-row.diff || d > row.want+row.diff {
			t.Errorf("%v: %d of %d are dropped, want %v ± %v", row.drops, dropped, n, row.want,
				row.diff)
		}
		if dropped > 0 && text != "RPC is dropped" {
			t.Errorf("dropped with %q", text)
		}
	}
}

// One word is drawn for each category until one drops; nothing while the child is not READY.
func TestClusterImplDraws(t *testing.T) {
	drops := []policies.DropOverload{{"", 1, 4}, {"", 1, 2}}
	h := clusterOf(policies.ClusterImpl{MaxRequests: 10, Drops: drops})
	for _, row := range []struct {
		first, second int
		words         int
	}{{0, 0, 1}, {1, 0, 2}, {3, 1, 2}} {
		draw(h, func(r *sim.Rand) bool {
			return r.IntN(4) == row.first && (row.words == 1 || r.IntN(2) == row.second)
		})
		want := *h.Rand()
		for range row.words {
			want.Uint64()
		}
		if h.Pick(); *h.Rand() != want {
			t.Errorf("draws %d, %d: not %d words are drawn", row.first, row.second, row.words)
		}
	}
	_ = h.Resolve()
	before := *h.Rand()
	if p := h.Pick(); p.Verdict != policies.Failed || *h.Rand() != before {
		t.Errorf("in %v: %+v", h.State, p)
	}
}

func TestClusterImplOptions(t *testing.T) {
	for _, row := range []struct {
		p    policies.ClusterImpl
		want string
	}{
		{policies.ClusterImpl{
			Drops: []policies.DropOverload{{"lb", 1, 0}}, Child: policies.RoundRobin{},
		},
			`drops: "lb": denominator must be >= 1 (is 0)`},
		{policies.ClusterImpl{MaxRequests: 1024}, "child: must be a policy"},
		{policies.ClusterImpl{Child: policies.RoundRobin{}}, ""},
	} {
		got := row.p.Check()
		if got == nil && row.want != "" || got != nil && got.Error() != row.want {
			t.Errorf("%+v: %v, want %q", row.p, got, row.want)
		}
	}
}
