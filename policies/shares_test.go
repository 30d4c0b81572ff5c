package policies_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// shares sends RPCs, each done before the next, and counts them by SubConn.
func shares(h *policytest.Host, rpcs int) []int {
	count := make([]int, h.SubConns())
	for range rpcs {
		p := h.Picker.Pick(policies.Call{})
		h.Picker.Done(p, policies.Outcome{})
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
	for _, p := range []policies.Policy{
		policies.Random{}, policies.LeastRequest{ChoiceCount: 2},
		policies.LeastRequest{ChoiceCount: 10},
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
		p := policies.LeastRequest{ChoiceCount: uint32(row.choices)}
		h := readyHost(p, row.endpoints, shareSeed)
		busy := h.Pick().SubConn
		got := shares(h, shareRPCs)[busy]
		checkShare(t, fmt.Sprint(row), got, row.want)
	}
}

// One endpoint is idle, the others are equally busy: the idle one gets all RPCs for which any draw
// falls on it, 1-(1-1/n)^choices.
func TestLeastRequestSendsToTheIdleOne(t *testing.T) {
	const n, choices = 10, 3
	h := readyHost(policies.LeastRequest{ChoiceCount: choices}, n, shareSeed)
	for i := range n - 1 {
		policies.AddInFlight(h.Picker, i)
	}
	got := shares(h, shareRPCs)[h.SubConn("9")]
	checkShare(t, "the idle one", got, 1-math.Pow(1-1./n, choices))
}

// The power of two choices: with 100 RPCs in flight an endpoint, the fullest has hardly more.
// Theory (Berenbrink et al., SIAM J. Comput. 2006): the excess is log2(ln n) + O(1), here 2.8 +
// O(1), however many RPCs there are; one random choice has about sqrt(2·100·ln n), here 37. The
// bounds 8 and 25 leave room for the O(1) and tell the two apart by far.
func TestTwoChoicesFillEvenly(t *testing.T) {
	const n, each = 1000, 100
	excess := func(p policies.Policy) int {
		h := readyHost(p, n, shareSeed)
		count := make([]int, n)
		for range n * each {
			count[h.Picker.Pick(policies.Call{}).SubConn]++
		}
		return slices.Max(count) - each
	}
	if got := excess(policies.LeastRequest{ChoiceCount: 2}); got > 8 {
		t.Errorf("least_request: the fullest has %d RPCs more than the mean, want at most 8", got)
	}
	if got := excess(policies.Random{}); got < 25 {
		t.Errorf("random: the fullest has %d RPCs more than the mean, want at least 25", got)
	}
}
