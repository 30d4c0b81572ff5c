package conformance

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/serviceconfig"
)

// A traced policy is one of grpc-go's that runs as it is; the channel that it sees takes down the
// states that it reports and those that its SubConns tell it. A watcher of the channel would miss
// states of one instant.
type traced struct{ balancer.Builder }

func (b traced) Name() string { return "traced_" + b.Builder.Name() }

func (b traced) ParseConfig(text json.RawMessage) (serviceconfig.LoadBalancingConfig, error) {
	if p, ok := b.Builder.(balancer.ConfigParser); ok {
		return p.ParseConfig(text)
	}
	return nil, nil
}

func (b traced) Build(cc balancer.ClientConn, o balancer.BuildOptions) balancer.Balancer {
	t := remembered(o.Target.Endpoint())
	t.ClientConn = cc
	return b.Builder.Build(t, o)
}

// tracedConn is the channel as a traced policy sees it.
type tracedConn struct {
	balancer.ClientConn
	rec    *recorder
	client int
	made   map[int]int // SubConns so far, by address
}

func (t *tracedConn) UpdateState(s balancer.State) {
	t.rec.channelIs(t.client, stateText(s.ConnectivityState))
	t.ClientConn.UpdateState(s)
}

func (t *tracedConn) NewSubConn(a []resolver.Address, o balancer.NewSubConnOptions) (
	balancer.SubConn, error) {
	to := number(a[0].Addr)
	who, tell := subConnOf(t.client, to, t.made[to]), o.StateListener
	t.made[to]++
	o.StateListener = func(s balancer.SubConnState) {
		t.rec.add(who, stateText(s.ConnectivityState))
		tell(s)
	}
	//lint:ignore SA1019 policies still call it
	return t.ClientConn.NewSubConn(a, o)
}

// A resolver or a policy learns nothing of the test that it runs in but what the channel hands on:
// so the target of a channel names its recorder.
var (
	memory   sync.Map
	memories atomic.Int64
)

// remember returns the name of a channel's target.
func remember(rec *recorder, client int) string {
	name := fmt.Sprint("channel-", memories.Add(1))
	memory.Store(name, tracedConn{rec: rec, client: client, made: make(map[int]int)})
	return name
}

// remembered returns what remember stored.
func remembered(name string) *tracedConn {
	v, _ := memory.Load(name)
	t := v.(tracedConn)
	return &t
}
