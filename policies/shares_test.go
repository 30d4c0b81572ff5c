package policies

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
)

// readyHost returns a host on which n endpoints are READY.
func readyHost(p Policy, n int, seed uint64) *fakeHost {
	h := newFakeHost(p, seed)
	list := make([]*Endpoint, n)
	for i := range list {
		a := &Address{int32(i), strconv.Itoa(i)}
		h.addresses = append(h.addresses, a)
		list[i] = placed(&Endpoint{ID: int32(i), Addresses: []*Address{a}})
	}
	h.resolve(list...)
	if r, ok := h.b.(*ringHash); ok {
		for _, c := range r.children {
			c.wake(r.endpointSharding)
		}
		h.settle()
	}
	h.connectAll()
	return h
}

// shares sends RPCs, each done before the next, and counts them by SubConn.
func shares(h *fakeHost, rpcs int) []int {
	count := make([]int, len(h.subConns))
	for range rpcs {
		p := h.picker.Pick(Call{})
		h.picker.Done(p, Outcome{})
		count[p.SubConn]++
	}
	return count
}

// The seed is fixed, so these tests always end the same way. Their bound, five standard deviations
// of a binomial share, is what a right policy misses for one seed in 1.7 million and endpoint; an
// error of 3 % of the share is beyond it.
const (
	shareSeed  = 1
	shareRPCs  = 1_000_000
	shareBound = 5
)

func checkShare(t *testing.T, what string, got int, want float64) {
	t.Helper()
	deviation := math.Sqrt(shareRPCs * want * (1 - want))
	if off := float64(got) - shareRPCs*want; math.Abs(off) > shareBound*deviation {
		t.Errorf("%s: %d of %d RPCs, want a share of %.4f: off by %.1f deviations", what, got,
			shareRPCs, want, off/deviation)
	}
}

// Random sends the same share to each, and so does least_request while nothing is in flight, for
// then all draws are ties.
func TestIdleSharesAreEqual(t *testing.T) {
	for _, p := range []Policy{
		Random{}, LeastRequest{ChoiceCount: 2}, LeastRequest{ChoiceCount: 10},
	} {
		const n = 7
		for sc, got := range shares(readyHost(p, n, shareSeed), shareRPCs) {
			checkShare(t, fmt.Sprintf("%T%v, SubConn %d", p, p, sc), got, 1./n)
		}
	}
}

// A busy endpoint still gets the RPCs for which every draw falls on it: draws are with replacement.
// Of two endpoints with two choices that is a quarter, not nothing.
func TestLeastRequestSendsToTheBusyOne(t *testing.T) {
	for _, row := range []struct {
		endpoints, choices int
		want               float64
	}{
		{2, 2, 1. / 4},
		{2, 5, 1. / 32},
		{3, 2, 1. / 9},
		{1, 2, 1},
	} {
		h := readyHost(LeastRequest{ChoiceCount: uint32(row.choices)}, row.endpoints, shareSeed)
		busy := h.pick().SubConn
		got := shares(h, shareRPCs)[busy]
		checkShare(t, fmt.Sprint(row), got, row.want)
	}
}

// One endpoint is idle, the others are equally busy: the idle one gets all RPCs for which any draw
// falls on it, 1-(1-1/n)^choices.
func TestLeastRequestSendsToTheIdleOne(t *testing.T) {
	const n, choices = 10, 3
	h := readyHost(LeastRequest{ChoiceCount: choices}, n, shareSeed)
	l := leastRequestOf(h.picker)
	for i := range n - 1 {
		l.ready[i].inflight++
	}
	got := shares(h, shareRPCs)[l.ready[n-1].sc]
	checkShare(t, "the idle one", got, 1-math.Pow(1-1./n, choices))
}

// The power of two choices: with 100 RPCs in flight an endpoint, the fullest has hardly more.
// Theory (Berenbrink et al., SIAM J. Comput. 2006): the excess is log2(ln n) + O(1), here 2.8 +
// O(1), however many RPCs there are; one random choice has about sqrt(2·100·ln n), here 37. The
// bounds 8 and 25 leave room for the O(1) and tell the two apart by far.
func TestTwoChoicesFillEvenly(t *testing.T) {
	const n, each = 1000, 100
	excess := func(p Policy) int {
		h := readyHost(p, n, shareSeed)
		count := make([]int, n)
		for range n * each {
			count[h.picker.Pick(Call{}).SubConn]++
		}
		return slices.Max(count) - each
	}
	if got := excess(LeastRequest{ChoiceCount: 2}); got > 8 {
		t.Errorf("least_request: the fullest has %d RPCs more than the mean, want at most 8", got)
	}
	if got := excess(Random{}); got < 25 {
		t.Errorf("random: the fullest has %d RPCs more than the mean, want at least 25", got)
	}
}
