package models

import (
	"math"
	"slices"
	"testing"
	"time"
	"unsafe"

	"lbsim/policies"
)

// behind returns an L4 balancer of backends 0 to 2, some of which are down.
func behind(choice L4Choice, down ...int) *l4 {
	l := &l4{choice: choice}
	for i := range 3 {
		b := &backend{number: i}
		if slices.Contains(down, i) {
			b.downs = 1
		}
		l.backends = append(l.backends, b)
	}
	return l
}

func TestL4Choices(t *testing.T) {
	for _, row := range []struct {
		name   string
		choice L4Choice
		down   []int
		have   [3]int // connections
		draws  []float64
		want   []int
	}{
		{"thirds", L4Random, nil, [3]int{},
			[]float64{1e-17, 0.33, 0.34, 0.66, 0.67, 1 - 1e-16}, []int{0, 0, 1, 1, 2, 2}},
		{"halves", L4Random, []int{1}, [3]int{},
			[]float64{0.1, 0.49, 0.51, 0.9}, []int{0, 0, 2, 2}},
		{"in turn", L4RoundRobin, nil, [3]int{9, 0, 0},
			[]float64{.9, .9, .9, .9}, []int{0, 1, 2, 0}},
		{"in turn, one down", L4RoundRobin, []int{1}, [3]int{},
			[]float64{.1, .1, .1}, []int{0, 2, 0}},
		{"fewest", L4LeastConnections, nil, [3]int{3, 1, 2},
			[]float64{.1, .1, .1, .1, .1, .1}, []int{1, 2, 1, 2, 0, 1}},
		{"fewest that are up", L4LeastConnections, []int{1}, [3]int{2, 0, 1},
			[]float64{.1, .1, .1}, []int{2, 0, 2}},
	} {
		l := behind(row.choice, row.down...)
		for i, n := range row.have {
			l.backends[i].l4Conns = n
		}
		var got []int
		for _, u := range row.draws {
			b := l.choose(u)
			b.l4Conns++
			got = append(got, b.number)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: chose %v, want %v", row.name, got, row.want)
		}
	}
	for choice := range l4Choices {
		if b := behind(L4Choice(choice), 0, 1, 2).choose(0.5); b != nil {
			t.Errorf("%v: chose backend %d of three that are down", L4Choice(choice), b.number)
		}
	}
}

// A million SubConns and as many RPCs are in memory at a time.
func TestRecordsAreSmall(t *testing.T) {
	if a, b := unsafe.Sizeof(subConn{}), unsafe.Sizeof(rpc{}); a > 32 || b > 64 {
		t.Errorf("a SubConn has %d bytes, an RPC %d, want 32 and 64 at most", a, b)
	}
}

// three is a Resolver that lists backends 0, 1 and 2.
type three struct{ listed }

func (three) Start(to ResolverConn) Resolution {
	_ = to.UpdateState([]int32{0, 1, 2})
	return nil
}

// behindVIP is a world of two clients that call three backends, of which 0 and 1 are behind an L4
// balancer that takes them in turn. Each connection carries one RPC.
func behindVIP(r Resolver) *Config {
	return &Config{
		Duration: time.Second, Bin: time.Second, Trace: &Trace{},
		Clients: []ClientGroup{{Name: "c", Count: 2, Callers: 1, Think: ms(10), Requests: 3}},
		Backends: []BackendGroup{{Name: "b", Count: 3, Workers: 9,
			Speed: 1, Weight: 1, ZoneWeight: 1, Service: ms(1),
			GoAwayChance: 1}},
		L4:      []L4Balancer{{Name: "vip", Backends: []string{"b/0-1"}, Choice: L4RoundRobin}},
		Network: Network{Delay: ms(1)}, Resolver: r, Order: Rotated, Policy: policies.PickFirst{},
	}
}

// The list has two entries, so the second client begins with backend 2.
func TestL4StandsInListsOnce(t *testing.T) {
	for _, r := range []Resolver{listed{}, three{}} {
		cfg := behindVIP(r)
		w := New(cfg)
		w.Run(math.MaxInt)
		var got [2][]int32 // where the RPCs of each client went
		for _, e := range cfg.Trace.Entries {
			switch {
			case e.What == Sent:
				got[e.Client] = append(got[e.Client], e.Backend)
			case e.What == Dialled && e.Client == 0 && e.Backend != -1:
				t.Errorf("%T: dialled the balancer, but the trace says backend %d", r, e.Backend)
			}
		}
		if !slices.Equal(got[0], []int32{0, 1, 0}) || !slices.Equal(got[1], []int32{2, 2, 2}) {
			t.Errorf("%T: RPCs went to %v, want 0 1 0 and 2 2 2", r, got)
		}
	}
}
