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

// childOrder puts the children of a port's shard into another order before each report.
//
//go:linkname childOrder lbsim/policies.childOrder
var childOrder func(ids []int32)

// outlierOrder is what a sweep of the port asks for the order of endpoints.
//
//go:linkname outlierOrder lbsim/policies.outlierOrder
var outlierOrder func(n int, id func(i int) int32, swap func(i, j int))

// outlierDraw is where the port draws whether to eject. grpc-go draws from a source that no test
// can take over, so that it is only played with percentages that leave nothing to chance.
//
//go:linkname outlierDraw lbsim/policies.outlierDraw
var outlierDraw func() int
