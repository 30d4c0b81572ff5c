package grpcgo

import (
	"errors"
	"sync"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/connectivity"

	"lbsim/policies"
)

// subConn is a SubConn as a real balancer sees it.
type subConn struct {
	balancer.SubConn // for methods that are yet to come
	bridge           *bridge
	number           policies.SubConn // -1 until the simulation has made it
	listener         func(balancer.SubConnState)
	checked          bool // HealthCheckEnabled

	mu     sync.Mutex
	state  connectivity.State // as last told
	health func(balancer.SubConnState)
	stream *loadStream // the newest, nil after its end

	producers producers
}

func (s *subConn) Connect() {
	s.bridge.wish(func() { s.bridge.Host.Connect(s.number) })
}

func (s *subConn) Shutdown() {
	s.bridge.wish(func() { s.bridge.Host.Shutdown(s.number) })
}

// RegisterHealthListener makes f the one that is told of the health while the SubConn is READY;
// where nobody checks it, that it is healthy.
func (s *subConn) RegisterHealthListener(f func(balancer.SubConnState)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != connectivity.Ready {
		return
	}
	s.health = f
	if f == nil {
		return
	}
	s.bridge.wish(func() {
		if s.bridge.Host.WatchHealth(s.number) {
			return
		}
		if f := s.healthListener(); f != nil {
			f(balancer.SubConnState{ConnectivityState: connectivity.Ready})
		}
	})
}

func (s *subConn) healthListener() func(balancer.SubConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.health
}

// is notes a state of the SubConn, with which all that was watched in the last one ends.
func (s *subConn) is(c policies.Connectivity) {
	s.mu.Lock()
	s.state, s.health, s.stream = connectivity.State(c), nil, nil
	s.mu.Unlock()
	s.producers.close()
}

func subConnState(c policies.Connectivity, err *policies.Status) balancer.SubConnState {
	s := balancer.SubConnState{ConnectivityState: connectivity.State(c)}
	if err != nil {
		s.ConnectionError = errors.New(err.Text)
	}
	return s
}
