package grpcgo

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"lbsim/policies"
)

// fakePicker gives the answer that a test has set and remembers what it was asked.
type fakePicker struct {
	info   balancer.PickInfo
	result balancer.PickResult
	err    error
	done   balancer.DoneInfo
}

func (p *fakePicker) Pick(info balancer.PickInfo) (balancer.PickResult, error) {
	p.info = info
	p.result.Done = func(d balancer.DoneInfo) { p.done = d }
	return p.result, p.err
}

// What an error of a picker means is what it means to grpc-go's channel.
func TestErrorsOfPickers(t *testing.T) {
	drop := status.Error(codes.ResourceExhausted, "full")
	for _, c := range []struct {
		is   string
		err  error
		want string
	}{
		{"none yet", balancer.ErrNoSubConnAvailable, "queue"},
		{"none yet, wrapped", fmt.Errorf("so: %w", balancer.ErrNoSubConnAvailable),
			"fail UNAVAILABLE: so: " + balancer.ErrNoSubConnAvailable.Error()},
		{"an error", errors.New("bad luck"), "fail UNAVAILABLE: bad luck"},
		{"a status", drop, "drop RESOURCE_EXHAUSTED: full"},
		{"a status, wrapped", fmt.Errorf("so: %w", drop),
			"drop RESOURCE_EXHAUSTED: so: rpc error: code = ResourceExhausted desc = full"},
		{"a status of no known code", status.Error(99, "odd"), "drop UNKNOWN: odd"},
		{"no SubConn and no error", nil, "queue"},
	} {
		synctest.Test(t, func(*testing.T) {
			h := &fakeHost{picker: &picker{&bridge{clock: newClock()}, &fakePicker{err: c.err}}}
			if got := h.pick(policies.Call{}); got != c.want {
				t.Errorf("%s: %s, want %s", c.is, got, c.want)
			}
		})
	}
}

// A picker sees the header of an RPC, and how the RPC ended.
func TestPickersSeeRPCs(t *testing.T) {
	b := new(bridge)
	real := &fakePicker{result: balancer.PickResult{SubConn: &subConn{number: 3}}}
	p := &picker{b, real}
	pick := p.Pick(policies.Call{Header: "user", Key: 17})
	md, _ := metadata.FromOutgoingContext(real.info.Ctx)
	if got := md.Get("user"); pick.SubConn != 3 || len(got) != 1 || got[0] != "17" {
		t.Errorf("picked %+v with user %q, want SubConn 3 and 17", pick, got)
	}
	p.Done(pick, policies.Outcome{BytesSent: true, BytesReceived: true})
	if d := real.done; d.Err != nil || !d.BytesSent || !d.BytesReceived {
		t.Errorf("an RPC that ended OK: %+v", d)
	}
	pick = p.Pick(policies.Call{})
	p.Done(pick, policies.Outcome{
		Status: &policies.Status{Code: policies.DeadlineExceeded}, Load: &policies.Load{CPU: .5},
	})
	if d := real.done; status.Code(d.Err) != codes.DeadlineExceeded || d.BytesSent ||
		d.ServerLoad == nil {
		t.Errorf("an RPC that ended late: %+v", d)
	}
	if len(b.open) != 1 {
		t.Errorf("%d places for RPCs that were one at a time", len(b.open))
	}
}
