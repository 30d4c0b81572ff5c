package grpcgo

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/endpointsharding"
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

// orders are the orders of children in the reports of real shards, oldest first, which the shards
// of the port are to have. They are known by the first addresses of the endpoints.
type orders struct {
	real *fakeHost
	id   func(address string) int32
	seen [][]string
}

// see takes down the order in a real report.
func (o *orders) see(s balancer.State) {
	var addresses []string
	for _, c := range endpointsharding.ChildStatesFromPicker(s.Picker) {
		addresses = append(addresses, c.Endpoint.Addresses[0].Addr)
	}
	if addresses == nil {
		for _, sc := range subConnsIn(reflect.ValueOf(s.Picker), nil) {
			addresses = append(addresses, o.real.subConns[sc.number].address)
		}
	}
	o.seen = append(o.seen, addresses)
}

// arrange puts the endpoints with these IDs in the order of the oldest real report that is left.
// Those that are not in it are in a state that does not count.
func (o *orders) arrange(ids []int32) {
	if len(o.seen) == 0 {
		return
	}
	var order []int32
	for _, a := range o.seen[0] {
		order = append(order, o.id(a))
	}
	o.seen = o.seen[1:]
	slices.SortStableFunc(ids, func(a, b int32) int {
		return slices.Index(order, a) - slices.Index(order, b)
	})
}

// subConnsIn finds the SubConns of the pickers in a value of grpc-go, in the order of its slices.
func subConnsIn(v reflect.Value, found []*subConn) []*subConn {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			break
		}
		if v.Type() == reflect.TypeFor[*subConn]() {
			return append(found, (*subConn)(v.UnsafePointer()))
		}
		e := v.Elem()
		if v.Kind() == reflect.Interface || strings.Contains(e.Type().Name(), "icker") {
			return subConnsIn(e, found)
		}
	case reflect.Slice:
		for i := range v.Len() {
			found = subConnsIn(v.Index(i), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			found = subConnsIn(v.Field(i), found)
		}
	}
	return found
}

// field is the unexported field of a real picker, to be read or set.
func field[T any](picker any, name string) *T {
	f := reflect.ValueOf(picker).Elem().FieldByName(name)
	return (*T)(unsafe.Pointer(f.UnsafeAddr()))
}
