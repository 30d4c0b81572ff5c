package grpcgo

import (
	"context"
	"strconv"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"lbsim/policies"
)

// picker asks a real picker.
type picker struct {
	bridge *bridge
	real   balancer.Picker
}

// Pick asks the real picker, and returns its answer in lbsim's terms.
func (p *picker) Pick(c policies.Call) policies.Pick {
	ctx := context.Background()
	if c.Header != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, c.Header, strconv.FormatUint(c.Key, 10))
	}
	r, err := p.real.Pick(balancer.PickInfo{FullMethodName: p.bridge.method, Ctx: ctx})
	if err != nil {
		// Another goroutine of the balancer may have a wish because of it.
		p.bridge.clock.rest()
		return failed(err)
	}
	s, ok := r.SubConn.(*subConn)
	if !ok {
		return policies.Queue()
	}
	return policies.Pick{Verdict: policies.Sent, SubConn: s.number, Note: p.bridge.keep(r.Done)}
}

// failed is the Pick of an error, as grpc-go's channel takes it.
func failed(err error) policies.Pick {
	if err == balancer.ErrNoSubConnAvailable {
		return policies.Queue()
	}
	if s, ok := status.FromError(err); ok {
		code := policies.Unknown
		if s.Code() < codes.Code(policies.Codes) {
			code = policies.Code(s.Code())
		}
		return policies.Pick{Verdict: policies.Dropped,
			Status: &policies.Status{Code: code, Text: s.Message()}}
	}
	return policies.Fail(&policies.Status{Code: policies.Unavailable, Text: err.Error()})
}

// keep records what to call when an RPC is done, and returns the Note of its pick.
func (b *bridge) keep(done func(balancer.DoneInfo)) uint64 {
	var i uint32
	if n := len(b.free); n > 0 {
		i, b.free = b.free[n-1], b.free[:n-1]
	} else {
		i = uint32(len(b.open))
		b.open = append(b.open, nil)
	}
	b.open[i] = done
	return uint64(i)
}

// Done calls the real picker's function for the end of an RPC. grpc-go's DoneInfo has no latency.
func (p *picker) Done(pick policies.Pick, o policies.Outcome) {
	b := p.bridge
	done := b.open[pick.Note]
	b.open[pick.Note] = nil
	b.free = append(b.free, uint32(pick.Note))
	if done == nil {
		return
	}
	info := balancer.DoneInfo{BytesSent: o.BytesSent, BytesReceived: o.BytesReceived}
	if s := o.Status; s != nil {
		info.Err = status.Error(codes.Code(s.Code), s.Text)
		if s.Pushback != nil {
			ms := s.Pushback.Milliseconds()
			if *s.Pushback < 0 {
				ms = -1 // never
			}
			info.Trailer = metadata.Pairs("grpc-retry-pushback-ms", strconv.FormatInt(ms, 10))
		}
	}
	if o.Load != nil {
		report := loadReport(o.Load)
		info.ServerLoad = report
		if text, err := proto.Marshal(report); err == nil {
			info.Trailer = metadata.Join(info.Trailer,
				metadata.Pairs("endpoint-load-metrics-bin", string(text)))
		}
	}
	done(info)
}
