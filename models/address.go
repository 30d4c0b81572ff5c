package models

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"lbsim/policies"
	"lbsim/sim"
)

// Label names one of a backend's addresses: by its family, and by a number from 2 to 8 where it is
// not the first of that family. The zero Label is "ipv4".
type Label uint8

// families are the last bit of a label; the number, less 1, stands before it.
var families = [2]string{"ipv4", "ipv6"}

// mostOfFamily is how many addresses of one family a backend may have.
const mostOfFamily = 8

// String returns the label as a user writes it: "ipv4", "ipv6", "ipv4-2" and so on.
func (l Label) String() string {
	if l < 2 {
		return families[l]
	}
	return fmt.Sprintf("%s-%d", families[l&1], l>>1+1)
}

// MarshalText writes the label so that it reads back.
func (l Label) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads a label.
func (l *Label) UnmarshalText(text []byte) error {
	for i := range Label(len(families) * mostOfFamily) {
		if i.String() == string(text) {
			*l = i
			return nil
		}
	}
	return fmt.Errorf(`unknown address %q (have ipv4, ipv6, and for more of one family `+
		`ipv4-2 to ipv4-%d, ipv6-2 to ipv6-%[2]d)`, text, mostOfFamily)
}

// text is the address of a host with this label: 10.0.0.1:80 or [2001:db8::1]:80 for number 1. The
// further ones of a family are in other networks: 10.16.0.1:80, [2001:db8:1::1]:80.
func (l Label) text(host uint64) string {
	n := host % mostHosts
	more := byte(l >> 1)
	ip := netip.AddrFrom4([4]byte{10, more<<4 | byte(n>>16), byte(n >> 8), byte(n)})
	if l&1 == 1 {
		b := [16]byte{0: 0x20, 1: 0x01, 2: 0x0d, 3: 0xb8, 5: more}
		binary.BigEndian.PutUint32(b[12:], uint32(n))
		ip = netip.AddrFrom16(b)
	}
	return netip.AddrPortFrom(ip, 80).String()
}

// LabelsOf returns what the addresses of a backend are called.
func (c *Config) LabelsOf(backend int32) []Label {
	g, _ := c.groupOf(int(backend))
	return g.labels()
}

// labels returns what the addresses of the group's backends are called.
func (g *BackendGroup) labels() []Label {
	if len(g.Addresses) == 0 {
		return []Label{0}
	}
	return g.Addresses
}

// path is the way to one address: where it leads to, and what lies in it. Its number is the ID of
// the address.
type path struct {
	address       *policies.Address
	backend       int32 // -1 for an L4 balancer
	l4            uint8 // 1 + the place of the L4 balancer; 0 for none
	label         Label
	lists         int                // how many clients' resolvers list it
	alone         *policies.Endpoint // that has this address only; nil until it is asked for
	refuses       int                // while > 0 attempts to connect are refused
	cut           int                // black holes that it is in
	cutFrom       sim.Time
	cutTo         sim.Time
	lostBeforeCut uint32 // lostBefore of the backend when the hole opened
}

// swallowed says whether there was a black hole at a moment not long ago.
func (p *path) cutAt(at sim.Time) bool { return p.cutFrom <= at && at < p.cutTo }

// addPaths gives a backend its addresses, and an endpoint that has them all.
func (w *World) addPaths(backend int32, labels []Label) {
	e := w.newEndpoint(nil, w.backends[backend].group)
	for _, l := range labels {
		a := &policies.Address{ID: int32(len(w.paths)), Text: w.addressText(l, int(backend))}
		w.paths = append(w.paths, path{address: a, backend: backend, label: l})
		e.Addresses = append(e.Addresses, a)
	}
	w.endpoints = append(w.endpoints, e)
	if len(labels) == 1 {
		w.paths[len(w.paths)-1].alone = e
	} else {
		w.several = append(w.several, e)
	}
}

// addressText is the address of a backend, or of an L4 balancer that is numbered behind them.
func (w *World) addressText(l Label, n int) string { return l.text(w.cfg.hosts().of(uint64(n))) }

// addresses returns the numbers of a backend's addresses, in the order of the experiment.
func (w *World) addresses(backend int32) []int32 { return numbers(w.endpoints[backend]) }

// numbers returns the numbers of an endpoint's addresses.
func numbers(e *policies.Endpoint) []int32 {
	var all []int32
	for _, a := range e.Addresses {
		all = append(all, a.ID)
	}
	return all
}

// endpoint returns the endpoint that has these addresses. One with the same set of them, in
// whatever order, has the same ID.
func (w *World) endpoint(numbers []int32) *policies.Endpoint {
	var list []*policies.Address
	for i, a := range numbers {
		if !slices.Contains(numbers[:i], a) {
			list = append(list, w.paths[a].address)
		}
	}
	if len(list) == 1 {
		p := &w.paths[list[0].ID]
		if p.alone == nil {
			p.alone = w.newEndpoint(list, w.backends[p.backend].group)
		}
		return p.alone
	}
	id := int32(-1)
	for _, e := range w.several {
		switch {
		case slices.Equal(e.Addresses, list):
			return e
		case within(e.Addresses, list) && within(list, e.Addresses):
			id = e.ID
		}
	}
	var g *BackendGroup
	if len(list) > 0 {
		g = w.backends[w.paths[list[0].ID].backend].group
	}
	e := w.newEndpoint(list, g)
	if id >= 0 {
		e.ID = id
		w.endpointIDs--
	}
	w.several = append(w.several, e)
	return e
}

// newEndpoint makes an endpoint of a set of addresses that there was not before, of backends of a
// group.
func (w *World) newEndpoint(list []*policies.Address, g *BackendGroup) *policies.Endpoint {
	e := &policies.Endpoint{ID: w.endpointIDs, Addresses: list}
	w.endpointIDs++
	if g != nil {
		e.Weight, e.Path = g.Weight, g.Path
		e.Locality, e.LocalityWeight = g.Zone, g.ZoneWeight
	}
	return e
}

// within says whether all of a are in b.
func within(a, b []*policies.Address) bool {
	return !slices.ContainsFunc(a, func(x *policies.Address) bool { return !slices.Contains(b, x) })
}

// SelectAddresses returns the numbers of the addresses with these labels of the backends with these
// names (see [Config.Select]); where no label is given, of all.
func (w *World) SelectAddresses(names []string, labels []Label) []int32 {
	var numbers []int32
	for _, b := range w.Select(names) {
		for _, a := range w.addresses(b) {
			if len(labels) == 0 || slices.Contains(labels, w.paths[a].label) {
				numbers = append(numbers, a)
			}
		}
	}
	return numbers
}

// CheckLabels refuses a label that stands there twice.
func CheckLabels(labels []Label) error {
	for i, l := range labels {
		if slices.Contains(labels[:i], l) {
			return fmt.Errorf("%v stands there twice", l)
		}
	}
	return nil
}

// CheckAddresses says what is wrong with labels that are to name addresses of the backends with
// these names, which must be right, or returns nil.
func (c *Config) CheckAddresses(names []string, labels []Label) error {
	backends, err := c.Select(names)
	if err != nil {
		return err
	}
	if err := CheckLabels(labels); err != nil {
		return err
	}
	for _, l := range labels {
		for _, b := range backends {
			if has := c.LabelsOf(b); !slices.Contains(has, l) {
				return fmt.Errorf("%s has no %v (has %s)", c.backendName(int(b)), l, join(has))
			}
		}
	}
	return nil
}

func join(labels []Label) string {
	var texts []string
	for _, l := range labels {
		texts = append(texts, l.String())
	}
	return strings.Join(texts, ", ")
}
