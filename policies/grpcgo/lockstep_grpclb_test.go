package grpcgo

import (
	"testing"
	"testing/synctest"

	"google.golang.org/grpc/balancer"
	_ "google.golang.org/grpc/balancer/grpclb" // has its policy registered

	"lbsim/policies"
	"lbsim/sim"
)

// Without a balancer, as in fallback: grpclb draws its start from a source that no test can take
// over, so it is set in each picker that is new.
func TestGRPCLBInLockstep(t *testing.T) {
	var last balancer.Picker
	prepare := func(s balancer.State, r *sim.Rand) {
		p := *field[balancer.Picker](s.Picker, "Picker")
		if p == last {
			return
		}
		last = p
		if n := len(subConnsOf(p)); n > 0 {
			*field[int](p, "subConnsNext") = r.IntN(n)
		}
	}
	p := &pair{name: "grpclb", prepare: prepare, addresses: [][]string{{"10.0.0.1:80"},
		{"10.0.0.2:80"}, {"10.0.0.3:80"}, {"10.0.0.4:80"}, {"10.0.0.5:80", "10.0.0.6:80"}},
		configs: []pairConfig{{`{}`, policies.GRPCLB{}}}}
	synctest.Test(t, func(*testing.T) {
		d := p.newDuel(1)
		defer d.close()
		sent, on, err := d.picks(1e6, sim.NewRand(1, "script"))
		// It keeps connections, so there are fewer than of other policies.
		if err != nil || sent < 1e6/2 || on < 20 {
			t.Errorf("%d picks were sent, on %d connections: %v", sent, on, err)
		}
	})
	p.note(t, 1e6, "picks")
	p.randomScripts(t, 2000, scripts(len(p.addresses)))
}

// subConnsOf are those of a picker of grpclb that has some.
func subConnsOf(p balancer.Picker) []balancer.SubConn {
	if !hasField(p, "subConns") {
		return nil
	}
	return *field[[]balancer.SubConn](p, "subConns")
}
