// Lbsim-grpcgo is lbsim with real balancers of grpc-go beside its own policies, under the names
// that they are registered with: kind = "grpc:round_robin". To have one of your own there, copy
// this file into a module of yours, import the package that registers it, and name it.
package main

import (
	_ "google.golang.org/grpc/balancer/leastrequest"
	_ "google.golang.org/grpc/balancer/pickfirst"
	_ "google.golang.org/grpc/balancer/ringhash"
	_ "google.golang.org/grpc/balancer/roundrobin"
	_ "google.golang.org/grpc/balancer/weightedroundrobin"
	"google.golang.org/grpc/resolver"

	"lbsim/command"
	"lbsim/policies"
	"lbsim/policies/grpcgo"
	"lbsim/policies/grpcgo/example"
)

func main() {
	command.Main(command.Kinds{Policies: grpcgo.Kinds(
		grpcgo.Balancer{Name: "pick_first"},
		grpcgo.Balancer{Name: "round_robin"},
		grpcgo.Balancer{Name: "weighted_round_robin"},
		grpcgo.Balancer{Name: "least_request_experimental"},
		grpcgo.Balancer{Name: "ring_hash_experimental"},
		grpcgo.Balancer{Name: example.Name, Endpoint: weighted},
	)})
}

// weighted puts the weight of an endpoint where the example looks for it.
func weighted(e resolver.Endpoint, of *policies.Endpoint) resolver.Endpoint {
	for i, a := range e.Addresses {
		e.Addresses[i] = example.WithWeight(a, of.Weight)
	}
	return e
}
