package policytest

import (
	"slices"
	"strings"

	"lbsim/policies"
)

// directory gives out numbers to addresses and endpoints, as name resolution does.
type directory struct {
	addresses map[string]*policies.Address
	endpoints map[string]int32 // by the addresses, sorted
}

// Endpoint returns the endpoint with these addresses. Equal sets of addresses are one endpoint.
// Endpoints are in the zones p0 and p1 by turns, whose weights are 1 and 2, and their path is the
// name of the zone, for policies that divide endpoints among children.
func (d *directory) Endpoint(addresses ...string) *policies.Endpoint {
	key := strings.Join(slices.Sorted(slices.Values(addresses)), " ")
	id, known := d.endpoints[key]
	if !known {
		if d.endpoints == nil {
			d.endpoints = make(map[string]int32)
		}
		id = int32(len(d.endpoints))
		d.endpoints[key] = id
	}
	zone := []string{"p0", "p1"}[id%2]
	e := &policies.Endpoint{
		ID: id, Locality: zone, LocalityWeight: 1 + uint32(id%2), Path: []string{zone},
	}
	for _, text := range addresses {
		e.Addresses = append(e.Addresses, d.address(text))
	}
	return e
}

// Endpoints returns an endpoint of one address for each text.
func (d *directory) Endpoints(addresses ...string) []*policies.Endpoint {
	list := make([]*policies.Endpoint, len(addresses))
	for i, a := range addresses {
		list[i] = d.Endpoint(a)
	}
	return list
}

func (d *directory) address(text string) *policies.Address {
	a := d.addresses[text]
	if a == nil {
		if d.addresses == nil {
			d.addresses = make(map[string]*policies.Address)
		}
		a = &policies.Address{ID: int32(len(d.addresses)), Text: text}
		d.addresses[text] = a
	}
	return a
}

// AddressesOf finds an address by its text.
func (d *directory) AddressesOf(name string) []*policies.Address {
	if a := d.addresses[name]; a != nil {
		return []*policies.Address{a}
	}
	return nil
}
