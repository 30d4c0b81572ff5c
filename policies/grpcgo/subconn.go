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
	number           policies.SubConn // -1 until the Host has made it
	listener         func(balancer.SubConnState)
	checked          bool // HealthCheckEnabled

	mu     sync.Mutex
	state  connectivity.State // reported last
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

// RegisterHealthListener makes f the listener for health while the SubConn is READY. Where clients
// do not check health, f learns that the backend is healthy.
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

// is sets the state of the SubConn and ends the watches of health and load of the last state.
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
