package grpcgo

import (
	"slices"
	"sync"
	"testing"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/base"

	"lbsim/policies"
)

// turnBuilder is a picker builder such as people write. It puts the SubConns into the order of the
// resolver's list, where base has them in a map.
type turnBuilder struct{ list []string }

func (b *turnBuilder) Build(info base.PickerBuildInfo) balancer.Picker {
	p := new(turnPicker)
	for sc := range info.ReadySCs {
		p.ready = append(p.ready, sc)
	}
	if p.ready == nil {
		return base.NewErrPicker(balancer.ErrNoSubConnAvailable)
	}
	slices.SortFunc(p.ready, func(x, y balancer.SubConn) int {
		place := func(sc balancer.SubConn) int {
			return slices.Index(b.list, info.ReadySCs[sc].Address.Addr)
		}
		return place(x) - place(y)
	})
	p.next = uint32(shardingIntN(len(p.ready)))
	return p
}

type turnPicker struct {
	ready []balancer.SubConn
	next  uint32
}

func (p *turnPicker) Pick(balancer.PickInfo) (balancer.PickResult, error) {
	p.next++
	return balancer.PickResult{SubConn: p.ready[p.next%uint32(len(p.ready))]}, nil
}

// listed is base with a picker builder that knows the list.
type listed struct{}

func (listed) Name() string { return "base_round_robin" }

func (listed) Build(cc balancer.ClientConn, o balancer.BuildOptions) balancer.Balancer {
	b := new(turnBuilder)
	real := base.NewBalancerBuilder("", b, base.Config{}).Build(cc, o)
	return listedBalancer{real, b}
}

type listedBalancer struct {
	balancer.Balancer
	picks *turnBuilder
}

func (b listedBalancer) UpdateClientConnState(s balancer.ClientConnState) error {
	b.picks.list = nil
	for _, a := range s.ResolverState.Addresses {
		b.picks.list = append(b.picks.list, a.Addr)
	}
	return b.Balancer.UpdateClientConnState(s)
}

var registerListed = sync.OnceFunc(func() { balancer.Register(listed{}) })

func TestBaseInLockstep(t *testing.T) {
	registerListed()
	for _, addresses := range [][][]string{mixed, few, singles} {
		(&pair{name: "base_round_robin", addresses: addresses, nested: true, fewConnections: true,
			configs: []pairConfig{{``, policies.BaseRoundRobin{}}}}).lockstep(t)
	}
}
