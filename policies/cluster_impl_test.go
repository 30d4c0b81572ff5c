package policies

import (
	"testing"

	"lbsim/sim"
)

// Rows of grpc-go's tests: how many of a million RPCs a share drops.
func TestClusterImplPerMillion(t *testing.T) {
	for _, row := range []struct {
		of   [2]uint32
		want uint64
	}{
		{[2]uint32{0, million}, 0}, {[2]uint32{5, 100}, 50_000},
		{[2]uint32{4295, million}, 4295}, {[2]uint32{10_000, million}, 10_000},
		{[2]uint32{500_000, million}, 500_000}, {[2]uint32{million, million}, million},
		{[2]uint32{150, 100}, million}, {[2]uint32{1, 3}, 333_333},
		{[2]uint32{4294967295, 1}, million},
	} {
		if got := (DropOverload{"", row.of[0], row.of[1]}).perMillion(); got != row.want {
			t.Errorf("%d of %d: %d of a million, want %d", row.of[0], row.of[1], got, row.want)
		}
	}
}

// clusterOf is a cluster_impl over two READY backends.
func clusterOf(p ClusterImpl) *fakeHost {
	p.Child = RoundRobin{}
	return readyHost(p, 2, 1)
}

// pickAll picks n times, without an end, and counts the answers.
func pickAll(h *fakeHost, n int) (sent, dropped int, text string) {
	for range n {
		switch p := h.pick(); p.Verdict {
		case Sent:
			sent++
		case Dropped:
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
		h := clusterOf(ClusterImpl{Cluster: "shop", MaxRequests: row.most})
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
		drops      []DropOverload
		want, diff float64
	}{
		{nil, 0, 0},
		{[]DropOverload{{"", 0, 100}}, 0, 0},
		{[]DropOverload{{"", 1, 50}}, 2000, 177},
		{[]DropOverload{{"", 1, 2}}, 50_000, 632},
		{[]DropOverload{{"", 1, 2}, {"", 1, 2}}, 75_000, 548},
		{[]DropOverload{{"", 0, 2}, {"", 3, 10}, {"", 1, 10}}, 37_000, 611},
		{[]DropOverload{{"", 1, 1}}, n, 0},
	} {
		h := clusterOf(ClusterImpl{MaxRequests: n, Drops: row.drops})
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
	drops := []DropOverload{{"", 1, 4}, {"", 1, 2}}
	h := clusterOf(ClusterImpl{MaxRequests: 10, Drops: drops})
	for _, row := range []struct {
		first, second int
		words         int
	}{{0, 0, 1}, {1, 0, 2}, {3, 1, 2}} {
		h.draw(func(r *sim.Rand) bool {
			return r.IntN(4) == row.first && (row.words == 1 || r.IntN(2) == row.second)
		})
		want := *h.rand
		for range row.words {
			want.Uint64()
		}
		if h.pick(); *h.rand != want {
			t.Errorf("draws %d, %d: not %d words are drawn", row.first, row.second, row.words)
		}
	}
	_ = h.resolve()
	before := *h.rand
	if p := h.pick(); p.Verdict != Failed || *h.rand != before {
		t.Errorf("in %v: %+v", h.state, p)
	}
}

func TestClusterImplOptions(t *testing.T) {
	for _, row := range []struct {
		p    ClusterImpl
		want string
	}{
		{ClusterImpl{Drops: []DropOverload{{"lb", 1, 0}}, Child: RoundRobin{}},
			`drops: "lb": denominator must be >= 1 (is 0)`},
		{ClusterImpl{MaxRequests: 1024}, "child: must be a policy"},
		{ClusterImpl{Child: RoundRobin{}}, ""},
	} {
		got := row.p.Check()
		if got == nil && row.want != "" || got != nil && got.Error() != row.want {
			t.Errorf("%+v: %v, want %q", row.p, got, row.want)
		}
	}
}
