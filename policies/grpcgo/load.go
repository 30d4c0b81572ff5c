package grpcgo

import (
	"context"
	"errors"
	"sync"

	v3orcapb "github.com/cncf/xds/go/xds/data/orca/v3"
	v3orcaservicepb "github.com/cncf/xds/go/xds/service/orca/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"lbsim/policies"
)

// loadReport returns a load as gRPC's message.
func loadReport(l *policies.Load) *v3orcapb.OrcaLoadReport {
	r := &v3orcapb.OrcaLoadReport{
		CpuUtilization:         l.CPU,
		MemUtilization:         l.Memory,
		ApplicationUtilization: l.Application,
		RpsFractional:          l.QPS,
		Eps:                    l.EPS,
	}
	for _, m := range l.Named {
		if r.NamedMetrics == nil {
			r.NamedMetrics = make(map[string]float64, len(l.Named))
		}
		r.NamedMetrics[m.Name] = m.Value
	}
	return r
}

// producers are the producers of a connection: streams of load reports.
type producers struct {
	mu   sync.Mutex
	each map[balancer.ProducerBuilder]*producer
}

type producer struct {
	balancer.Producer
	end  func()
	refs int // 0 when it has ended
}

// GetOrBuildProducer returns the producer of a builder, and what ends its use.
func (s *subConn) GetOrBuildProducer(b balancer.ProducerBuilder) (balancer.Producer, func()) {
	s.producers.mu.Lock()
	defer s.producers.mu.Unlock()
	p := s.producers.each[b]
	if p == nil {
		p = new(producer)
		p.Producer, p.end = b.Build(&loadConn{sc: s})
		if s.producers.each == nil {
			s.producers.each = make(map[balancer.ProducerBuilder]*producer)
		}
		s.producers.each[b] = p
	}
	p.refs++
	return p.Producer, sync.OnceFunc(func() {
		s.producers.mu.Lock()
		p.refs--
		last := p.refs == 0
		if last {
			delete(s.producers.each, b)
		}
		s.producers.mu.Unlock()
		if last {
			p.end()
		}
	})
}

// close ends all producers.
func (p *producers) close() {
	p.mu.Lock()
	each := p.each
	p.each = nil
	for _, pr := range each {
		pr.refs = 0
	}
	p.mu.Unlock()
	for _, pr := range each {
		pr.end()
	}
}

// loadConn is a connection that only has streams of load reports.
type loadConn struct{ sc *subConn }

func (c *loadConn) Invoke(context.Context, string, any, any, ...grpc.CallOption) error {
	return errOnlyLoad
}

func (c *loadConn) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string,
	_ ...grpc.CallOption) (grpc.ClientStream, error) {
	if method != v3orcaservicepb.OpenRcaService_StreamCoreMetrics_FullMethodName {
		return nil, errOnlyLoad
	}
	return &loadStream{ctx: ctx, sc: c.sc, reports: make(chan *v3orcapb.OrcaLoadReport, 1)}, nil
}

var errOnlyLoad = errors.New("lbsim: of a producer's RPCs, only load reports are simulated")

// loadStream brings the load reports of one connection.
type loadStream struct {
	grpc.ClientStream // for methods that nobody calls
	ctx               context.Context
	sc                *subConn
	reports           chan *v3orcapb.OrcaLoadReport
}

// SendMsg takes the request with the interval.
func (l *loadStream) SendMsg(m any) error {
	every := m.(*v3orcaservicepb.OrcaLoadReportRequest).GetReportInterval().AsDuration()
	every = max(every, 1) // an interval of 0 leaves it to the server, and does not end the watch
	s := l.sc
	s.mu.Lock()
	s.stream = l
	s.mu.Unlock()
	s.bridge.wish(func() {
		if s.streams(l) {
			s.bridge.Host.WatchLoad(s.number, every)
		}
	})
	return nil
}

func (l *loadStream) CloseSend() error { return nil }

// RecvMsg waits for the next report.
func (l *loadStream) RecvMsg(m any) error {
	select {
	case r := <-l.reports:
		proto.Merge(m.(proto.Message), r)
		return nil
	case <-l.ctx.Done():
		s := l.sc
		s.bridge.wish(func() {
			if s.streams(l) {
				s.stream = nil
				s.bridge.Host.WatchLoad(s.number, 0)
			}
		})
		return status.FromContextError(l.ctx.Err()).Err()
	}
}

// streams reports whether l is the newest stream of a SubConn that is READY.
func (s *subConn) streams(l *loadStream) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stream == l && s.state == connectivity.Ready
}

// report gives a report to the newest stream; without one the report is lost.
func (s *subConn) report(r *v3orcapb.OrcaLoadReport) {
	if l := s.stream; l != nil {
		select {
		case l.reports <- r:
		default:
		}
	}
}
