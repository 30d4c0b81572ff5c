package policies_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// Rows of grpc-go's tests of least_request, restated (balancer/leastrequest, v1.85.0).
func TestLeastRequestOptions(t *testing.T) {
	for _, row := range []struct {
		text  string
		draws uint32 // for each RPC
		wrong string
	}{
		{`{}`, 2, ""},
		{`{"choiceCount": 3}`, 3, ""},
		{`{"choiceCount": 10}`, 10, ""},
		{`{"choiceCount": 11}`, 10, ""},
		{`{"choiceCount": 1}`, 0, "must be >= 2 (is 1)"},
		{`{"choiceCount": 0}`, 0, "must be >= 2 (is 0)"},
		{`{"choiceCount": -1}`, 0, "cannot unmarshal number -1"},
		{`{"choiceCount": "2"}`, 0, "cannot unmarshal string"},
	} {
		p := policies.Catalog["least_request"].(policies.LeastRequest)
		err := json.Unmarshal([]byte(row.text), &p)
		if err == nil {
			err = p.Check()
		}
		if row.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), row.wrong) {
				t.Errorf("%s: error %v, want one with %q", row.text, err, row.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.text, err)
		}
		h := policytest.NewHost(p, 1)
		h.Resolve(h.Endpoint("a")) // even where there is nothing to choose, it draws
		h.ConnectAll()
		twin := *h.Rand()
		h.Pick()
		for range row.draws {
			twin.Uint32()
		}
		if *h.Rand() != twin {
			t.Errorf("%s: not %d draws for an RPC", row.text, row.draws)
		}
	}
}

// Each row is an RPC: the endpoints drawn, and the one that is to get it.
func TestLeastRequestChoosesTheLessBusy(t *testing.T) {
	type rpc struct{ first, second, want uint32 }
	for _, table := range []struct {
		rule string
		done bool // each RPC ends before the next
		rpcs []rpc
	}{
		{"idle endpoints: the first drawn", true, []rpc{
			{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 1, 0}, {1, 0, 1}, {2, 1, 2},
		}},
		{"RPCs that stay: the less busy, of equals the first drawn", false, []rpc{
			{0, 0, 0}, {0, 1, 1}, {1, 2, 2}, {0, 0, 0}, {1, 0, 1}, {2, 0, 2},
			{0, 0, 0}, {2, 2, 2}, {2, 1, 1},
		}},
	} {
		h := policytest.NewHost(policies.LeastRequest{ChoiceCount: 2}, 1)
		h.Resolve(h.Endpoints("0", "1", "2")...)
		h.ConnectAll()
		for i, r := range table.rpcs {
			drawMod(h, 3, r.first, r.second)
			p := h.Pick()
			if got := h.Name(p.SubConn); got != fmt.Sprint(r.want) {
				t.Fatalf("%s: RPC %d, drawn %d and %d: %s, want %d", table.rule, i, r.first,
					r.second, got, r.want)
			}
			if table.done {
				p.Done(policies.Outcome{})
			}
		}
	}
}

// 50 RPCs run on two endpoints when a third comes. The picker is a new one, the counts are not: the
// third gets all until it has as many. So also where the endpoints have two addresses each, and one
// of them had to use its second.
func TestLeastRequestKeepsCounts(t *testing.T) {
	for _, addresses := range []int{1, 2} {
		h := policytest.NewHost(policies.LeastRequest{ChoiceCount: 3}, 1)
		endpoint := func(i int) *policies.Endpoint {
			return h.Endpoint([]string{fmt.Sprint(i, "x"), fmt.Sprint(i, "y")}[:addresses]...)
		}
		h.Resolve(endpoint(0), endpoint(1))
		h.ConnectAll()
		if addresses == 2 {
			h.Set("0x", policies.Idle)
			h.Set("0x", policies.TransientFailure)
			h.Set("0y", policies.Ready)
		}
		count := make([]int, 5)
		rpc := func(draws ...uint32) {
			drawMod(h, uint32(len(policies.ReadyOf(h.Picker))), draws...)
			count[h.Name(h.Pick().SubConn)[0]-'0']++
		}
		for i := range uint32(50) {
			rpc(i%2, (i+1)%2, i%2)
		}
		h.Resolve(endpoint(0), endpoint(1), endpoint(2))
		h.ConnectAll()
		for _, wanted := range [][]int{{25, 25, 25}, {26, 26, 26}} {
			for range wanted[0]*3 - count[0] - count[1] - count[2] {
				rpc(0, 1, 2)
			}
			if !slices.Equal(count[:3], wanted) {
				t.Errorf("%d addresses: RPCs %v, want %v", addresses, count, wanted)
			}
		}
	}
}

