package policies

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

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

func TestUsableWeight(t *testing.T) {
	const now = sim.Time(100 * time.Second)
	for _, row := range []struct {
		name                 string
		updated, since       time.Duration // ago; -1 for never
		expiration, blackout time.Duration
		want                 float64
		forgets              bool // since when there have been reports
	}{
		{"never updated", -1, -1, time.Minute, 0, 0, false},
		{"expired", 100 * time.Second, 100 * time.Second, 2 * time.Second, time.Second, 0, true},
		{"no report since it expired", 10 * time.Second, -1, time.Minute, 10 * time.Second, 0,
			true},
		{"likewise, without a blackout", 10 * time.Second, -1, time.Minute, 0, 3, true},
		{"usable", 10 * time.Second, 10 * time.Second, time.Minute, time.Second, 3, false},
		{"expired in the blackout", 10 * time.Second, 10 * time.Second, time.Second, time.Minute,
			0, true},
		{"nothing is ever fresh", 0, 0, 0, 0, 0, true},
	} {
		e := endpointWeight{weight: 3, updated: unset, nonEmptySince: unset}
		if row.updated >= 0 {
			e.updated = now.Add(-row.updated)
		}
		if row.since >= 0 {
			e.nonEmptySince = now.Add(-row.since)
		}
		c := &WeightedRoundRobin{
			ExpirationPeriod: row.expiration, BlackoutPeriod: row.blackout,
		}
		got := e.usable(now, c)
		if forgot := e.nonEmptySince == unset; got != row.want ||
			forgot != (row.forgets || row.since < 0) {
			t.Errorf("%s: weight %v, forgets %v, want %v, %v", row.name, got, forgot, row.want,
				row.forgets)
		}
	}
}

// The rows of grpc-go's tests (balancer/randomsubsetting, v1.85.0), and what it made of further
// seeds when it was run.
func TestSubset(t *testing.T) {
	numbered := func(format string, from, n int) (list []*Endpoint) {
		for i := range n {
			a := &Address{int32(i), fmt.Sprintf(format, from+i)}
			list = append(list, &Endpoint{ID: int32(i), Addresses: []*Address{a}})
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
