package grpcgo

import (
	_ "unsafe" // for go:linkname

	_ "google.golang.org/grpc/balancer/leastrequest" // linked to below, as are the others
	_ "google.golang.org/grpc/balancer/pickfirst"
	_ "google.golang.org/grpc/balancer/randomsubsetting"
	_ "google.golang.org/grpc/balancer/roundrobin"
	_ "google.golang.org/grpc/balancer/weightedroundrobin"

	"lbsim/sim"
)

// The places where grpc-go draws a random number that a test can take over.

//go:linkname shardingIntN google.golang.org/grpc/balancer/endpointsharding.randIntN
var shardingIntN func(n int) int

//go:linkname leastRequestUint32 google.golang.org/grpc/balancer/leastrequest.randuint32
var leastRequestUint32 func() uint32

//go:linkname subsettingUint64 google.golang.org/grpc/balancer/randomsubsetting.randUint64
var subsettingUint64 func() uint64

//go:linkname pickFirstShuffle google.golang.org/grpc/balancer/pickfirst/internal.RandShuffle
var pickFirstShuffle func(n int, swap func(i, j int))

//go:linkname pickFirstFloat64 google.golang.org/grpc/balancer/pickfirst/internal.RandFloat64
var pickFirstFloat64 func() float64

// drawFrom makes all of grpc-go that has a seam draw from r.
func drawFrom(r *sim.Rand) {
	shardingIntN = r.IntN
	leastRequestUint32 = r.Uint32
	subsettingUint64 = r.Uint64
	pickFirstFloat64 = r.Float64
	pickFirstShuffle = func(n int, swap func(i, j int)) {
		for i := n - 1; i > 0; i-- {
			swap(i, r.IntN(i+1))
		}
	}
}

// OrderChildren, as the other methods of [policies.Decider], has a port do what its original has
// done.
func (h *fakeHost) OrderChildren(ids []int32)  { h.orders.arrange(ids) }
func (h *fakeHost) OrderNames(names []string)  { arrangeNames(names) }
func (h *fakeHost) OrderEjections(ids []int32) { h.sweeps.arrange(ids) }

// DrawEjection ejects. grpc-go draws from a source that no test can take over, so that it is only
// played with percentages that leave nothing to chance.
func (h *fakeHost) DrawEjection() int { return 0 }
