package models

import (
	"testing"
	"unsafe"

	"lbsim/models/dist"
	"lbsim/policies"
)

func TestLabels(t *testing.T) {
	for _, row := range []struct {
		label string
		n     int
		text  string
	}{
		{"ipv4", 0, "10.0.0.1:80"},
		{"ipv4", 999_999, "10.15.66.64:80"},
		{"ipv4-2", 0, "10.16.0.1:80"},
		{"ipv4-8", 999_999, "10.127.66.64:80"},
		{"ipv6", 0, "[2001:db8::1]:80"},
		{"ipv6", 999_999, "[2001:db8::f:4240]:80"},
		{"ipv6-2", 0, "[2001:db8:1::1]:80"},
	} {
		var l Label
		if err := l.UnmarshalText([]byte(row.label)); err != nil {
			t.Fatal(err)
		}
		if got := l.text(uint64(row.n) + 1); got != row.text || l.String() != row.label {
			t.Errorf("%s of backend %d: %v at %s, want %s", row.label, row.n, l, got, row.text)
		}
	}
}

// dual is a world of three backends with an IPv6 and an IPv4 address each: backend b has the
// addresses 2b and 2b+1.
func dual() *World {
	return New(&Config{
		Duration: 1, Bin: 1, Policy: policies.PickFirst{}, Resolver: listed{},
		Clients: []ClientGroup{{Name: "c", Count: 1, Rate: 1}},
		Network: Network{Delay: dist.Constant(0)},
		Backends: []BackendGroup{{Name: "a", Count: 3, Workers: 1,
			Speed: 1, Weight: 1, ZoneWeight: 1,
			Service: ms(1), Addresses: []Label{1, 0}}},
	})
}

func TestEndpointsOfOneSetOfAddressesAreOne(t *testing.T) {
	w := dual()
	id := func(numbers ...int32) int32 {
		e := w.endpoint(numbers)
		for _, a := range e.Addresses {
			if w.paths[a.ID].address != a {
				t.Errorf("endpoint %v: address %d is another one", numbers, a.ID)
			}
		}
		return e.ID
	}
	for _, row := range []struct{ a, b []int32 }{
		{[]int32{0, 1}, []int32{0, 1}},
		{[]int32{0, 1}, []int32{1, 0}},
		{[]int32{0, 3}, []int32{3, 0}},
		{[]int32{0, 3}, []int32{3, 0, 3}},
		{[]int32{2}, []int32{2, 2}},
		{nil, nil},
	} {
		if id(row.a...) != id(row.b...) {
			t.Errorf("endpoints %v and %v are two", row.a, row.b)
		}
	}
	seen := make(map[int32]bool)
	for _, set := range [][]int32{{0, 1}, {2, 3}, {4, 5}, {0}, {1}, {5}, {0, 2}, {0, 1, 2}, nil} {
		e := id(set...)
		if seen[e] || int(e) > 20 {
			t.Errorf("endpoint %v has the ID %d, which is taken or large", set, e)
		}
		seen[e] = true
	}
	if w.endpoint([]int32{2, 3}) != w.endpoints[1] {
		t.Error("the addresses of a backend are not its endpoint")
	}
	if got := w.endpoint([]int32{3, 2}).Addresses[0].ID; got != 3 {
		t.Errorf("the order of an endpoint is lost: address %d comes first, want 3", got)
	}
}

func TestAddressesLeadToTheirBackend(t *testing.T) {
	w := dual()
	for b := range int32(3) {
		for _, a := range w.addresses(b) {
			if got := w.paths[a].backend; got != b {
				t.Errorf("address %d leads to backend %d, want %d", a, got, b)
			}
		}
	}
	got := w.SelectAddresses([]string{"a/2", "a/0"}, []Label{0})
	if len(got) != 2 || got[0] != 5 || got[1] != 1 {
		t.Errorf("the IPv4 addresses of a/2 and a/0 are %v, want 5 and 1", got)
	}
}

// A million SubConns fit into 32 MB.
func TestSubConnsAreSmall(t *testing.T) {
	if got := unsafe.Sizeof(subConn{}); got != 32 {
		t.Errorf("a subConn has %d bytes, want 32", got)
	}
}
