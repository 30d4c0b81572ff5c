package policies_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
	"lbsim/sim"
)

// Order of connecting, whatever order the resolver has (RFC 8305 §4).
func TestPickFirstTakesFamiliesInTurn(t *testing.T) {
	const (
		v4a, v4b, v4c = "1.1.1.1:1111", "2.2.2.2:2", "3.3.3.3:3"
		mapped        = "[::FFFF:192.168.0.1]:2222" // an IPv4 address in IPv6 clothes
		v6a, v6b      = "[1::1]:8080", "[2::2]:8080"
		local         = "[fe80::1%eth0]:3333"
		host, host2   = "grpc.io:80", "example.com:80"
	)
	for _, row := range []struct {
		rule       string
		list, want []string
	}{
		{"IPv4 first",
			[]string{v4a, v4b, v4c, mapped, v6a, v6b, local, host},
			[]string{v4a, v6a, host, v4b, v6b, v4c, local, mapped}},
		{"IPv6 first, one address twice",
			[]string{v6a, v6a, v4a, v4b, v4c, mapped, v6b, local, host},
			[]string{v6a, v4a, host, v6b, v4b, local, v4c, mapped}},
		{"host names first",
			[]string{host, v4a, v4b, v4c, mapped, v6a, v6b, local, host2},
			[]string{host, v4a, v6a, host2, v4b, v6b, v4c, local, mapped}},
		{"no port is no IP address", []string{"9.9.9.9", v4a, v4b, "::1"},
			[]string{"9.9.9.9", v4a, "::1", v4b}},
		{"a port may have a name", []string{"1.1.1.1:http", v4b, "[::1]:http", host},
			[]string{"1.1.1.1:http", "[::1]:http", host, v4b}},
		{"one family stays in order", []string{v4c, v4a, v4b}, []string{v4c, v4a, v4b}},
	} {
		h := policytest.NewHost(policies.PickFirst{}, 1)
		h.Resolve(h.Endpoint(row.list...))
		var got []string
		for range row.want {
			got = append(got, h.Name(policies.SubConn(h.SubConns()-1)))
			h.Deliver(policies.SubConn(h.SubConns()-1), policies.TransientFailure, refused)
		}
		if !slices.Equal(got, row.want) || h.State != policies.TransientFailure {
			t.Errorf("%s:\ngot  %s\nwant %s, then TRANSIENT_FAILURE (is %v)", row.rule,
				strings.Join(got, " "), strings.Join(row.want, " "), h.State)
		}
	}
}

// Each list is shuffled anew, by one draw for each endpoint: the greatest comes first. The list of
// an endpoint stays in order.
func TestPickFirstShuffles(t *testing.T) {
	h := policytest.NewHost(policies.PickFirst{ShuffleAddressList: true}, 1)
	twin := *h.Rand()
	endpoints := []*policies.Endpoint{
		h.Endpoint("a1", "a2"), h.Endpoint("b1", "b2"), h.Endpoint("c1", "c2"),
	}
	orders := make(map[string]bool)
	for range 50 {
		keys := []float64{twin.Float64(), twin.Float64(), twin.Float64()}
		var want []string
		for range keys {
			i := slices.Index(keys, slices.Max(keys))
			keys[i] = -1
			want = append(want, endpoints[i].Addresses[0].Text, endpoints[i].Addresses[1].Text)
		}
		h.Resolve(endpoints...)
		var got []string
		for range want {
			sc := policies.SubConn(h.SubConns() - 1)
			got = append(got, h.AddressOf(sc).Text)
			h.Deliver(sc, policies.TransientFailure, refused)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("order %v, want %v", got, want)
		}
		orders[strings.Join(got, " ")] = true
		h.Resolve() // an empty list forgets the SubConns
	}
	if *h.Rand() != twin {
		t.Error("other draws than one for each endpoint and list")
	}
	if len(orders) != 6 {
		t.Errorf("%d orders of 3 endpoints in 50 lists, want all 6", len(orders))
	}
}

// With draws of ½ the keys come out that grpc-go's test of weighted shuffling has.
func TestWeightedShuffleKeys(t *testing.T) {
	for _, row := range []struct {
		weight uint32
		key    float64
	}{{357913941, 0.999999998063}, {715827882, 0.999999999032}, {1073741824, 0.999999999354}} {
		if got := sim.Pow(0.5, 1/float64(row.weight)); math.Abs(got-row.key) > 1e-12 {
			t.Errorf("weight %d: key %.12f, want %.12f", row.weight, got, row.key)
		}
	}
}

// The shuffle has the order that math.Pow would give, which grpc-go takes, for weights of any size.
// Keys that differ by less than the error of either could change places; in ten million pairs of
// one seed none do.
func TestWeightedShuffleOrder(t *testing.T) {
	type keyed struct {
		*policies.Endpoint
		key float64
	}
	r := sim.NewRand(1, "shuffle")
	list := make([]*policies.Endpoint, 20)
	for i := range list {
		list[i] = &policies.Endpoint{ID: int32(i)}
	}
	for round := range 10_000 {
		for _, e := range list {
			e.Weight = r.Uint32() >> (r.Uint32() % 32)
		}
		twin := *r
		var want []keyed
		for _, e := range list {
			want = append(want, keyed{e, math.Pow(twin.Float64(), 1/float64(max(1, e.Weight)))})
		}
		slices.SortFunc(want, func(a, b keyed) int { return cmp.Compare(b.key, a.key) })
		for i, e := range policies.Shuffled(list, r) {
			if e != want[i].Endpoint {
				t.Fatalf("list %d, place %d: endpoint %d, want %d", round, i, e.ID, want[i].ID)
			}
		}
	}
}

// An endpoint is first as often as its weight says: 1, 2, 3 and 0, which counts as 1, of 7.
func TestWeightedShuffleShares(t *testing.T) {
	h := policytest.NewHost(policies.PickFirst{ShuffleAddressList: true}, shareSeed)
	list := h.Endpoints("a", "b", "c", "d")
	for i, w := range []uint32{1, 2, 3, 0} {
		list[i].Weight = w
	}
	count := make([]int, 4)
	for range shareRPCs {
		count[policies.Shuffled(list, h.Rand())[0].ID]++
	}
	for i, want := range []float64{1. / 7, 2. / 7, 3. / 7, 1. / 7} {
		checkShare(t, list[i].Addresses[0].Text, count[i], want)
	}
}
