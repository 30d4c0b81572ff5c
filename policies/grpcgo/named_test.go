package grpcgo

import (
	"cmp"
	"encoding/json"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	_ "unsafe" // for go:linkname

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/weightedtarget"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/serviceconfig"

	"lbsim/policies"
	"lbsim/sim"
)

// What grpc-go keeps to itself of policies inside others.

//go:linkname setPath google.golang.org/grpc/internal/hierarchy.SetInEndpoint
func setPath(e resolver.Endpoint, path []string) resolver.Endpoint

//go:linkname setLocality google.golang.org/grpc/internal/xds.SetLocalityIDInEndpoint
func setLocality(e resolver.Endpoint, l locality) resolver.Endpoint

//go:linkname setLocalityWeight google.golang.org/grpc/internal/xds/balancer/wrrlocality.SetAddrInfo
func setLocalityWeight(e resolver.Endpoint, w localityWeight) resolver.Endpoint

//go:linkname wrrInt64N google.golang.org/grpc/internal/wrr.randInt64n
var wrrInt64N func(n int64) int64

type locality struct{ Region, Zone, SubZone string }

type localityWeight struct{ weight uint32 }

// zoneText is a zone as grpc-go writes it.
func zoneText(zone string) string { return `{region="", zone="` + zone + `", sub_zone=""}` }

// placedIn adds to an endpoint of grpc-go where it is.
func placedIn(re resolver.Endpoint, e *policies.Endpoint) resolver.Endpoint {
	re = setPath(re, e.Path)
	if zone, is := strings.CutPrefix(e.Locality, `{region="", zone="`); is {
		re = setLocality(re, locality{Zone: strings.TrimSuffix(zone, `", sub_zone=""}`)})
	}
	if e.LocalityWeight != 0 {
		re = setLocalityWeight(re, localityWeight{e.LocalityWeight})
	}
	return re
}

// called are the children of real policies in the order in which they were called in the present
// line of a script, which is that of a Go map. Those of the port are to have the same.
var called []string

// arrangeNames puts names into the order in which they were called.
func arrangeNames(names []string) {
	place := func(name string) int {
		if i := slices.Index(called, name); i >= 0 {
			return i
		}
		return len(called)
	}
	slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	for _, name := range names {
		if i := slices.Index(called, name); i >= 0 {
			called = slices.Delete(called, i, i+1)
		}
	}
}

// named is a policy as a child: "p0_round_robin" is round_robin as a child called p0, and
// "child_round_robin" as one whose parent tells it its name.
type named struct {
	balancer.Builder
	name string
	kind string
}

const unnamed = "child"

var registerNamed = sync.OnceFunc(func() {
	for _, kind := range []string{"round_robin", "pick_first", "least_request_experimental",
		"weighted_round_robin", "random_subsetting_experimental",
		"weighted_target_experimental", "priority_experimental"} {
		for _, name := range []string{"p0", "p1", "p2", unnamed} {
			balancer.Register(named{balancer.Get(kind), name, kind})
		}
	}
})

// Name takes down that it is looked at in the order of a map.
func (n named) Name() string {
	name := n.name + "_" + n.kind
	if pc, _, _, ok := runtime.Caller(1); ok && n.name != unnamed {
		caller := runtime.FuncForPC(pc).Name()
		last := len(called) > 0 && called[len(called)-1] == n.name // asked twice
		if strings.HasSuffix(caller, "priorityBalancer).UpdateClientConnState") && !last {
			called = append(called, n.name)
		}
	}
	return name
}

func (n named) ParseConfig(text json.RawMessage) (serviceconfig.LoadBalancingConfig, error) {
	if p, ok := n.Builder.(balancer.ConfigParser); ok {
		return p.ParseConfig(text)
	}
	return nil, nil
}

func (n named) Build(cc balancer.ClientConn, o balancer.BuildOptions) balancer.Balancer {
	b := &namedBalancer{ClientConn: cc, name: n.name, kind: n.kind, learns: n.name == unnamed}
	b.real = n.Builder.Build(b, o)
	return b
}

// namedBalancer is a balancer and the channel that it sees.
type namedBalancer struct {
	balancer.ClientConn
	real       balancer.Balancer
	name, kind string
	learns     bool // its name
}

func (b *namedBalancer) UpdateClientConnState(s balancer.ClientConnState) error {
	if b.learns {
		b.name = weightedtarget.LocalityFromResolverState(s.ResolverState)
		called = append(called, b.name)
	}
	return b.real.UpdateClientConnState(s)
}

func (b *namedBalancer) ResolverError(err error) {
	called = append(called, b.name)
	b.real.ResolverError(err)
}

func (b *namedBalancer) ExitIdle() {
	called = append(called, b.name)
	b.real.ExitIdle()
}

func (b *namedBalancer) Close() { b.real.Close() }

func (b *namedBalancer) UpdateSubConnState(balancer.SubConn, balancer.SubConnState) {}

func (b *namedBalancer) UpdateState(s balancer.State) {
	switch b.kind {
	case "round_robin", "least_request_experimental", "weighted_round_robin":
		tappedOrders.see(s)
	}
	s.Picker = &namedPicker{b.name, s.Picker}
	b.ClientConn.UpdateState(s)
}

type namedPicker struct {
	name string
	balancer.Picker
}

// randomWRR and wrrItem are laid out as those of grpc-go's internal/wrr.
type randomWRR struct {
	items []*wrrItem
	equal bool
}

type wrrItem struct {
	item               any
	weight, cumulative int64
}

// sortWRR puts the pickers of a weighted_target and of those inside it into the order of their
// names, which in grpc-go is that of a Go map.
func sortWRR(p balancer.Picker) {
	switch v := reflect.ValueOf(p); {
	case v.Type() == reflect.TypeFor[*namedPicker]():
		sortWRR(p.(*namedPicker).Picker)
	case v.Type().String() == "*weightedaggregator.weightedPickerGroup":
		w := (*randomWRR)(v.Elem().Field(0).Elem().UnsafePointer())
		for _, item := range w.items {
			sortWRR(item.item.(balancer.Picker))
		}
		slices.SortFunc(w.items, func(a, b *wrrItem) int {
			x, isX := a.item.(*namedPicker)
			y, isY := b.item.(*namedPicker)
			if !isX || !isY {
				panic("a picker that never was reported")
			}
			return cmp.Compare(x.name, y.name)
		})
		var sum int64
		for _, item := range w.items {
			sum += item.weight
			item.cumulative = sum
		}
	}
}

// composites sets up what pairs of policies with children need.
func composites(p *pair) *pair {
	registerNamed()
	p.nested = true
	p.endpoint = placedIn
	p.prepare = func(s balancer.State, r *sim.Rand) {
		wrrInt64N = r.Int64N
		sortWRR(s.Picker)
	}
	return p
}
