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

// Label names one of a backend's addresses: the family, and from the second of a family on a
// number, 2 to 8. The zero Label is "ipv4".
type Label uint8

// families are by the last bit of a label; the other bits are the number less 1.
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

// text returns the address of a host with this label: 10.0.0.1:80 or [2001:db8::1]:80 for host 1.
// Further addresses of a family are in other networks: 10.16.0.1:80, [2001:db8:1::1]:80.
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

// LabelsOf returns the labels of a backend's addresses.
func (c *Config) LabelsOf(backend int32) []Label {
	g, _ := c.groupOf(int(backend))
	return g.labels()
}

// labels returns the labels of each backend's addresses.
func (g *BackendGroup) labels() []Label {
	if len(g.Addresses) == 0 {
		return []Label{0}
	}
	return g.Addresses
}

// path is the network path to one address, with the failures on it. Its index in World.paths is the
// number of the address, policies.Address.ID.
type path struct {
	address       *policies.Address
	backend       int32 // -1 for an L4 balancer
	l4            uint8 // 1 + index of the L4 balancer; 0 for none
	label         Label
	lists         int                // channels whose resolver lists it
	alone         *policies.Endpoint // the endpoint with this address only; nil until needed
	refuses       int                // failures of kind refuse in force
	cut           int                // failures of kind blackhole in force
	cutFrom       sim.Time           // the latest black hole: [cutFrom, cutTo)
	cutTo         sim.Time           // Never while cut > 0
	lostBeforeCut uint32             // lostBefore of the backend at cutFrom
}

// cutAt reports whether a black hole was there at a moment, at most one network delay ago.
func (p *path) cutAt(at sim.Time) bool { return p.cutFrom <= at && at < p.cutTo }

// addPaths makes the addresses of a backend, and an endpoint with all of them.
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

// addressText returns the address of a backend, or of an L4 balancer: these are numbered after the
// backends.
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

// endpoint returns the endpoint with these addresses in this order. Endpoints with the same set of
// addresses have the same ID.
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

// newEndpoint makes an endpoint with a new ID. It has the weight, path and zone of the group,
// unless that is nil.
func (w *World) newEndpoint(list []*policies.Address, g *BackendGroup) *policies.Endpoint {
	e := &policies.Endpoint{ID: w.endpointIDs, Addresses: list}
	w.endpointIDs++
	if g != nil {
		e.Weight, e.Path = g.Weight, g.Path
		e.Locality, e.LocalityWeight = g.Zone, g.ZoneWeight
	}
	return e
}

// within reports whether all of a are in b.
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

// CheckLabels refuses duplicate labels.
func CheckLabels(labels []Label) error {
	for i, l := range labels {
		if slices.Contains(labels[:i], l) {
			return fmt.Errorf("%v stands there twice", l)
		}
	}
	return nil
}

// CheckAddresses returns what is wrong with labels as names of addresses of the backends with these
// names, or nil. The names must be valid.
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