// An index is a word modulo the number of endpoints, as in grpc-go.
func TestLeastRequestDrawsModulo(t *testing.T) {
	h := policytest.NewHost(policies.LeastRequest{ChoiceCount: 2}, 1)
	h.Resolve(h.Endpoints("0", "1", "2", "3", "4", "5", "6")...)
	h.ConnectAll()
	twin := *h.Rand()
	for range 1000 {
		p := h.Pick()
		p.Done(policies.Outcome{})
		want := fmt.Sprint(twin.Uint32() % 7)
		twin.Uint32()
		if got := h.Name(p.SubConn); got != want {
			t.Fatalf("goes to %s, want %s", got, want)
		}
	}
}

// Counters are forgotten when an endpoint leaves READY while another is READY. Nobody READY: they
// are kept, for nobody looked.
func TestLeastRequestForgetsThoseNotReady(t *testing.T) {
	const idle, ready = policies.Idle, policies.Ready
	type events []struct {
		name  string
		state policies.Connectivity
	}
	for _, row := range []struct {
		rule   string
		events events
		want   string // who gets an RPC, a being drawn first and b second, one in flight on each
	}{
		{"nothing happens", nil, "a"},
		{"b comes back", events{{"b", idle}, {"b", ready}}, "b"},
		{"a comes back", events{{"a", idle}, {"a", ready}}, "a"},
		// b was forgotten at its end, a when b came back alone.
		{"both break, b first", events{{"b", idle}, {"a", idle}, {"b", ready}, {"a", ready}}, "a"},
	} {
		h := policytest.NewHost(policies.LeastRequest{ChoiceCount: 2}, 1)
		h.Resolve(h.Endpoints("a", "b")...)
		h.ConnectAll()
		drawMod(h, 2, 0, 0)
		first := h.Pick()
		drawMod(h, 2, 1, 1)
		second := h.Pick()
		for _, e := range row.events {
			h.Set(e.name, e.state)
		}
		drawMod(h, 2, 0, 1)
		third := h.Pick()
		if got := third.String(); got != row.want {
			t.Errorf("%s: RPC goes to %s, want %s", row.rule, got, row.want)
		}
		for _, rpc := range []policytest.RPC{first, second, third} {
			rpc.Done(policies.Outcome{})
		}
		if wrong := countsAreZero(h.Picker); wrong != "" {
			t.Errorf("%s: all are done, and %s", row.rule, wrong)
		}
	}

	h := policytest.NewHost(policies.LeastRequest{ChoiceCount: 2}, 1)
	h.Resolve(h.Endpoints("a")...)
	h.ConnectAll()
	h.Pick()
	h.Set("a", policies.Idle)
	h.Set("a", policies.Ready)
	if n := policies.CountsOf(h.Picker)[0]; n != 1 {
		t.Errorf("the only endpoint comes back with %d RPCs in flight, want 1", n)
	}
}

// Distinct choices have no limit of 10. Of 35 endpoints, where all are looked at, each
// RPC goes to one with the fewest; where 20 are, to one that 20 have at least as many as.
func TestLeastRequestDrawsManyDistinct(t *testing.T) {
	const n = 35
	for _, choices := range []uint32{100, n, 20} {
		h := policytest.NewHost(policies.LeastRequest{ChoiceCount: choices, Distinct: true}, 1)
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint(i))
		}
		h.Resolve(h.Endpoints(names...)...)
		h.ConnectAll()
		inflight := make(map[string]int)
		for i := range 3 * n {
			name := h.Name(h.Pick().SubConn)
			notLess := 0
			for _, other := range names {
				if inflight[other] >= inflight[name] {
					notLess++
				}
			}
			if want := int(min(choices, n)); notLess < want {
				t.Fatalf("%d choices, RPC %d: only %d have as many as %s, want %d or more",
					choices, i, notLess, name, want)
			}
			inflight[name]++
		}
	}
}

// Of equals each is as likely. Of 10,000 RPCs that end at once each of 20 endpoints gets 500, give
// or take 5 standard deviations of 22: a fair draw fails that with a chance below 1 in 80,000.
func TestLeastRequestFullScanIsFair(t *testing.T) {
	h := policytest.NewHost(policies.LeastRequest{ChoiceCount: 20, Distinct: true}, 1)
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprint(i))
	}
	h.Resolve(h.Endpoints(names...)...)
	h.ConnectAll()
	got := make(map[string]int)
	for range 10_000 {
		p := h.Pick()
		got[h.Name(p.SubConn)]++
		p.Done(policies.Outcome{})
	}
	for _, name := range names {
		if got[name] < 500-110 || got[name] > 500+110 {
			t.Errorf("%s got %d RPCs, want 500 ±110", name, got[name])
		}
	}
}
