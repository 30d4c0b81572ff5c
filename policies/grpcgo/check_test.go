package grpcgo_test

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/policies/grpcgo"
)

func TestCheckRefuses(t *testing.T) {
	kinds := grpcgo.Kinds(
		grpcgo.Balancer{Name: "round_robin"}, grpcgo.Balancer{Name: "ring_hash_experimental"},
		grpcgo.Balancer{Name: "of_nobody"},
	)
	with := func(kind, config string) grpcgo.Policy {
		p := kinds[kind].(grpcgo.Policy)
		p.Config = config
		return p
	}
	for _, row := range []struct {
		policy grpcgo.Policy
		want   string
	}{
		{grpcgo.Policy{}, "must be one of grpcgo.Kinds"},
		{with("grpc:round_robin", ""), "<nil>"},
		{with("grpc:of_nobody", ""), `no balancer is registered as "of_nobody": the command must`},
		{with("grpc:ring_hash_experimental", "{"), "config: must be JSON"},
		{with("grpc:ring_hash_experimental", `{"minRingSize": 9000000}`), "config: "},
	} {
		if got := fmt.Sprint(row.policy.Check()); !strings.HasPrefix(got, row.want) {
			t.Errorf("%s: error %s, want %s", row.policy.Config, got, row.want)
		}
	}
}
