package grpcgo

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"unsafe"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/endpointsharding"
	"google.golang.org/grpc/serviceconfig"

	"lbsim/policies"
)

// orders are the orders of children in the reports of real shards, oldest first, which the shards
// of the port are to have. They are known by the first addresses of the endpoints.
type orders struct {
	real *fakeHost
	id   func(address string) int32
	seen [][]int32 // IDs of endpoints
}

// see takes down the order in a real report of a shard. If it is weighted_round_robin's it draws,
// with the random numbers that both sides share, where that starts, for there is no seam there.
func (o *orders) see(s balancer.State) {
	if start := startOf(s.Picker); start != nil {
		start.Store(o.real.rand.Uint32())
	}
	var ids []int32
	for _, c := range endpointsharding.ChildStatesFromPicker(s.Picker) {
		ids = append(ids, o.id(c.Endpoint.Addresses[0].Addr))
	}
	if ids == nil {
		for _, sc := range subConnsIn(reflect.ValueOf(s.Picker), nil) {
			ids = append(ids, o.id(o.real.subConns[sc.number].address))
		}
	}
	o.seen = append(o.seen, ids)
}

// arrange puts the endpoints with these IDs in the order of the oldest real report that is left
// and has no others. Those that are not in it are in a state that does not count.
func (o *orders) arrange(ids []int32) {
	i := slices.IndexFunc(o.seen, func(order []int32) bool {
		return (len(order) > 0 || len(ids) == 0) && !slices.ContainsFunc(order,
			func(id int32) bool { return !slices.Contains(ids, id) })
	})
	if i < 0 {
		return
	}
	order := o.seen[i]
	o.seen = slices.Delete(o.seen, i, i+1)
	slices.SortStableFunc(ids, func(a, b int32) int {
		return slices.Index(order, a) - slices.Index(order, b)
	})
}

// Shards inside other policies are seen where those have them tapped: "tapped_round_robin" is
// round_robin but for that.
type tapped struct{ balancer.Builder }

// tappedOrders are those of the duel of the moment.
var tappedOrders *orders

var registerTapped = sync.OnceFunc(func() {
	for _, name := range []string{"round_robin", "least_request_experimental",
		"weighted_round_robin"} {
		balancer.Register(tapped{balancer.Get(name)})
	}
})

func (t tapped) Name() string { return "tapped_" + t.Builder.Name() }

func (t tapped) ParseConfig(text json.RawMessage) (serviceconfig.LoadBalancingConfig, error) {
	if p, ok := t.Builder.(balancer.ConfigParser); ok {
		return p.ParseConfig(text)
	}
	return nil, nil
}

func (t tapped) Build(cc balancer.ClientConn, o balancer.BuildOptions) balancer.Balancer {
	return t.Builder.Build(tap{cc}, o)
}

type tap struct{ balancer.ClientConn }

func (t tap) UpdateState(s balancer.State) {
	tappedOrders.see(s)
	t.ClientConn.UpdateState(s)
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
		name := e.Type().Name()
		if v.Kind() == reflect.Interface || strings.Contains(name, "icker") ||
			strings.Contains(name, "ubConn") {
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

// startOf returns where a picker of weighted_round_robin is in its turn; nil for another picker.
func startOf(p balancer.Picker) *atomic.Uint32 {
	v := reflect.ValueOf(p)
	if v.Type().String() != "*weightedroundrobin.picker" {
		return nil
	}
	return (*atomic.Uint32)(unsafe.Pointer(v.Elem().FieldByName("idx").UnsafeAddr()))
}

func TestTheStartOfWeightedRoundRobinIsSet(t *testing.T) {
	p := pair{name: "weighted_round_robin", addresses: singles, configs: []pairConfig{
		{`{}`, policies.RoundRobin{}}, // without weights it does the same, but for the start
	}}
	synctest.Test(t, func(*testing.T) {
		d := p.newDuel(2)
		defer d.close()
		for _, o := range []op{{kind: opResolve, list: []int{0, 1, 2, 3, 4}}, {kind: opConnect}} {
			d.real.play(o, d.realW)
		}
		start := *d.real.rand
		d.real.play(op{kind: opSubConn, a: 3}, d.realW) // one leaves
		start.IntN(5)
		var want []string
		order := d.orders.seen[len(d.orders.seen)-1]
		for first, i := start.Uint32(), uint32(1); i <= 4; i++ {
			want = append(want, singles[order[(first+i)%4]][0]+"#1")
		}
		var got []string
		for range 4 {
			got = append(got, d.real.pick(policies.Call{}))
		}
		if !slices.Equal(got, want) {
			t.Errorf("picks %v, want %v", got, want)
		}
	})
}

// field is the unexported field of a real picker, to be read or set.
func field[T any](picker any, name string) *T {
	f := reflect.ValueOf(picker).Elem().FieldByName(name)
	return (*T)(unsafe.Pointer(f.UnsafeAddr()))
}

// hasField reports whether field would find one.
func hasField(picker any, name string) bool {
	v := reflect.Indirect(reflect.ValueOf(picker))
	return v.Kind() == reflect.Struct && v.FieldByName(name).IsValid()
}
