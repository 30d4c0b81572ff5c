package grpcgo

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/experimental/balancer/weight"
	"google.golang.org/grpc/experimental/stats"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/ringhash"

	"lbsim/policies"
)

// clientConn is the channel as a balancer of grpc-go sees it. Its methods may be called in any
// goroutine of the bubble.
type clientConn struct {
	balancer.ClientConn // for methods that are yet to come
	bridge              *bridge
}

func (c *clientConn) NewSubConn(a []resolver.Address, o balancer.NewSubConnOptions) (
	balancer.SubConn, error) {
	if len(a) != 1 {
		return nil, errors.New("lbsim: a SubConn has one address")
	}
	b := c.bridge
	b.mu.Lock()
	address := b.addresses[a[0].Addr]
	b.mu.Unlock()
	if address == nil {
		return nil, fmt.Errorf("lbsim: no resolver has named the address %q", a[0].Addr)
	}
	s := &subConn{
		bridge: b, number: -1, state: connectivity.Idle,
		listener: o.StateListener, checked: o.HealthCheckEnabled,
	}
	b.wish(func() {
		s.number = b.Host.NewSubConn(address)
		for int(s.number) >= len(b.subConns) {
			b.subConns = append(b.subConns, nil)
		}
		b.subConns[s.number] = s
	})
	return s, nil
}

func (c *clientConn) RemoveSubConn(s balancer.SubConn) { s.Shutdown() }

func (c *clientConn) UpdateAddresses(balancer.SubConn, []resolver.Address) {
	panic("lbsim: UpdateAddresses is deprecated and not supported: make a new SubConn")
}

func (c *clientConn) UpdateState(s balancer.State) {
	if c.bridge.reported != nil {
		c.bridge.reported(s)
	}
	b := c.bridge
	b.wish(func() {
		b.Host.UpdateState(policies.Connectivity(s.ConnectivityState), &picker{b, s.Picker})
	})
}

func (c *clientConn) ResolveNow(resolver.ResolveNowOptions) {
	c.bridge.wish(c.bridge.Host.ResolveNow)
}

func (c *clientConn) Target() string                         { return "" }
func (c *clientConn) MetricsRecorder() stats.MetricsRecorder { return noMetrics{} }

// noMetrics records nothing.
type noMetrics struct{ stats.MetricsRecorder }

func (noMetrics) RecordInt64Count(*stats.Int64CountHandle, int64, ...string)             {}
func (noMetrics) RecordFloat64Count(*stats.Float64CountHandle, float64, ...string)       {}
func (noMetrics) RecordInt64Histo(*stats.Int64HistoHandle, int64, ...string)             {}
func (noMetrics) RecordFloat64Histo(*stats.Float64HistoHandle, float64, ...string)       {}
func (noMetrics) RecordInt64Gauge(*stats.Int64GaugeHandle, int64, ...string)             {}
func (noMetrics) RecordInt64UpDownCount(*stats.Int64UpDownCountHandle, int64, ...string) {}
func (noMetrics) RegisterAsyncReporter(stats.AsyncMetricReporter, ...stats.AsyncMetric) func() {
	return func() {}
}

// resolverState returns endpoints as a resolver of grpc-go would.
func (b *bridge) resolverState(endpoints []*policies.Endpoint) resolver.State {
	var s resolver.State
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range endpoints {
		var re resolver.Endpoint
		for _, a := range e.Addresses {
			b.addresses[a.Text] = a
			re.Addresses = append(re.Addresses, resolver.Address{Addr: a.Text})
		}
		if e.Weight != 0 {
			re = weight.Set(re, weight.EndpointInfo{Weight: e.Weight})
		}
		if e.HashKey != "" {
			re = ringhash.SetHashKey(re, e.HashKey)
		}
		if b.balancer.Endpoint != nil {
			re = b.balancer.Endpoint(re, e)
		}
		s.Addresses = append(s.Addresses, re.Addresses...)
		s.Endpoints = append(s.Endpoints, re)
	}
	return s
}
